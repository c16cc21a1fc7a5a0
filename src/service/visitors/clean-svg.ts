import { setImmediate as nextTurn } from "node:timers/promises";
import sax from "sax";
import { cleanCss } from "./clean-css.ts";

// Browsers run what stands in a drawing when its address is opened. Whatever is shown as an image runs nothing, so a
// cleaned drawing looks the same there.

/** What is shown of a drawing. */
export type CleanedSvg =
  /** Nothing in it runs or loads anything. */
  | { readonly kind: "clean" }
  | { readonly kind: "cleaned"; readonly svg: string }
  /** Browsers don't show it either: no well-formed XML, or no drawing. */
  | { readonly kind: "unreadable" };

const SVG = "http://www.w3.org/2000/svg";

/** Namespaces of elements that browsers do something with. Others are data of drawing programs, which do nothing. */
const ACTIVE_NAMESPACES: ReadonlySet<string> = new Set([
  "http://www.w3.org/1999/xhtml",
  "http://www.w3.org/1998/Math/MathML",
  "http://www.w3.org/1999/XSL/Transform",
  "http://www.w3.org/2001/xml-events",
  "http://www.mozilla.org/xbl",
  "http://www.mozilla.org/keymaster/gatekeeper/there.is.only.xul",
]);

const ELEMENTS: ReadonlySet<string> = new Set(
  `a altGlyph altGlyphDef altGlyphItem animate animateColor animateMotion animateTransform circle clipPath color-profile
  cursor defs desc ellipse feBlend feColorMatrix feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting
  feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge
  feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile feTurbulence filter font font-face
  font-face-format font-face-name font-face-src font-face-uri g glyph glyphRef hatch hatchpath hkern image line
  linearGradient marker mask mesh meshgradient meshpatch meshrow metadata missing-glyph mpath path pattern polygon polyline
  radialGradient rect set solidcolor stop style svg switch symbol text textPath title tref tspan use view vkern`.split(
    /\s+/,
  ),
);

const CHARACTERS_AT_ONCE = 16 * 1024;

/**
 * Takes out of a drawing what runs or loads something: scripts, handlers of events, foreign objects, `javascript:`,
 * style sheets and references to other hosts than that of `base`. Large ones are read in pieces, with others served in
 * between.
 */
export async function cleanSvg(bytes: Uint8Array, base: string): Promise<CleanedSvg> {
  const text = new TextDecoder().decode(bytes);
  const cleaner = createCleaner(base);
  try {
    for (let start = 0; start < text.length; start += CHARACTERS_AT_ONCE) {
      if (start > 0) await nextTurn();
      cleaner.write(text.slice(start, start + CHARACTERS_AT_ONCE));
    }
    return cleaner.end();
  } catch {
    return { kind: "unreadable" };
  }
}

function createCleaner(base: string) {
  // It bounds the values of attributes, and paths and pictures inside of a drawing are longer.
  Object.assign(sax, { MAX_BUFFER_LENGTH: Number.POSITIVE_INFINITY });
  const options = { xmlns: true, strictEntities: true };
  const parser = sax.parser(true, options);
  const written: string[] = [];
  const addresses = createAddressRules(base);
  let isChanged = false;
  /** Elements that are open inside of one that is left out, that one included. */
  let leftOut = 0;
  let depth = 0;
  /** Text of the `style` element that is open. */
  let css: string | undefined;

  function openElement(tag: sax.QualifiedTag): void {
    depth += 1;
    if (depth === 1 && (tag.uri !== SVG || tag.local !== "svg")) throw new Error("no drawing");
    if (leftOut > 0 || css !== undefined || !isPassive(tag)) {
      leftOut += 1;
      isChanged = true;
      return;
    }
    written.push(`<${tag.name}`);
    for (const attribute of Object.values(tag.attributes)) {
      const value = cleanAttribute(attribute, tag, addresses);
      if (value !== attribute.value) isChanged = true;
      if (value !== undefined) written.push(` ${attribute.name}="${escape(value)}"`);
    }
    written.push(">");
    if (tag.uri === SVG && tag.local === "style") css = "";
  }

  function addText(text: string): void {
    if (leftOut > 0) return;
    if (css === undefined) written.push(escape(text));
    else css += text;
  }

  function closeElement(name: string): void {
    depth -= 1;
    if (leftOut > 0) {
      leftOut -= 1;
      return;
    }
    if (css !== undefined) {
      const cleaned = cleanCss(css, addresses.isImage);
      if (cleaned !== css) isChanged = true;
      written.push(escape(cleaned));
      css = undefined;
    }
    written.push(`</${name}>`);
  }

  Object.assign(parser, {
    onopentag: openElement,
    ontext: addText,
    oncdata: addText,
    onclosetag: closeElement,
    onprocessinginstruction({ name }: { readonly name: string }) {
      if (/^xml-/i.test(name)) isChanged = true;
    },
    ondoctype(doctype: string) {
      const entities = readEntities(doctype);
      if (entities === undefined) isChanged = true;
      Object.assign(parser.ENTITIES, entities);
    },
    onerror(error: Error) {
      throw error;
    },
  });

  return {
    write: (text: string) => void parser.write(text),
    end(): CleanedSvg {
      parser.close();
      return isChanged ? { kind: "cleaned", svg: written.join("") } : { kind: "clean" };
    },
  };
}

