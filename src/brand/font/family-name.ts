/** Names of system fonts, each with the name that is reported. */
const SYSTEM_NAMES: ReadonlyMap<string, string> = new Map([
  ["-apple-system", "system-ui"],
  ["blinkmacsystemfont", "system-ui"],
  ["system-ui", "system-ui"],
  ["ui-sans-serif", "ui-sans-serif"],
  ["ui-serif", "ui-serif"],
  ["ui-monospace", "ui-monospace"],
  ["ui-rounded", "ui-rounded"],
  ["sans-serif", "sans-serif"],
  ["serif", "serif"],
  ["monospace", "monospace"],
  ["cursive", "cursive"],
  ["fantasy", "fantasy"],
  ["math", "math"],
]);

const FAMILY =
  /^(?:"[^"]*"|'[^']*'|-?(?:[a-z_]|[^\0-\x7f]|\\.)(?:[\w-]|[^\0-\x7f]|\\.)*(?:\s+-?(?:[a-z_]|[^\0-\x7f]|\\.)(?:[\w-]|[^\0-\x7f]|\\.)*)*|--[\w-]+)$/i;

/** Whether a browser accepts the value as a `font-family` list: quoted names, and names of identifiers. */
export function isFamilyList(value: string): boolean {
  const families = value.match(/(?:"[^"]*"|'[^']*'|[^,"'])+/g) ?? [];
  const commas = value.replaceAll(/"[^"]*"|'[^']*'/g, "").split(",").length - 1;
  return families.length === commas + 1 && families.every((family) => FAMILY.test(family.trim()));
}

/** The families of a `font-family` list in order, unquoted. */
export function splitFamilies(stack: string): readonly string[] {
  return stack
    .split(",")
    .map((family) =>
      family
        .trim()
        .replace(/^["']|["']$/g, "")
        .trim(),
    )
    .filter((family) => family !== "" && !/^var\(/i.test(family));
}

/** Faces that bundlers create from a system font to avoid layout shift when the web font loads. */
const FALLBACK_FACE = /[ _-]fallback(?:[ :_-]|$)/i;

/** The families of a `font-family` list after the first, as people would write them. */
export function fallbackFamilies(stack: string): readonly string[] {
  const rest = splitFamilies(stack).slice(1);
  return rest.filter((family) => !FALLBACK_FACE.test(family) && !family.startsWith("-imprint-"));
}

/** Whether the name refers to a system font and never to a file. */
export function isSystemFamily(family: string): boolean {
  return SYSTEM_NAMES.has(family.toLowerCase());
}

/**
 * Returns a family's name as people would write it: without the hash that Astro, Next.js, and others add
 * (`Heebo-741c5c09cc53d9d5`, `__Inter_d65c78`), and with one name for all notations of the system font.
 */
export function cleanFamily(family: string): string {
  const system = SYSTEM_NAMES.get(family.toLowerCase());
  if (system !== undefined) return system;
  // Next.js writes spaces as underscores; elsewhere an underscore is part of the name: Chicago_12.
  return family
    .replace(/^__(.+?)_(?:Fallback_)?[\da-f]{6,}$/i, (_, name: string) => name.replaceAll("_", " "))
    .replace(/^(.+?)[-_](?=[\da-f]*\d)[\da-f]{8,}$/i, "$1")
    .trim();
}

// A kit has family names without their style. These words occur in the names of the most common serif fonts; an unknown
// name counts as sans serif.

const SERIF =
  /\b(?:serif|slab|antiqua|garamond|baskerville|caslon|bodoni|didot|georgia|times|cambria|palatino|charter|literata|lora|merriweather|playfair|newsreader|fraunces|spectral|crimson|cormorant|cardo|vollkorn|alegreya|bitter|arvo|gelasio|libre caslon|source serif|noto serif|pt serif|ibm plex serif|roboto slab|zilla|domine|gilda|young serif|instrument serif|tiempos|lyon|guardian|et-book|et book|constantia|iowan|superclarendon|clarendon|bookman|rockwell|p052|century|rokkitt|gloock|abril fatface|prata|marcellus|cinzel|noticia text|old standard|frank ruhl|lusitana|quattrocento|rufina|goudy|unna|volkhov|yrsa|amiri|castoro|besley|petrona|piazzolla|inknut|crete round|eczar|enriqueta|glegoo|judson|martel|neuton|podkova|sanchez|tinos|vidaloka|recoleta|minion|sabon|plantin|mrs eaves|hoefler|athelas|cochin|perpetua|bembo|canela|sentinel|archer)\b/i;

/** Whether a family's name suggests a serif font, to choose a fallback. */
export function looksSerif(family: string): boolean {
  return SERIF.test(family) && !/\bsans\b/i.test(family);
}

/** Whether a family's name suggests a monospaced font. */
export function looksMono(family: string): boolean {
  return /\b(?:mono|monospaced?|code|courier|consolas|menlo|monaco|inconsolata|typewriter)\b/i.test(family);
}
