import { parseHtml } from "../html/parse.ts";
import { findChild, textOf, textsOf, visitElements, type HtmlElement } from "../html/tree.ts";

// A page's own content is surrounded by what all pages share; scripts and symbols aren't text.
const AROUND = new Set(["nav", "header", "footer", "aside"]);
const UNREAD = new Set(["script", "style", "svg", "noscript"]);
// Pages with few words may be alike by coincidence.
const MIN_LENGTH = 24;

/**
 * Returns a page's title and content, which identify it at another address; `undefined` if it has too little text for
 * that.
 */
export function findPageText(html: string): string | undefined {
  const { root } = parseHtml(html);
  const head = findChild(root, ({ tagName }) => tagName === "head");
  const title = head && findChild(head, ({ tagName }) => tagName === "title");
  const body = findChild(root, ({ tagName }) => tagName === "body");
  if (title === undefined || body === undefined) return undefined;
  const main = findElement(body, "main");
  const left = main === undefined ? new Set([...AROUND, ...UNREAD]) : UNREAD;
  const texts = textsOf(main ?? body, ({ tagName }) => left.has(tagName));
  const text = texts.join(" ").replace(/\s+/g, " ").trim();
  return text.length < MIN_LENGTH ? undefined : `${textOf(title)}\n${text}`;
}

function findElement(root: HtmlElement, tagName: string): HtmlElement | undefined {
  let found: HtmlElement | undefined;
  visitElements({ root, doctypeEnd: undefined }, (element) => {
    if (found === undefined && element.tagName === tagName) found = element;
  });
  return found;
}
