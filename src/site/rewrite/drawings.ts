import { findAttribute } from "../../html/attributes.ts";
import { findCssAddresses } from "../../html/css-addresses.ts";
import { applyEdits } from "../../html/edits.ts";
import { rewriteFile, rewriteLink } from "./links.ts";
import type { AttributePlace, RewriteValue } from "./page-draft.ts";
import { rewriteUse, showPart } from "./sprites.ts";
import { rewriteStyleAttribute } from "./styles.ts";

/** Attributes of a drawing's elements that refer to its parts by `url()`. */
export const PRESENTATION: ReadonlySet<string> = new Set(
  "mask clip-path filter fill stroke marker marker-start marker-mid marker-end cursor".split(" "),
);

/** Rewrites `fill="url(/colors.svg#shine)"` to the part, added to the page; a whole image is loaded like any other. */
export function rewritePresentation(value: string, place: AttributePlace): string | undefined {
  const addresses = /url\(/i.test(value) ? findCssAddresses(value) : [];
  const parts = addresses.filter(({ address }) => address.includes("#") && !address.startsWith("#"));
  if (parts.length === 0) return rewriteStyleAttribute(value, place);
  const edits = parts.flatMap(({ address, start, end }) => {
    const text = showPart(address, place);
    return text === undefined ? [] : [{ start, end, text: `url(${text})` }];
  });
  return edits.length === 0 ? undefined : applyEdits(value, edits);
}

/** Rewrites the values that an animation gives to an attribute of its element, separated by semicolons. */
export function rewriteAnimation(values: string, place: AttributePlace): string | undefined {
  const { element } = place;
  const name = findAttribute(element, "attributename")?.trim().toLowerCase() ?? "";
  const rewrite = findRule(name, element.parent?.tagName);
  if (rewrite === undefined) return undefined;
  const rewritten = values.replace(/[^;\s][^;]*/g, (value) => rewrite(value.trim(), { ...place, name }) ?? value);
  return rewritten === values ? undefined : rewritten;
}

function findRule(name: string, animated: string | undefined): RewriteValue | undefined {
  if (PRESENTATION.has(name)) return rewritePresentation;
  if (name !== "href" && name !== "xlink:href") return undefined;
  if (animated === "use") return rewriteUse;
  return animated === "a" ? rewriteLink : rewriteFile;
}
