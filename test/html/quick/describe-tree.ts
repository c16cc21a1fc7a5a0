import type { HtmlDocument, HtmlNode } from "../../../src/html/tree.ts";

/** Renders a tree with one line per node, for comparing trees of any depth with readable differences. */
export function describeTree({ root, doctypeEnd }: HtmlDocument): readonly string[] {
  const lines = [`doctype ${doctypeEnd ?? "none"}`];
  const pending: { readonly node: HtmlNode; readonly depth: number; readonly parent: HtmlNode | undefined }[] = [
    { node: root, depth: 0, parent: undefined },
  ];
  for (let entry = pending.pop(); entry !== undefined; entry = pending.pop()) {
    const { node, depth, parent } = entry;
    if (node.next !== undefined) pending.push({ node: node.next, depth, parent });
    const indent = " ".repeat(Math.min(depth, 50)) + depth;
    if (node.kind === "text") {
      lines.push(`${indent} ${JSON.stringify(node.value)}`);
      continue;
    }
    const { tagName, namespaceURI, attrs, source, firstChild } = node;
    const place = source && [source.start, source.contentStart, source.endTagStart ?? "none", source.end].join(" ");
    const parentage = node.parent === undefined ? "free" : node.parent === parent ? "held" : "lost";
    lines.push(`${indent} <${tagName}> ${namespaceURI.slice(-4)} ${place ?? "unwritten"} ${parentage}`);
    for (const { name, value, start, end } of attrs) {
      lines.push(`${indent} @${name}=${JSON.stringify(value)} ${start} ${end}`);
    }
    if (firstChild !== undefined) pending.push({ node: firstChild, depth: depth + 1, parent: node });
  }
  return lines;
}
