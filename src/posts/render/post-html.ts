import * as z from "zod";
import { editAttribute, escapeAttribute, findAttribute, hasWord, renderAttributes } from "../../html/attributes.ts";
import { applyEdits, type Edit } from "../../html/edits.ts";
import { isFootnoteId, VISUALLY_HIDDEN } from "../../html/post-body-style.ts";
import { parseHtml } from "../../html/parse.ts";
import { textOf, visitElements, type HtmlElement } from "../../html/tree.ts";
import { findSrcsetAddresses } from "../../html/address-texts.ts";
import { inlineCodeStyle } from "./code-colors.ts";
import { findStripped, removeElement, stripElement, unwrapElement, type StrippedElement } from "./strip-elements.ts";
import { parseJson } from "../../base/json.ts";

/** An address in the HTML of a post. */
export interface PostReference {
  /** `file`: a video, audio file, or another page embedded in the post. */
  readonly kind: "image" | "link" | "file";
  readonly address: string;
  readonly alt?: string | undefined;
  /** Whether it is a Markdown image, which Astro's build also finds. */
  readonly isMarkdown: boolean;
}

export interface PostHtmlChanges {
  /**
   * New addresses by old ones, separately for images and links; `undefined` makes a link plain text. Others stay
   * unchanged.
   */
  readonly images: ReadonlyMap<string, string>;
  readonly links: ReadonlyMap<string, string | undefined>;
  /** Prefix for footnote ids, which are otherwise the same in every post. */
  readonly idPrefix: string;
  /** Whether to remove a first heading at the start of the post because it is the title. */
  readonly firstHeading: "keep" | "remove";
}

/** The rendered body of a post: its references, and how to adapt it for another site. */
export interface PostHtml {
  readonly references: readonly PostReference[];
  /** The text of the first `<h1>`. */
  readonly heading: string | undefined;
  readonly stripped: readonly StrippedElement[];
  render(changes: PostHtmlChanges): string;
}

export function parsePostHtml(html: string): PostHtml {
  const elements: HtmlElement[] = [];
  visitElements(parseHtml(html), (element) => elements.push(element));
  const heading = elements.find(({ tagName }) => tagName === "h1");
  const title = heading === undefined ? "" : textOf(heading);
  return {
    references: [...new Map(elements.flatMap(referencesOf).map((each) => [JSON.stringify(each), each])).values()],
    heading: title === "" ? undefined : title,
    stripped: findStripped(html, elements),
    render(changes) {
      const edits = elements.flatMap((element) => editsFor(html, element, changes));
      const before = html.slice(0, heading?.source?.start);
      if (changes.firstHeading === "remove" && heading !== undefined && before.trim() === "") {
        edits.push(...removeElement(heading));
      }
      return applyEdits(html, edits);
    },
  };
}

/** Attribute with the image address, by element. */
const IMAGE_ATTRIBUTES: ReadonlyMap<string, string> = new Map([
  ["img", "src"],
  ["video", "poster"],
  ["image", "href"],
]);

function referencesOf(element: HtmlElement): PostReference[] {
  const image = findAstroImage(element);
  if (image !== undefined)
    return [{ kind: "image", address: image.src, alt: image.attributes.get("alt"), isMarkdown: true }];
  const alt = findAttribute(element, "alt");
  const addresses = [
    findAttribute(element, IMAGE_ATTRIBUTES.get(element.tagName) ?? ""),
    ...findSrcsetAddresses(srcsetOf(element) ?? "").map(({ address }) => address),
  ];
  const images = addresses.flatMap((address) =>
    address ? [{ kind: "image" as const, address, alt, isMarkdown: false }] : [],
  );
  const others = [
    { kind: "link" as const, address: element.tagName === "a" ? findAttribute(element, "href") : undefined },
    { kind: "file" as const, address: EMBEDDING.has(element.tagName) ? findAttribute(element, "src") : undefined },
  ];
  return [
    ...images,
    ...others.flatMap(({ kind, address }) => (address ? [{ kind, address, alt: undefined, isMarkdown: false }] : [])),
  ];
}

const EMBEDDING: ReadonlySet<string> = new Set(["video", "audio", "source", "track", "iframe", "embed"]);

function srcsetOf(element: HtmlElement): string | undefined {
  return element.tagName === "img" || element.tagName === "source" ? findAttribute(element, "srcset") : undefined;
}