const ENTITY = /<!ENTITY\s+([\w.-]+)\s+(?:"([^"<&%]*)"|'([^'<&%]*)')\s*>/g;
const MAX_ENTITY_CHARACTERS = 500;

/**
 * The names for texts that a document type declares, as drawing programs do; `undefined` where it declares anything
 * else, such as attributes that elements get by themselves.
 */
function readEntities(doctype: string): Readonly<Record<string, string>> | undefined {
  const subset = /\[([\s\S]*)\]\s*$/.exec(doctype)?.[1];
  if (subset === undefined) return doctype.includes("[") ? undefined : {};
  const entities = [...subset.matchAll(ENTITY)].map(
    ([, name = "", double, single = ""]) => [name, double ?? single] as const,
  );
  const isKnown = subset.replaceAll(ENTITY, "").trim() === "";
  return isKnown && entities.every(([, value]) => value.length <= MAX_ENTITY_CHARACTERS)
    ? Object.fromEntries(entities)
    : undefined;
}

const ANIMATIONS: ReadonlySet<string> = new Set([
  "animate",
  "animateColor",
  "animateMotion",
  "animateTransform",
  "set",
]);

/** Whether an element is one that draws, describes, or animates what is drawn. */
function isPassive({ uri, local, attributes }: sax.QualifiedTag): boolean {
  if (uri !== SVG) return !ACTIVE_NAMESPACES.has(uri);
  if (!ELEMENTS.has(local)) return false;
  if (!ANIMATIONS.has(local)) return true;
  const animated = attributes["attributeName"]?.value.trim().replace(/^.*:/, "").toLowerCase() ?? "";
  return animated !== "href" && !animated.startsWith("on");
}

type AddressRules = ReturnType<typeof createAddressRules>;

function createAddressRules(base: string) {
  const { origin } = new URL(base);
  const isOwn = (address: string): boolean => URL.parse(address, base)?.origin === origin;
  const isImage = (address: string): boolean => isOwn(address) || DATA_IMAGE.test(address);
  const isLink = (address: string): boolean => LINK.test(URL.parse(address, base)?.protocol ?? "");
  return { isOwn, isImage, isLink };
}

const DATA_IMAGE = /^\s*data:(?:image|font|application\/(?:x-)?font)[\w/+.-]*[;,]/i;
const LINK = /^(?:https?|mailto|tel):$/;
const IMAGES: ReadonlySet<string> = new Set(["image", "feImage"]);

/** The value that an attribute keeps; `undefined` for one that goes. */
function cleanAttribute(
  { name, local, value }: sax.QualifiedAttribute,
  tag: sax.QualifiedTag,
  { isOwn, isImage, isLink }: AddressRules,
): string | undefined {
  const lower = local.toLowerCase();
  if (lower.startsWith("on") || name.toLowerCase() === "xml:base" || lower === "ping") return undefined;
  if (lower !== "href" && lower !== "src") return name.startsWith("xmlns") ? value : cleanCss(value, isImage);
  const isAllowed = tag.local === "a" ? isLink : IMAGES.has(tag.local) ? isImage : isOwn;
  return isAllowed(value) ? value : undefined;
}

function escape(text: string): string {
  return text.replaceAll(/[&<>"\t\n\r]/g, (character) =>
    character === "\n" || character === "\t" ? character : `&#${character.charCodeAt(0)};`,
  );
}
