import type { Edit } from "../../html/edits.ts";
import { renderPlaceholder } from "../../html/placeholders.ts";
import { listImages } from "../content-type.ts";
import type { SiteAsset, SiteWarning } from "../model.ts";
import type { TextContext } from "./text-context.ts";

// In a script, the quotes may be escaped.
const SELECTOR = /\[\s*src\s*([$*^]?)=\s*(\\?["'])([^"'\\\]\s]{2,})\2\s*\]/gi;
const OF_OTHERS = /\b(?:iframe|script|embed|video|audio|track)(?:[.#:[][^\s,>+~{}]*)?$/i;
// A longer list would cost more than it helps.
const MAX_IMAGES = 40;

interface Selected {
  readonly edit?: Edit;
  readonly assets?: readonly SiteAsset[];
  readonly warnings?: readonly SiteWarning[];
}

type Warn = (start: number, warning: Pick<SiteWarning, "code" | "message">) => SiteWarning;

/**
 * Adds the published addresses to selectors of images by their names (`img[src$=".png"]`, `img[src="/moon.svg"]`), as
 * elements show them and as scripts name them.
 */
export function rewriteImageSelectors({ text, site, assets, place }: TextContext, warn: Warn): readonly Selected[] {
  if (!/\[\s*src/i.test(text)) return [];
  return Array.from(text.matchAll(SELECTOR)).flatMap(
    ({ index: start, 0: found, 1: sign = "", 2: quote = "", 3: value = "" }): readonly Selected[] => {
      const end = start + found.length;
      // Written by an earlier run.
      const isNew = !(text.startsWith("],", start - 2) && text.startsWith(")", end));
      if (!isNew || OF_OTHERS.test(text.slice(Math.max(0, start - 100), start))) return [];
      const images = listImages(site).filter((path) => isSelected(site.base + encodeURI(path), sign, value));
      if (images.length === 0) return [];
      if (images.length > MAX_IMAGES) {
        const message = `The selector ${found} looks for a part of the addresses of ${images.length} images, which are different where the page is published. Use a class.`;
        return [{ warnings: [warn(start, { code: "image-selector", message })] }];
      }
      const used = images.flatMap((path) =>
        (["any-type", "same-type"] as const).map((optimize) => {
          return assets.fromFile(path, { usedIn: place.usedIn, optimize });
        }),
      );
      const selectors = [...new Set(used.map(({ hash }) => `[src=${quote}${renderPlaceholder(hash)}${quote}]`))];
      const all = sign === "" ? selectors : [...selectors, found];
      return [{ edit: { start, end, text: all.length === 1 ? all.join("") : `:is(${all.join(",")})` }, assets: used }];
    },
  );
}

function isSelected(address: string, sign: string, value: string): boolean {
  if (sign === "^") return address.startsWith(value);
  if (sign === "$") return address.endsWith(value);
  return sign === "*" ? address.includes(value) : address === value;
}
