import * as z from "zod";
import { escapeAttribute, findAttribute } from "../../html/attributes.ts";
import type { HtmlElement } from "../../html/tree.ts";

/** An image of markdown that Astro's processor leaves for the build to fill in. */
export interface AstroImage {
  /** As written, percent-decoded. */
  readonly src: string;
  /** By name as in HTML, without `src`. */
  readonly attributes: ReadonlyMap<string, string>;
}

const imageSchema = z.looseObject({ src: z.string() });

/** What Astro needs for itself. */
const OWN_PROPERTIES = new Set(["src", "index", "inferSize"]);

/** Reads `<img __ASTRO_IMAGE_="{…}">`. */
export function findAstroImage(element: HtmlElement): AstroImage | undefined {
  const json = element.tagName === "img" ? findAttribute(element, "__astro_image_") : undefined;
  if (json === undefined) return undefined;
  const image = imageSchema.safeParse(parseJson(json));
  if (!image.success) return undefined;
  const attributes = Object.entries(image.data).flatMap(([name, value]) =>
    OWN_PROPERTIES.has(name) || !isText(value) ? [] : [[attributeName(name), String(value)] as const],
  );
  return { src: image.data.src, attributes: new Map(attributes) };
}

/** `others` is the source of attributes that stand beside the placeholder. */
export function renderAstroImage(image: AstroImage, src: string, others: string): string {
  const attributes = new Map([["src", src], ["alt", ""], ...image.attributes]);
  for (const [name, value] of [
    ["loading", "lazy"],
    ["decoding", "async"],
  ] as const) {
    if (!attributes.has(name)) attributes.set(name, value);
  }
  const text = Array.from(attributes, ([name, value]) => ` ${name}="${escapeAttribute(value)}"`).join("");
  return `<img${text}${others}>`;
}

/** hast writes `ariaLabel`, `dataZoom` and `srcSet`; HTML `aria-label`, `data-zoom` and `srcset`. */
function attributeName(property: string): string {
  const isPrefixed = /^(?:aria|data)[A-Z]/.test(property);
  return (isPrefixed ? property.replaceAll(/[A-Z]/g, "-$&") : property).toLowerCase();
}

function isText(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
