import { decodeAttribute } from "../../base/decode-references.ts";
import { onceEach } from "../../base/once-each.ts";
import { findAttribute } from "../../html/attributes.ts";
import { parseHtml } from "../../html/parse.ts";
import { visitElements, type HtmlElement } from "../../html/tree.ts";
import type { Edit } from "../../html/edits.ts";
import { contentTypeOf, kindOf } from "../content-type.ts";
import { readSiteText } from "../read-file.ts";
import { placeAsset } from "./assets.ts";
import { MAX_INLINE_BYTES } from "./data-limits.ts";
import { useAssets, warn, type AttributePlace, type PageDraft } from "./page-draft.ts";
import { resolveTarget } from "./targets.ts";
import { resolveIn, type TextContext } from "./text-context.ts";

/** `<use href="/icons.svg#star">` shows a part of a drawing, and without a fragment all of it. */
export function rewriteUse(address: string, place: AttributePlace): string | undefined {
  return /^\s*(?:#|$)/.test(address) ? undefined : showPart(address, place);
}

/**
 * Adds the part of a drawing that an address names to the page, because browsers don't show parts of a file from
 * another host. Returns its address there; `undefined` if the address stays.
 */
export function showPart(
  address: string,
  { element, draft }: Pick<AttributePlace, "element" | "draft">,
): string | undefined {
  const target = resolveTarget(draft, element, address);
  if (target.kind !== "file") return undefined;
  const drawing = drawingsOf(draft.context)(target.path);
  const [, name = drawing.root] = /#(.+)$/s.exec(address) ?? [];
  if (name === undefined) return undefined;
  if (!drawing.parts.has(name)) {
    warn(draft, element, { code: "missing-file", message: `${target.path} has no symbol "${name}".` });
    return undefined;
  }
  return `#${claim(name, draft, target.path)}`;
}

/** Returns the ID of a part in the page, another one if its own is taken there, after claiming those it refers to. */
function claim(name: string, draft: PageDraft, path: string): string {
  const { parts } = drawingsOf(draft.context)(path);
  const names = draft.sprites.get(path) ?? new Map<string, string>();
  draft.sprites.set(path, names);
  const wanted = new Set([name]);
  for (const each of wanted) {
    if (!names.has(each)) names.set(each, isTaken(each, draft) ? `${each}-${nameOf(path)}` : each);
    for (const [, , reference = ""] of (parts.get(each)?.source ?? "").matchAll(REFERENCE))
      if (parts.has(reference)) wanted.add(reference);
  }
  return names.get(name) ?? name;
}

const REFERENCE = /(url\(["']?#|href=["']#)([^)"']+)/g;
const NAME = new RegExp(String.raw`((?<=\s)id=["']|${REFERENCE.source.slice(1)}`, "g");

function nameOf(path: string): string {
  return path.replace(/\W+/g, "-");
}

function isTaken(name: string, draft: PageDraft): boolean {
  return ownNames(draft).has(name) || [...draft.sprites.values()].some((names) => [...names.values()].includes(name));
}

/** The IDs in the page itself. */
const ownNames = onceEach(
  ({ html }: PageDraft) => new Set(Array.from(html.matchAll(/\sid\s*=\s*["']?([^"'\s>]+)/g), ([, name = ""]) => name)),
);

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

/** Adds all symbols of the files to the page under their own names, since its scripts may show any of them. */
export function useSprites(draft: PageDraft, paths: Iterable<string>): void {
  for (const path of paths) {
    const names = draft.sprites.get(path) ?? new Map<string, string>();
    draft.sprites.set(path, names);
    for (const [name, { source }] of drawingsOf(draft.context)(path).parts) {
      if (!source.startsWith("<symbol")) continue;
      if (!names.has(name)) names.set(name, name);
      claim(name, draft, path);
    }
  }
}

/** Renders the symbols that the page shows, hidden at its end. */
export function renderSprites(draft: PageDraft, offset: number): readonly Edit[] {
  const symbols = [...draft.sprites].flatMap(([path, names]) => {
    const { parts } = drawingsOf(draft.context)(path);
    return [...names.keys()].flatMap((name) => {
      const part = parts.get(name);
      const isContained = part === undefined || part.around.some((other) => other !== name && names.has(other));
      return isContained ? [] : [placeImages(rename(part.source, names), path, draft)];
    });
  });
  if (symbols.length === 0) return [];
  const text = `<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" style="position:absolute" aria-hidden="true">${symbols.join("")}</svg>`;
  return [{ start: offset, end: offset, text }];
}

function rename(source: string, names: ReadonlyMap<string, string>): string {
  return source.replace(NAME, (_, opening: string, name: string) => opening + (names.get(name) ?? name));
}

const IMAGE = /(?<=<(?:fe)?image\s(?:[^>]*\s)?(?:xlink:)?href=(["']))[^"'#][^"']*(?=\1)/gi;

/** Places the images that a part loads, whose addresses are relative to its own file. */
function placeImages(source: string, file: string, draft: PageDraft): string {
  return source.replace(IMAGE, (address) => {
    const target = draft.context.addresses.resolve(decodeAttribute(address), file);
    if (target.kind !== "file" || kindOf(contentTypeOf(target.path)) !== "image") return address;
    const placed = placeAsset(target.path, { assets: draft.context.assets, usedIn: draft.page.file });
    useAssets(draft, placed.assets);
    return placed.address;
  });
}

interface Drawing {
  /** The ID of the drawing as a whole; `undefined` if the file is something else. */
  readonly root: string | undefined;
  /** Every element with an ID, and the drawing, by that ID. */
  readonly parts: ReadonlyMap<string, Part>;
}

interface Part {
  readonly source: string;
  /** The IDs of the parts that contain it. */
  readonly around: readonly string[];
}

const drawingsOf = onceEach(({ site }: PageDraft["context"]) => {
  const known = new Map<string, Drawing>();
  return (path: string) => {
    const drawing = known.get(path) ?? readDrawing(readSiteText(site.root, path), path);
    known.set(path, drawing);
    return drawing;
  };
});

function readDrawing(svg: string, path: string): Drawing {
  const parts = new Map<string, Part>();
  const idsAround = new Map<HtmlElement | undefined, readonly string[]>();
  let root: string | undefined;
  visitElements(parseHtml(svg), (element) => {
    const { source, parent } = element;
    const around = idsAround.get(parent) ?? [];
    idsAround.set(element, around);
    if (source === undefined) return;
    const isRoot = root === undefined && element.tagName === "svg";
    const name = findAttribute(element, "id");
    if (isRoot) root = name ?? nameOf(path);
    const id = isRoot ? root : name;
    if (id === undefined) return;
    idsAround.set(element, [...around, id]);
    const text = svg.slice(source.start, source.end);
    parts.set(id, { source: name === undefined ? text.replace("<svg", `<svg id="${id}"`) : text, around });
  });
  return { root, parts };
}
