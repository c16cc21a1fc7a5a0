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