function editsFor(html: string, element: HtmlElement, changes: PostHtmlChanges): Edit[] {
  const stripping = isUnlinked(element, changes) ? unwrapElement(element) : stripElement(html, element);
  if (stripping !== undefined) return stripping;
  const image = findAstroImage(element);
  const { source } = element;
  if (image !== undefined && source !== undefined) {
    const src = changes.images.get(image.src) ?? image.src;
    const others = renderAttributes(html, element, new Set(["__astro_image_"]));
    return [{ start: source.start, end: source.contentStart, text: renderAstroImage(image, src, others) }];
  }
  const values = [
    ...imageValues(element, changes),
    ...linkValues(element, changes),
    ...idValues(element, changes),
    ...styleValues(element),
  ];
  const edits = values.flatMap((change) => editAttribute(html, element, change) ?? []);
  return [...edits, ...hiding(html, element)];
}

interface AttributeValue {
  readonly name: string;
  readonly value: string;
}

function imageValues(element: HtmlElement, { images }: PostHtmlChanges): AttributeValue[] {
  const name = IMAGE_ATTRIBUTES.get(element.tagName);
  const value = name === undefined ? undefined : images.get(findAttribute(element, name) ?? "");
  const srcset = srcsetOf(element);
  const single = name === undefined || value === undefined ? [] : [{ name, value }];
  if (srcset === undefined) return single;
  const edits = findSrcsetAddresses(srcset).flatMap(({ address, start, end }) => {
    const text = images.get(address);
    return text === undefined ? [] : [{ start, end, text }];
  });
  return edits.length === 0 ? single : [...single, { name: "srcset", value: applyEdits(srcset, edits) }];
}

function isUnlinked(element: HtmlElement, { links }: PostHtmlChanges): boolean {
  const href = element.tagName === "a" ? findAttribute(element, "href") : undefined;
  return href !== undefined && links.has(href) && links.get(href) === undefined;
}

function linkValues(element: HtmlElement, { links }: PostHtmlChanges): AttributeValue[] {
  if (element.tagName !== "a") return [];
  const value = links.get(findAttribute(element, "href") ?? "");
  return value === undefined ? [] : [{ name: "href", value }];
}

function styleValues(element: HtmlElement): AttributeValue[] {
  const value = inlineCodeStyle(findAttribute(element, "style") ?? "");
  return value === undefined ? [] : [{ name: "style", value }];
}

function idValues(element: HtmlElement, { idPrefix }: PostHtmlChanges): AttributeValue[] {
  const prefixed = (id: string): string => (isFootnoteId(id) ? `${idPrefix}-${id}` : id);
  const id = findAttribute(element, "id");
  const href = findAttribute(element, "href");
  const describedBy = findAttribute(element, "aria-describedby");
  const values = [
    { name: "id", old: id, value: id && prefixed(id) },
    { name: "href", old: href, value: href?.startsWith("#") ? `#${prefixed(href.slice(1))}` : href },
    { name: "aria-describedby", old: describedBy, value: describedBy?.split(/\s+/).map(prefixed).join(" ") },
  ];
  return values.flatMap(({ name, old, value }) => (value === undefined || value === old ? [] : [{ name, value }]));
}

/**
 * Headings for screen readers only, such as that of the footnotes, are hidden by a style sheet that isn't published.
 */
function hiding(html: string, element: HtmlElement): Edit[] {
  if (!hasWord(element, "class", "sr-only") || findAttribute(element, "style") !== undefined) return [];
  const end = element.source?.contentStart;
  if (end === undefined) return [];
  const place = html.startsWith("/>", end - 2) ? end - 2 : end - 1;
  return [{ start: place, end: place, text: ` style="${escapeAttribute(VISUALLY_HIDDEN)}"` }];
}

/** A Markdown image that Astro's processor leaves for the build to fill in. */
export interface AstroImage {
  /** As written, percent-decoded. */
  readonly src: string;
  /** By HTML attribute name, without `src`. */
  readonly attributes: ReadonlyMap<string, string>;
}

const imageSchema = z.looseObject({ src: z.string() });

/** Astro's internal properties. */
const OWN_PROPERTIES = new Set(["src", "index", "inferSize"]);

/** Parses `<img __ASTRO_IMAGE_="{…}">`. */
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

/** `others` is the source of the other attributes of the placeholder. */
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

/** hast uses `ariaLabel`, `dataZoom`, and `srcSet`; HTML uses `aria-label`, `data-zoom`, and `srcset`. */
function attributeName(property: string): string {
  const isPrefixed = /^(?:aria|data)[A-Z]/.test(property);
  return (isPrefixed ? property.replaceAll(/[A-Z]/g, "-$&") : property).toLowerCase();
}

function isText(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}
