import { isTag, type Element } from "domhandler";
import { descendantsOf, outerHtml, parseDocument, resolveAddress } from "../document.ts";
import { cleanDrawing } from "./inline-svg.ts";

/** A drawing in another file that an inline SVG shows: `/sprite.svg#logo`. */
export interface SpriteSymbol {
  readonly file: string;
  readonly id: string;
  /** What `currentColor` is in it. */
  readonly color: string;
}

/** Returns the symbol that an inline SVG shows, if it is in another file and all that it shows. */
export function symbolOf(svg: Element, base: string): Omit<SpriteSymbol, "color"> | undefined {
  const uses = descendantsOf(svg).filter(({ name }) => name === "use");
  const [reference, ...others] = uses.map(({ attribs }) => attribs["href"] ?? attribs["xlink:href"] ?? "");
  if (reference === undefined || others.length > 0) return undefined;
  const [path = "", id = ""] = reference.split("#");
  const file = path === "" || id === "" ? undefined : resolveAddress(path, base);
  return file === undefined ? undefined : { file, id };
}

/** Draws a symbol as a file of its own, without what runs or loads; `undefined` if the sprite has none with the ID. */
export function drawSymbol(sprite: string, { id, color }: SpriteSymbol): string | undefined {
  const svg = parseDocument(sprite).elements.find((element) => element.attribs["id"] === id);
  if (svg?.name !== "symbol" || !svg.children.some(isTag)) return undefined;
  svg.name = "svg";
  svg.attribs = { xmlns: "http://www.w3.org/2000/svg", ...svg.attribs, color };
  cleanDrawing(svg);
  return outerHtml(svg);
}
