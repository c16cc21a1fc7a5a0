import type { Dialect, RemovablePart } from "../contract/dialect.ts";
import { lacksFields, lacksFrames, lacksImages, lacksLinks, lacksScripts, lacksStyles } from "./own-parts.ts";
import { lacksCanonical, lacksLanguage, lacksLineBreaks, lacksTitle } from "./replaced-parts.ts";

/** Parts of pages that some hosts remove, or that browsers don't show because of a policy of the host. */
export type PagePart = "scripts" | RemovablePart;

const SCRIPT = /<script(?![^>]*type=["']?(?:application\/|text\/(?:plain|template)|speculationrules|importmap))[\s>]/i;

const WHOLE_PAGE = /<(?:html|head|body)[\s>]/i;

const PARTS: Readonly<Record<PagePart, RegExp>> = {
  scripts: SCRIPT,
  styles: /<style[\s>]|<link\s[^>]*\bstylesheet\b/i,
  frames: /<iframe[\s>]/i,
  forms: /<form[\s>]/i,
  drawings: /<svg[\s>]/i,
  // With an address that a browser loads without a script.
  images: /<img\s(?:[^>]*[\s"'])?src(?:set)?\s*=/i,
  tables: /<table[\s>]/i,
  media: /<(?:video|audio)[\s>]/i,
  buttons: /<button[\s>]/i,
  details: /<details[\s>]/i,
  embeds: /<(?:object|embed)[\s>]/i,
  // Only a policy takes them alone.
  fonts: /@font-face\b/i,
  robots: /<meta\s(?=[^>]*\bname\s*=\s*["']?robots)[^>]*\bnoindex/i,
  links: /<a\s[^>]*href\s*=\s*["']?[^#"'\s>]/i,
  ids: /<[a-z][^>]*\sid\s*=/i,
  classes: /<[a-z][^>]*\sclass\s*=/i,
  redirects: /<meta\s[^>]*http-equiv\s*=\s*["']?refresh/i,
  anchors: /<a\s[^>]*href\s*=\s*["']?#\w/i,
  language: /<html\s[^>]*\blang\s*=/i,
  titles: /<title[\s>]/i,
  // Any page may be listed by search engines.
  canonical: WHOLE_PAGE,
  indexing: WHOLE_PAGE,
  code: /<pre[\s>]/i,
};

/** What each page with such a part contains, which is found in a fraction of the time. */
const HINTS: Readonly<Partial<Record<PagePart, RegExp>>> = {
  ids: /\sid\s*=/i,
  classes: /\sclass\s*=/i,
  redirects: /http-equiv/i,
  anchors: /#/,
};

// Nothing else stands for them on a page, so each that is missing was removed. Hosts add some of their own.
const COUNTED = ["tables", "media", "buttons", "details", "embeds"] as const satisfies readonly RemovablePart[];
const REMOVED = [
  ...(["styles", "frames", "forms", "drawings", "images", "links", "ids", "classes", "redirects", "robots"] as const),
] satisfies readonly RemovablePart[];
// What hosts replace by their own.
const REPLACED = ["language", "titles", "canonical", "indexing", "code"] as const satisfies readonly RemovablePart[];
const ALL = ["scripts", ...REMOVED, ...COUNTED, ...REPLACED, "fonts", "anchors"] as const;

/** Parts that a page of their own is tried with, if the home page lacks them. */
export const TRIED_PARTS: ReadonlySet<PagePart> = new Set([
  ...(["scripts", "styles", "frames", "forms", "drawings"] as const),
  ...COUNTED,
]);

/** Returns the parts of a page that some hosts remove. */
export function partsOf(html: string): readonly PagePart[] {
  return ALL.filter((part) => HINTS[part]?.test(html) !== false && hasPart(part, html));
}

// A page that only leads on is no page for search engines, whatever else it has.
function hasPart(part: PagePart, html: string): boolean {
  if (part === "indexing" && PARTS.robots.test(html)) return false;
  return PARTS[part].test(html) && (!FOR_SEARCH.has(part) || !PARTS.redirects.test(html));
}

const FOR_SEARCH: ReadonlySet<PagePart> = new Set(["robots", "titles", "canonical", "indexing"]);

/**
 * Returns the parts of a page that were sent but aren't shown, or don't work as shown.
 *
 * @param address where readers get it, if known
 */
export function removedParts(sent: string, shown: string, address?: string): readonly PagePart[] {
  const [before, after] = [withoutComments(sent), withoutComments(shown)];
  const gone = REMOVED.filter((part) => hasPart(part, before) && isGone(part, before, after));
  const [elements, shownElements] = [withoutScripts(before), withoutScripts(after)];
  const fewer = COUNTED.filter((part) => countPart(part, shownElements) < countPart(part, elements));
  const isBaseAdded = BASE.test(after) && !BASE.test(before) && PARTS.anchors.test(before);
  return [
    ...(countScripts(shown) < countScripts(sent) || lacksScripts(before, after) ? (["scripts"] as const) : []),
    ...gone,
    ...fewer,
    ...REPLACED.filter((part) => hasPart(part, elements) && IS_REPLACED[part](elements, shownElements, address)),
    ...(isBaseAdded ? (["anchors"] as const) : []),
  ];
}

function isGone(part: RemovablePart, sent: string, shown: string): boolean {
  if (PARTS[part].test(shown)) return LACKS_OWN[part]?.(sent, shown) ?? false;
  // A host that delays images adds the script that loads them.
  return part !== "images" || countScripts(shown) <= countScripts(sent) || !/<img\s/i.test(shown);
}

const LACKS_OWN: Partial<Readonly<Record<RemovablePart, (sent: string, shown: string) => boolean>>> = {
  styles: lacksStyles,
  frames: lacksFrames,
  forms: lacksFields,
  images: lacksImages,
  links: lacksLinks,
};

const IS_REPLACED: Readonly<
  Record<(typeof REPLACED)[number], (sent: string, shown: string, address: string | undefined) => boolean>
> = {
  language: lacksLanguage,
  titles: lacksTitle,
  canonical: lacksCanonical,
  indexing: (_, shown) => PARTS.robots.test(shown),
  code: lacksLineBreaks,
};

function countPart(part: RemovablePart, html: string): number {
  return html.match(new RegExp(PARTS[part], "gi"))?.length ?? 0;
}

const BASE = /<base\s[^>]*href/i;

/** Returns the parts that a host is known to remove from pages. */
export function knownRemoved({ scripts, removes = [] }: Dialect): readonly PagePart[] {
  return [...(scripts === undefined ? [] : ["scripts" as const]), ...removes];
}

/** Returns the dialect of a host that removes these parts from pages. */
export function removedDialect(
  removed: readonly PagePart[],
  { removes = [] }: Dialect,
): Pick<Dialect, "scripts" | "removes"> {
  const others = new Set([...removes, ...removed.filter((part) => part !== "scripts")]);
  return {
    ...(removed.includes("scripts") ? { scripts: "removed" } : {}),
    ...(others.size > 0 ? { removes: [...others] } : {}),
  };
}

/** Returns the dialect of a host that no longer removes these parts. */
export function restoredDialect(
  restored: readonly PagePart[],
  { scripts, removes = [] }: Dialect,
): Pick<Dialect, "scripts" | "removes"> {
  const left = removes.filter((part) => !restored.includes(part));
  return {
    scripts: restored.includes("scripts") ? undefined : scripts,
    removes: left.length === 0 ? undefined : left,
  };
}

export function withoutComments(html: string): string {
  return html.replace(/<!--.*?-->/gs, "");
}

function withoutScripts(html: string): string {
  return html.replace(/<script\b.*?<\/script/gis, "");
}

function countScripts(html: string): number {
  return html.match(/<script[\s>]/gi)?.length ?? 0;
}
