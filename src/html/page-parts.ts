import type { Dialect, RemovablePart } from "../contract/dialect.ts";

/** Parts of pages that some hosts remove, or that browsers don't show because of a policy of the host. */
export type PagePart = "scripts" | RemovablePart;

const SCRIPT = /<script(?![^>]*type=["']?(?:application\/|text\/(?:plain|template)|speculationrules|importmap))[\s>]/i;

const PARTS: Readonly<Record<PagePart, RegExp>> = {
  scripts: SCRIPT,
  styles: /<style[\s>]|<link\s[^>]*\bstylesheet\b/i,
  frames: /<iframe[\s>]/i,
  forms: /<form[\s>]/i,
  drawings: /<svg[\s>]/i,
  images: /<img[\s>]/i,
};

const OTHERS = ["styles", "frames", "forms", "drawings", "images"] as const satisfies readonly RemovablePart[];
const ALL = ["scripts", ...OTHERS] as const;

/** Returns the parts of a page that some hosts remove. */
export function partsOf(html: string): readonly PagePart[] {
  return ALL.filter((part) => PARTS[part].test(html));
}

/**
 * Returns the parts of a page that were sent but aren't shown. Scripts are counted individually, since hosts add their
 * own.
 */
export function removedParts(sent: string, shown: string): readonly PagePart[] {
  const [before, after] = [withoutComments(sent), withoutComments(shown)];
  const gone = OTHERS.filter((part) => PARTS[part].test(before) && !PARTS[part].test(after));
  return countScripts(shown) < countScripts(sent) ? ["scripts", ...gone] : gone;
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

export function withoutComments(html: string): string {
  return html.replace(/<!--.*?-->/gs, "");
}

function countScripts(html: string): number {
  return html.match(/<script[\s>]/gi)?.length ?? 0;
}
