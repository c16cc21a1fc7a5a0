/** Whether an address leads into the author's own site, and not to another one or to a place in the same text. */
export function isLocal(address: string): boolean {
  return address !== "" && !/^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(address);
}

/** An address without its query and fragment, and those with their signs. */
export function splitAddress(address: string): { readonly path: string; readonly suffix: string } {
  const start = address.search(/[?#]/);
  if (start === -1) return { path: address, suffix: "" };
  return { path: address.slice(0, start), suffix: address.slice(start) };
}

const IMAGE = String.raw`\.(?:avif|gif|jpe?g|png|svg|webp)`;
const MENTIONS = new RegExp(String.raw`<([^<>\n]+${IMAGE})>|([^\s"'()<>[\]{},;=|\x60]+${IMAGE})(?![\w/])`, "gi");

/**
 * Everything in a markdown text that can be the address of an image: in markdown, HTML tags, JSX and imports. The same
 * for whoever renders the text, so that the hash of a post's source is the same inside and outside a build.
 */
export function findMentionedImages(markdown: string): readonly string[] {
  const found = Array.from(markdown.matchAll(MENTIONS), ([, enclosed, plain]) => (enclosed ?? plain ?? "").trim());
  return [...new Set(found)].toSorted();
}
