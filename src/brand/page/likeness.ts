import type { Element } from "domhandler";
import type { RuleIndex } from "../css/cascade.ts";
import { CONTENT_ATTRIBUTES } from "../css/selector.ts";
import { parentOf, type PageDocument } from "../document.ts";

const WITHOUT_A_LOOK: ReadonlySet<string> = new Set([...CONTENT_ATTRIBUTES, "datetime", "content", "value", "name"]);

/**
 * Creates a function that returns the same text for pages that look alike under the same rules: with the same kinds of
 * nested elements, regardless of their number and text.
 */
export function createLikeness(): (page: PageDocument, index: RuleIndex) => string {
  const kinds = new Map<string, number>();
  return ({ elements }, index) => {
    const kindOf = new Map<Element, number>();
    for (const element of elements) {
      const parent = parentOf(element);
      if (element.name === "head" || parent?.name === "head") continue;
      const key = `${parent && kindOf.get(parent)} ${element.name} ${attributesOf(element, index)}`;
      const kind = kinds.get(key) ?? kinds.size;
      kinds.set(key, kind);
      kindOf.set(element, kind);
    }
    return [...new Set(kindOf.values())].toSorted((a, b) => a - b).join();
  };
}

/** Every heading has its own id. An id that no rule selects doesn't affect the look. */
function attributesOf({ attribs }: Element, index: RuleIndex): string {
  let text = "";
  for (const [name, value] of Object.entries(attribs)) {
    const isLook = name === "id" ? index.has(`id ${value}`) : !WITHOUT_A_LOOK.has(name);
    // No attribute of a page that was parsed has a null character in it.
    text += isLook ? `\0${name}\0=${value}` : `\0${name}`;
  }
  return text;
}
