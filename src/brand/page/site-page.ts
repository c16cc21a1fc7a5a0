import type { Element } from "domhandler";
import type { AppliedSheet } from "../css/cascade.ts";
import { attributeOf, closest, isInside, wordsOf, type PageDocument } from "./document.ts";
import type { Look, PageLooks } from "./look.ts";

/** One page that was read, with its styles and looks. */
export interface SitePage {
  readonly address: string;
  readonly document: PageDocument;
  readonly sheets: readonly AppliedSheet[];
  readonly googleFonts: readonly string[];
  readonly looks: PageLooks;
  /** Whether the page shows hardly any text without its scripts: then what is not set says nothing. */
  readonly isBare: boolean;
  /** How much the page counts beside others: the home page twice. */
  readonly weight: number;
}

export interface Wanted {
  readonly test: (element: Element) => boolean;
  readonly limit: number;
}

/** Elements that pass and are shown, in document order. Of a long page the beginning is looked at. */
export function shownElements(page: SitePage, look: Look, { test, limit }: Wanted): readonly Element[] {
  const shown: Element[] = [];
  // Whether one is shown takes far longer to know than whether it passes, above all when most are hidden.
  let tries = limit * 5;
  for (const element of page.document.elements) {
    if (shown.length >= limit || tries <= 0) break;
    if (!test(element)) continue;
    tries -= 1;
    if (!look.styleOf(element).isHidden) shown.push(element);
  }
  return shown;
}

/** A test for elements with one of the names. */
export function named(...names: readonly string[]): (element: Element) => boolean {
  return ({ name }) => names.includes(name);
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
    closest(element, (ancestor) => ancestor.name === "header" && !isInside(ancestor, ["main", "article"])) !==
      undefined ||
    closest(
      element,
      (ancestor) =>
        /(?:^|[\s_-])(?:nav|navbar|menu|sidebar|footer|breadcrumbs?|toc|pagination)(?:$|[\s_-])/.test(
          wordsOf(ancestor),
        ) &&
        ancestor.name !== "body" &&
        ancestor.name !== "html" &&
        ancestor.name !== "main",
    ) !== undefined
  );
}

/** Whether the element is a button in the eyes of a person. */
export function isButtonLike(element: Element): boolean {
  const type = attributeOf(element, "type")?.toLowerCase() ?? "";
  if (element.name === "button" || attributeOf(element, "role") === "button") return true;
  if (element.name === "input") return ["submit", "button"].includes(type);
  return element.name === "a" && /(?:^|[\s_-])(?:btn|button|cta)(?:$|[\s_-])/.test(wordsOf(element));
}
