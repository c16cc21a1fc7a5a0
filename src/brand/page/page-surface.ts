import { isTag, type Element } from "domhandler";
import type { ComputedStyle } from "../css/computed-style.ts";
import type { PageDocument } from "../document.ts";

const DEEPEST_WRAPPER = 5;

export interface PageSurface {
  /** The element whose background is seen behind the page. */
  readonly element: Element;
  readonly style: ComputedStyle;
  /** Whether the styles set it, or it is only the browser's canvas. */
  readonly isDeclared: boolean;
}

interface Styles {
  styleOf(element: Element): ComputedStyle;
}

/** What lies behind the page: the background of its single wrapper, of `body`, of `html`, or the bare canvas. */
export function findPageSurface(page: PageDocument, look: Styles): PageSurface | undefined {
  if (page.html === undefined || page.body === undefined) return undefined;
  let element = page.body;
  let style = look.styleOf(element);
  let isDeclared = style.background !== undefined || look.styleOf(page.html).background !== undefined;
  for (let inner = onlyChild(element, look), depth = 0; inner !== undefined && depth < DEEPEST_WRAPPER; depth += 1) {
    const innerStyle = look.styleOf(inner);
    if (innerStyle.background !== undefined && !innerStyle.hasGradient && (innerStyle.background.alpha ?? 1) > 0.9) {
      element = inner;
      style = innerStyle;
      isDeclared = true;
    }
    inner = onlyChild(inner, look);
  }
  return { element, style, isDeclared };
}

/** The one child that holds everything that the element shows. */
function onlyChild(element: Element, look: Styles): Element | undefined {
  // Links that stand beside the wrapper are for skipping to the content.
  const shown = element.children.filter(isTag).filter((child) => child.name !== "a" && !look.styleOf(child).isHidden);
  const [first, second] = shown;
  // An article or a form alone on a page is a card in front of the background, not the page.
  return second === undefined && (first?.name === "div" || first?.name === "main") ? first : undefined;
}
