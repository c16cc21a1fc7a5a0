import type { Element } from "domhandler";
import { textContent } from "domutils";
import type { AppliedSheet } from "../css/cascade.ts";
import { joinLayers, type Condition, type StyleSheet } from "../css/parse-sheet.ts";
import { isGoogleFonts, resolveAddress, isInside, type PageDocument } from "../document.ts";
import type { Reader } from "./reader.ts";

/** Maximum number of style sheets per page, including imported ones. */
const MAX_SHEETS = 60;
const MAX_IMPORT_DEPTH = 8;

export interface PageStyles {
  /** In cascade order. */
  readonly sheets: readonly AppliedSheet[];
  /** Addresses of Google Fonts style sheets. They aren't read, because the address specifies their content. */
  readonly googleFonts: readonly string[];
}

export async function loadStyles(page: PageDocument, address: string, reader: Reader): Promise<PageStyles> {
  const googleFonts: string[] = [];
  const loading = createSheetLoader(reader, googleFonts);
  const lists = await Promise.all(
    appliedSheets(page).map(async (element) => {
      const conditions = mediaOf(element);
      if (element.name === "style") {
        const sheet = reader.parseStyle(textContent(element), address);
        return loading.expand(sheet, { conditions, layer: "", above: [] });
      }
      const target = resolveAddress(element.attribs["href"] ?? "", address);
      return target === undefined ? [] : loading.load(target, { conditions, layer: "", above: [] });
    }),
  );
  const sheets = lists.flat();
  if (sheets.length > MAX_SHEETS) {
    reader.report(address, `The page has ${sheets.length} style sheets; only the first ${MAX_SHEETS} were used.`);
  }
  return { sheets: sheets.slice(0, MAX_SHEETS), googleFonts };
}

/** The style elements that apply. Of titled sets, only the page's preferred one applies: the first by default. */
function appliedSheets(page: PageDocument): readonly Element[] {
  const sheets = page.elements.filter(isStyleElement);
  const titleOf = ({ attribs }: Element): string => attribs["title"]?.trim() ?? "";
  const chosen = page.elements.find(
    ({ name, attribs }) => name === "meta" && attribs["http-equiv"]?.toLowerCase() === "default-style",
  );
  const preferred = chosen?.attribs["content"] ?? sheets.map(titleOf).find((title) => title !== "");
  return sheets.filter((element) => [preferred, ""].includes(titleOf(element)));
}

function isStyleElement(element: Element): boolean {
  if (element.name === "style") return !isInside(element, ["svg"]);
  if (element.name !== "link") return false;
  const relations = (element.attribs["rel"] ?? "").toLowerCase().split(/\s+/);
  const becomesStyle =
    relations.includes("preload") && element.attribs["as"] === "style" && "onload" in element.attribs;
  if (!relations.includes("stylesheet") && !becomesStyle) return false;
  return !relations.includes("alternate") && !("disabled" in element.attribs);
}

function mediaOf(element: Element): readonly Condition[] {
  const { media = "", onload = "" } = element.attribs;
  // `media="print" onload="this.media='all'"` loads a sheet without blocking rendering.
  if (media.trim() === "" || onload.includes("media")) return [];
  return [{ kind: "media", text: media }];
}

interface Place {
  readonly conditions: readonly Condition[];
  readonly layer: string;
  /** Addresses of the importing sheets, to detect cycles. */
  readonly above: readonly string[];
}

function createSheetLoader(reader: Reader, googleFonts: string[]) {
  let loaded = 0;

  async function load(address: string, place: Place): Promise<readonly AppliedSheet[]> {
    if (isGoogleFonts(address)) {
      if (!googleFonts.includes(address)) googleFonts.push(address);
      return [];
    }
    if (place.above.includes(address)) {
      reader.report(address, "The style sheet imports itself, directly or through others.");
      return [];
    }
    loaded += 1;
    if (place.above.length > MAX_IMPORT_DEPTH || loaded > MAX_SHEETS) {
      reader.report(address, "The style sheet was not read because the page imports too many.");
      return [];
    }
    const sheet = await reader.readSheet(address);
    return sheet === undefined ? [] : expand(sheet, { ...place, above: [...place.above, address] });
  }

  async function expand(sheet: StyleSheet, place: Place): Promise<readonly AppliedSheet[]> {
    const imported = await Promise.all(
      sheet.imports.map(({ address, conditions, layer }) => {
        const target = resolveAddress(address, sheet.address);
        if (target === undefined) return [];
        const inner = joinLayers(place.layer, layer);
        return load(target, { ...place, conditions: [...place.conditions, ...conditions], layer: inner });
      }),
    );
    return [...imported.flat(), { sheet, conditions: place.conditions, layer: place.layer }];
  }

  return { load, expand };
}
