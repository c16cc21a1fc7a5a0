import type { Edit } from "../../html/edits.ts";
import { escapeAttribute, findAttribute } from "../../html/attributes.ts";
import { visitElements, type HtmlDocument } from "../../html/tree.ts";
import type { PageDraft } from "./page-draft.ts";
import { findScripts } from "./page-scripts.ts";
import { LOCATION, OWN_PATH, READ } from "./path-reads.ts";
import { findTarget } from "./targets.ts";

/** The address of a link to a page as written, for scripts that compare it with the page's own path. */
const WRITTEN = "data-imprint-path";

const CALL = String.raw`\(\s*(?:"[^"()]*"|'[^'()]*'|\`[^\`()$]*\`|[\w$.]*)\s*\)`;
const LINK = String.raw`(?<link>(?<![\w$.)\]?"'\`]|\bnew\s+)(?!${LOCATION}\b)[\w$]+(?:\??\.[\w$]+|\[[\w$.]+\]|${CALL})*?)`;
const LINK_READS = [
  String.raw`${LINK}(?<read>\??\.getAttribute\(\s*["'\`]href["'\`]\s*\))`,
  String.raw`(?<!\w)new\s+URL\(\s*${LINK}(?<address>\.href)\s*(?:,[^()]*)?\)(?<read>\.pathname\b)`,
  String.raw`${LINK}(?<read>\??\.pathname\b)(?!\s*=(?!=))`,
].map((pattern) => new RegExp(pattern, "g"));
const PATH_READ = new RegExp(String.raw`(?<!\?\?)${READ}(?!\s*=(?!=))`, "g");
// `a[href="${path}"]`, `'a[href^="/' + section + '"]'`
const SELECTOR = /(?<=(?<!\blink)\[)href(?=\s*[\^*$|~]?=\s*(?:\\?["'])?\/?(?:["'`]\s*\+|\$\{))/g;
// Reads a part of a path, or compares it with the path of a section: published paths have no sections.
const PARTS =
  /\.(?:split|replace|replaceAll|endsWith)\(\s*(?:["'`]\/["'`]|\/(?:[^/\\\n]|\\.)*\\\/)|\.(?:startsWith|indexOf)\(\s*(?!["'`/])[\w$]|\bRegExp\(\s*(?!["'`]\^?\\*\/)/;
// Other reads, with which these would no longer agree.
const OTHERWISE = new RegExp(
  String.raw`=\s*new\s+URL\(\s*(?:${LOCATION}|[\w$.]+\.href\b[^()]*\)(?!\.))|\.(?:to|from)\.pathname\b|\bstartViewTransition\b|\bpathname\b[^{}]*\}\s*=\s*${LOCATION}|\.href\??\.(?:startsWith|endsWith|includes|indexOf|match|replace|split)\(`,
);

/**
 * Finds where a script marks the links to the current page or its section by parts of their paths
 * (`link.pathname.split("/")[1]`, `path.startsWith(href + "/")`): it compares the paths on the site's own host. Empty
 * for other scripts, whose comparisons hold anyway. Doesn't touch what `others` replace. Without quotes, since the
 * script may be inside a string.
 */
export function replaceActiveLinks(text: string, others: readonly Edit[]): readonly Edit[] {
  if (!/\bpathname\b/.test(text) || !PARTS.test(text) || OTHERWISE.test(text)) return [];
  const paths = Array.from(text.matchAll(PATH_READ), ({ index: start, 0: found }): Edit => {
    return { start, end: start + found.length, text: `(${OWN_PATH}??${found})` };
  });
  const links = LINK_READS.flatMap((pattern) =>
    Array.from(text.matchAll(pattern), ({ index: start, 0: found, groups = {} }): Edit => {
      const { link = "", read = "", address = "" } = groups;
      const optional = read.startsWith("?") ? "?" : "";
      const isPath = read.endsWith("pathname");
      const written = `e${optional}.dataset?.imprintPath${isPath ? "?.split(/[?#]/)[0]" : ""}`;
      const published = address === "" ? `e${read}` : `new URL(e.href)${read}`;
      return { start, end: start + found.length, text: `(e=>${written}??${published})(${link})` };
    }),
  );
  const selectors = Array.from(text.matchAll(SELECTOR), ({ index: start, 0: found }): Edit => {
    return { start, end: start + found.length, text: WRITTEN };
  });
  if (paths.length === 0 || links.length + selectors.length === 0) return [];
  const isFree = ({ start, end }: Edit): boolean => !others.some((other) => other.start < end && start < other.end);
  return [...paths, ...links, ...selectors].filter(isFree);
}

/** Adds their written addresses to the links of a page whose scripts compare them. */
export function keepWrittenPaths(draft: PageDraft, document: HtmlDocument): void {
  const { slugs } = draft.context.settings;
  if (!findScripts(draft).some(({ comparesLinks }) => comparesLinks)) return;
  visitElements(document, (element) => {
    const address = element.tagName === "a" || element.tagName === "area" ? findAttribute(element, "href") : undefined;
    if (address === undefined || element.source === undefined || findAttribute(element, WRITTEN) !== undefined) return;
    const target = /^\/(?!\/)/.test(address) ? findTarget(draft, address) : undefined;
    if (target?.kind !== "page" || !slugs.has(target.page.route)) return;
    const start = element.source.start + "<".length + element.tagName.length;
    draft.edits.push({ start, end: start, text: ` ${WRITTEN}="${escapeAttribute(address)}"` });
  });
}
