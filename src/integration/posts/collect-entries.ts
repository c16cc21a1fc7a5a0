import type { PostsChannel } from "./gathering.ts";

// This file runs inside the site's build, bundled with the site's own modules, so it imports only types.

/** An entry of Astro's content API. */
export interface ContentEntry {
  readonly id: string;
  readonly collection: string;
  readonly data: unknown;
  readonly body?: string | undefined;
  /** Path of its file relative to the project; only set by Astro's file loaders. */
  readonly filePath?: string | undefined;
}

/** Functions from the site's own modules. */
export interface ContentSources {
  readonly collection: string;
  readonly channel: PostsChannel | undefined;
  readonly getCollection: (name: string) => Promise<readonly ContentEntry[]>;
  readonly getEntry: (reference: object) => Promise<ContentEntry | undefined>;
  /** The rendered body of an entry. */
  readonly renderEntry: (entry: ContentEntry) => Promise<string>;
}

/**
 * Responds with the posts of a collection. If prerendering runs in the build's own process, they are passed directly
 * and the response has no body, so that Astro writes no file for it.
 */
export async function answerEntries(sources: ContentSources): Promise<Response> {
  const { channel, collection, getCollection } = sources;
  const found = await getCollection(collection);
  const described = await Promise.all(found.map((entry) => describeEntry(entry, sources)));
  const entries = [];
  for (const each of described) entries.push(await renderDescribed(each, sources));
  const answer = { version: 1, entries };
  if (channel === undefined) return Response.json(answer);
  channel.receive(answer);
  return new Response(null);
}

interface Described {
  readonly entry: ContentEntry;
  readonly facts: object;
  readonly isWanted: boolean;
}

async function describeEntry(entry: ContentEntry, sources: ContentSources): Promise<Described> {
  const { id, filePath, body } = entry;
  const facts = { id, filePath, data: await plainOf(entry.data, { ...sources, depth: 0 }) };
  const isWanted = (await sources.channel?.wants(facts)) !== false;
  return { entry, facts: { ...facts, body }, isWanted };
}

async function renderDescribed({ entry, facts, isWanted }: Described, sources: ContentSources): Promise<object> {
  // Images of unpublished posts must not end up in the built site.
  if (!isWanted) return facts;
  try {
    return { ...facts, html: await sources.renderEntry(entry) };
  } catch (error) {
    return { ...facts, error: error instanceof Error ? error.message : String(error) };
  }
}

interface DataContext extends Pick<ContentSources, "getEntry"> {
  readonly depth: number;
}

const MAX_DEPTH = 12;

/** Converts data to JSON. Images become their source file, references the name of their target. */
async function plainOf(value: unknown, context: DataContext): Promise<unknown> {
  if (typeof value === "bigint") return String(value);
  if (typeof value === "symbol" || value === undefined || value === null || context.depth > MAX_DEPTH) return null;
  if (typeof value !== "object" && typeof value !== "function") return value;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? null : { [DATE]: value.toISOString() };
  if (value instanceof URL) return value.href;
  // Reads only this property of an image: reading its address would make Astro keep the original file.
  const image: unknown = Reflect.get(value, "fsPath");
  if (typeof image === "string") return { [IMAGE]: image };
  if (typeof value === "function") return null;
  const within = { ...context, depth: context.depth + 1 };
  if (Array.isArray(value) || value instanceof Set) {
    return Promise.all(Array.from(value, (item: unknown) => plainOf(item, within)));
  }
  const entries = value instanceof Map ? [...value] : Object.entries(value);
  if (isReference(value)) return nameOf(await context.getEntry(value), value.id);
  const plain = entries.map(async ([key, item]) => [String(key), await plainOf(item, within)] as const);
  return Object.fromEntries(await Promise.all(plain));
}

const DATE = "imprint:date";
const IMAGE = "imprint:image";

function isReference(value: object): value is { readonly collection: string; readonly id: string } {
  const keys = Object.keys(value).toSorted().join();
  return keys === "collection,id" && typeof Reflect.get(value, "id") === "string";
}

function nameOf(entry: ContentEntry | undefined, id: string): string {
  const data: object = Object(entry?.data);
  const name: unknown = Reflect.get(data, "name") ?? Reflect.get(data, "title");
  return typeof name === "string" ? name : id;
}
