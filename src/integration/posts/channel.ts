/** How the endpoint inside the build talks to the integration, where both run in one process. */
export interface PostsChannel {
  /** Whether an entry is a post that is to be published now. */
  wants(entry: unknown): Promise<boolean>;
  /** Takes all entries. */
  receive(answer: unknown): void;
}

/** Name of the global symbol under which the endpoint of a project finds its channel. */
export function channelName(root: URL): string {
  return `astro-imprint.posts ${root.href}`;
}

/** Opens a channel to the endpoint; gives what closes it. */
export function openChannel(name: string, channel: PostsChannel): () => void {
  const symbol = Symbol.for(name);
  Reflect.set(globalThis, symbol, channel);
  return () => void Reflect.deleteProperty(globalThis, symbol);
}
