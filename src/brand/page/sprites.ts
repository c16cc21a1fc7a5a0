import {
  descendantsOf,
  isSameOrigin,
  parseDocument,
  referenceOf,
  resolveAddress,
  type PageDocument,
} from "../document.ts";
import type { Reader } from "./reader.ts";

/** Of a page with more drawings than anyone writes, only the first are completed. */
const MOST_USES = 200;

/**
 * Copies the symbols of other files that drawings of a page show (`<use href="/sprite.svg#logo">`) into its document, so
 * that they are like the page's own. Browsers load them only from the page's own origin.
 */
export async function copySprites(page: PageDocument, address: string, reader: Reader): Promise<PageDocument> {
  const uses = page.elements.flatMap((element) => {
    const [path = "", id = ""] = referenceOf(element).split("#");
    const file = element.name === "use" && path !== "" && id !== "" ? resolveAddress(path, address) : undefined;
    return file !== undefined && isSameOrigin(file, address) ? [{ element, file, id }] : [];
  });
  const shown = uses.slice(0, MOST_USES);
  const files = [...new Set(shown.map(({ file }) => file))];
  const sprites = new Map(
    await Promise.all(
      files.map(async (file) => [file, parseDocument((await reader.readText(file))?.text ?? "").elements] as const),
    ),
  );
  const copies = [...Map.groupBy(shown, ({ file, id }) => `${file}#${id}`).values()].flatMap((same, number) => {
    const [{ file, id } = { file: "", id: "" }] = same;
    const symbol = sprites.get(file)?.find(({ attribs }) => attribs["id"] === id);
    if (symbol === undefined) return [];
    symbol.attribs["id"] = `imprint-sprite-${number}`;
    symbol.parent = page.body ?? null;
    for (const { element } of same) element.attribs["href"] = `#${symbol.attribs["id"]}`;
    return [symbol, ...descendantsOf(symbol)];
  });
  return { ...page, elements: [...page.elements, ...copies] };
}
