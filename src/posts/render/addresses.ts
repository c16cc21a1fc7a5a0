/** Whether an address leads into the author's own site, rather than to another site or a fragment of the same text. */
export function isLocal(address: string): boolean {
  return address !== "" && !/^(?:[a-z][a-z0-9+.-]*:|\/\/|#)/i.test(address);
}

/** Splits an address into its path and its query and fragment, including `?` and `#`. */
export function splitAddress(address: string): { readonly path: string; readonly suffix: string } {
  const start = address.search(/[?#]/);
  if (start === -1) return { path: address, suffix: "" };
  return { path: address.slice(0, start), suffix: address.slice(start) };
}

const IMAGE = String.raw`\.(?:avif|gif|jpe?g|png|svg|webp)`;
const MENTIONS = new RegExp(String.raw`<([^<>\n]+${IMAGE})>|([^\s"'()<>[\]{},;=|\x60]+${IMAGE})(?![\w/])`, "gi");

/**
 * Finds everything in a Markdown text that may be an image address: in Markdown, HTML tags, JSX, and imports.
 * Independent of the renderer, so that a post's source hash is the same inside and outside a build.
 */
export function findMentionedImages(markdown: string): readonly string[] {
  const found = Array.from(markdown.matchAll(MENTIONS), ([, enclosed, plain]) => (enclosed ?? plain ?? "").trim());
  return [...new Set(found)].toSorted();
}
