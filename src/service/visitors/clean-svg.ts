import { setImmediate as nextTurn } from "node:timers/promises";
import sax from "sax";
import { cleanCss } from "./clean-css.ts";

// Browsers run scripts in an SVG file that is opened directly. As an image, it never runs anything, so a cleaned file
// looks the same there.

/** Result of cleaning an SVG file. */
export type CleanedSvg =
  /** Nothing in it runs or loads anything. */
  | { readonly kind: "clean" }
  | { readonly kind: "cleaned"; readonly svg: string }
  /** Browsers can't show it either: it isn't well-formed XML, or not SVG. */
  | { readonly kind: "unreadable" };

const SVG = "http://www.w3.org/2000/svg";

/** Namespaces that browsers act on. Others are inert data of drawing programs. */
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
 * Removes anything that runs or loads something from an SVG file: scripts, event handlers, foreign objects,
 * `javascript:` URLs, style sheets, and references to other hosts than that of `base`. Large files are processed in
 * chunks, so that other requests are served in between.
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
  // The limit applies to attribute values, which are longer for paths and inline images.
  Object.assign(sax, { MAX_BUFFER_LENGTH: Number.POSITIVE_INFINITY });
  const options = { xmlns: true, strictEntities: true };
  const parser = sax.parser(true, options);
  const written: string[] = [];
  const addresses = createAddressRules(base);
  let isChanged = false;
  /** Depth within a removed element, including itself. */
  let leftOut = 0;
  let depth = 0;
  /** Text of the open `style` element. */
  let css: string | undefined;

  function openElement(tag: sax.QualifiedTag): void {
    depth += 1;
    if (depth === 1 && (tag.uri !== SVG || tag.local !== "svg")) throw new Error("not SVG");
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
 * Returns the text entities of a document type, as drawing programs declare them; `undefined` if it declares anything
 * else, such as default attributes.
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

/** Whether an element only draws, describes or animates. */
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

/** Returns the cleaned value of an attribute; `undefined` to remove it. */
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
