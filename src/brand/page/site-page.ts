import type { Element } from "domhandler";
import type { AppliedSheet } from "../css/cascade.ts";
import { attributeOf, closest, isInside, wordsOf } from "./document.ts";
import type { PageDocument } from "./document.ts";
import type { Look, PageLooks } from "./look.ts";

/** One page that was read, with its styles and looks. */
export interface SitePage {
  readonly address: string;
  readonly document: PageDocument;
  readonly sheets: readonly AppliedSheet[];
  readonly googleFonts: readonly string[];
  readonly looks: PageLooks;
  /** How much the page counts beside others: the home page twice. */
  readonly weight: number;
}

/** Elements that a page shows at most; of a longer page the beginning is looked at. */
const MAX_LOOKED_AT = 4000;

/** Elements with one of the names that are shown, in document order, at most `limit`. */
export function shownElements(page: SitePage, look: Look, options: { readonly names: readonly string[]; readonly limit: number }): readonly Element[] {
  const shown: Element[] = [];
  for (const element of page.document.elements.slice(0, MAX_LOOKED_AT)) {
    if (shown.length >= options.limit) break;
    if (options.names.includes(element.name) && !look.styleOf(element).isHidden) shown.push(element);
  }
  return shown;
}

/** The element that holds what the page is about. */
export function findContent(page: SitePage): Element | undefined {
  const { elements, body } = page.document;
  return (
    elements.find((element) => element.name === "main" || element.attribs["role"] === "main") ??
    elements.find((element) => element.name === "article") ??
    elements.find((element) => /^(?:content|main)$/.test(element.attribs["id"] ?? "")) ??
    body
  );
}

/** Header, navigation, side bar and footer: what surrounds the content. */
export function isInPageFrame(element: Element): boolean {
  return (
    isInside(element, ["nav", "footer", "aside"]) ||
    closest(element, (ancestor) => ancestor.name === "header" && !isInside(ancestor, ["main", "article"])) !== undefined ||
    closest(element, (ancestor) => /(?:^|[\s_-])(?:nav|navbar|menu|sidebar|footer|breadcrumbs?|toc|pagination)(?:$|[\s_-])/.test(wordsOf(ancestor)) && ancestor.name !== "body" && ancestor.name !== "html" && ancestor.name !== "main") !== undefined
  );
}

/** Whether the element is a button in the eyes of a person. */
export function isButtonLike(element: Element): boolean {
  const type = attributeOf(element, "type")?.toLowerCase() ?? "";
  if (element.name === "button" || attributeOf(element, "role") === "button") return true;
  if (element.name === "input") return ["submit", "button"].includes(type);
  return element.name === "a" && /(?:^|[\s_-])(?:btn|button|cta)(?:$|[\s_-])/.test(wordsOf(element));
}
