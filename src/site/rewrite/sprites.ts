import { onceEach } from "../../base/once-each.ts";
import { findAttribute } from "../../html/attributes.ts";
import { parseHtml } from "../../html/parse.ts";
import { visitElements } from "../../html/tree.ts";
import type { Edit } from "../../html/edits.ts";
import { readSiteText } from "../read-file.ts";
import { MAX_INLINE_BYTES } from "./data-files.ts";
import { warn, type AttributePlace, type PageDraft } from "./page-draft.ts";
import { resolveTarget } from "./targets.ts";
import { resolveIn, type TextContext } from "./text-context.ts";

/**
 * `<use href="/icons.svg#star">`: browsers don't show symbols from another host, so the symbol is added to the page.
 */
export function rewriteUse(address: string, { element, draft }: AttributePlace): string | undefined {
  const [, fragment = ""] = /#(.+)$/s.exec(address) ?? [];
  if (fragment === "" || address.startsWith("#")) return undefined;
  const target = resolveTarget(draft, element, address);
  if (target.kind !== "file") return undefined;
  if (!symbolsOf(draft.context)(target.path).has(fragment)) {
    warn(draft, element, { code: "missing-file", message: `${target.path} has no symbol "${fragment}".` });
    return undefined;
  }
  draft.sprites.set(target.path, (draft.sprites.get(target.path) ?? new Set()).add(fragment));
  return `#${fragment}`;
}

// A script's reference to a symbol in a file: `"/icons.svg#star"`, including concatenated ones.
const SPRITE = /(?<=["'`=])(?:https?:\/\/[\w.:-]+)?\/(?!\/)[^"'`\s\\<>$?#]{1,500}\.svg(?=#)/g;

export interface ScriptSprite {
  readonly path: string;
  /** Keeps the fragment, which identifies the symbol in the page. */
  readonly edit: Edit;
}

/** Finds the files whose symbols a script shows, which its pages must contain. Larger files are skipped. */
export function findScriptSprites(context: TextContext): readonly ScriptSprite[] {
  const { text, site } = context;
  if (!text.includes(".svg#")) return [];
  return Array.from(text.matchAll(SPRITE)).flatMap(({ index: start, 0: address }) => {
    const target = resolveIn(context, address);
    if (target.kind !== "file" || (site.files.get(target.path)?.bytes ?? 0) > MAX_INLINE_BYTES) return [];
    const isSprite = readSiteText(site.root, target.path).includes("<symbol");
    return isSprite ? [{ path: target.path, edit: { start, end: start + address.length, text: "" } }] : [];
  });
}

/** Adds all symbols of the files to the page, since its scripts may show any of them. */
export function useSprites(draft: PageDraft, paths: Iterable<string>): void {
  for (const path of paths) {
    const symbols = [...symbolsOf(draft.context)(path)].filter(([, source]) => source.startsWith("<symbol"));
    const known = draft.sprites.get(path) ?? [];
    draft.sprites.set(path, new Set([...known, ...symbols.map(([name]) => name)]));
  }
}

/** Renders the symbols that the page shows, hidden at its end. */
export function renderSprites(draft: PageDraft, offset: number): readonly Edit[] {
  const symbols = [...draft.sprites].flatMap(([path, names]) => {
    const known = symbolsOf(draft.context)(path);
    return [...withReferences(names, known)].map((name) => known.get(name) ?? "");
  });
  if (symbols.length === 0) return [];
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" style="position:absolute" aria-hidden="true">${symbols.join("")}</svg>`;
  return [{ start: offset, end: offset, text }];
}

/** Adds the gradients and parts that a symbol references. */
function withReferences(names: Iterable<string>, known: ReadonlyMap<string, string>): ReadonlySet<string> {
  const wanted = new Set(names);
  for (const name of wanted) {
    for (const [, url, href] of (known.get(name) ?? "").matchAll(/url\(["']?#([^)"']+)|href=["']#([^"']+)/g)) {
      const reference = url ?? href ?? "";
      if (known.has(reference)) wanted.add(reference);
    }
  }
  return wanted;
}

/** Finds the source of every element with an `id` in an SVG file, by that `id`. */
const symbolsOf = onceEach(({ site }: PageDraft["context"]) => {
  const known = new Map<string, ReadonlyMap<string, string>>();
  return (path: string) => {
    const symbols = known.get(path) ?? readSymbols(readSiteText(site.root, path));
    known.set(path, symbols);
    return symbols;
  };
});

function readSymbols(svg: string): ReadonlyMap<string, string> {
  const symbols = new Map<string, string>();
  visitElements(parseHtml(svg), (element) => {
    const name = findAttribute(element, "id");
    const { source } = element;
    if (name !== undefined && source !== undefined) symbols.set(name, svg.slice(source.start, source.end));
  });
  return symbols;
}
