import type { Element } from "domhandler";
import type { Declaration } from "./parse-sheet.ts";
import { bodyOf } from "../document.ts";

const NONE: readonly Declaration[] = [];

/** Converts presentational attributes of legacy HTML (`bgcolor`, `text`, `width`, `<font face>`) to declarations. */
export function presentationOf(element: Element): readonly Declaration[] {
  const { attribs, name } = element;
  if (name === "a") return attribs["href"] === undefined ? NONE : colorOf("color", bodyOf(element)?.attribs["link"]);
  if (name === "font") {
    const { color, face } = attribs;
    return [...colorOf("color", color), ...(face === undefined ? NONE : [declare("font-family", face)])];
  }
  const { bgcolor } = attribs;
  const ground = bgcolor !== undefined && GROUNDS.has(name) ? colorOf("background-color", bgcolor) : NONE;
  if (name === "body") return [...ground, ...colorOf("color", attribs["text"])];
  const width =
    name === "table" && /^\d+$/.test(attribs["width"] ?? "") ? [declare("width", `${attribs["width"]}px`)] : NONE;
  return width === NONE ? ground : [...ground, ...width];
}

const GROUNDS = new Set(["body", "table", "thead", "tbody", "tfoot", "tr", "td", "th"]);

function colorOf(property: string, value: string | undefined): readonly Declaration[] {
  const text = value?.trim() ?? "";
  if (text === "") return NONE;
  return [declare(property, /^[\da-f]{6}$/i.test(text) ? `#${text}` : text)];
}

function declare(property: string, value: string): Declaration {
  return { property, value, important: false };
}
