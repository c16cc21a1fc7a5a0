import { findAttribute } from "../../html/attributes.ts";
import { applyEdits } from "../../html/edits.ts";
import type { HtmlElement } from "../../html/tree.ts";
import { findSrcsetAddresses } from "../../html/address-texts.ts";
import { setAttribute, type PageDraft } from "./page-draft.ts";
import { placeFile, resolveTarget, type FileWish } from "./targets.ts";

/** Attributes by element that load one file. */
export const MEDIA_SOURCES: Readonly<Record<string, readonly string[]>> = {
  img: ["src"],
  source: ["src"],
  video: ["src", "poster"],
  audio: ["src"],
  track: ["src"],
  input: ["src"],
  embed: ["src"],
  object: ["data"],
  image: ["href", "xlink:href"],
  feimage: ["href", "xlink:href"],
  body: ["background"],
};

export const MEDIA_TAGS: readonly string[] = Object.keys(MEDIA_SOURCES);

/** Images, video, audio and whatever else an element loads by itself: from the library. */
export function rewriteMedia(element: HtmlElement, draft: PageDraft): void {
  const wish: FileWish = {
    // `<source type>` names the type, which a re-encoded file has to keep.
    optimize: findAttribute(element, "type") === undefined ? "any-type" : "same-type",
    alt: element.tagName === "img" ? findAttribute(element, "alt") : undefined,
  };
  for (const name of MEDIA_SOURCES[element.tagName] ?? []) rewriteSource(element, draft, { name, wish });
  if (element.tagName === "img" || element.tagName === "source") {
    rewriteSrcset(element, draft, { name: "srcset", wish });
  }
}

interface SourceAttribute {
  readonly name: string;
  readonly wish: FileWish;
}

export function rewriteSource(element: HtmlElement, draft: PageDraft, { name, wish }: SourceAttribute): void {
  const address = findAttribute(element, name);
  if (address === undefined) return;
  const value = placeAddress(element, draft, { address, wish });
  if (value !== undefined) setAttribute(draft, element, { name, value });
}

export function rewriteSrcset(element: HtmlElement, draft: PageDraft, { name, wish }: SourceAttribute): void {
  const srcset = findAttribute(element, name);
  if (srcset === undefined) return;
  const edits = findSrcsetAddresses(srcset).flatMap(({ address, start, end }) => {
    const text = placeAddress(element, draft, { address, wish });
    return text === undefined ? [] : [{ start, end, text }];
  });
  if (edits.length > 0) setAttribute(draft, element, { name, value: applyEdits(srcset, edits) });
}

function placeAddress(
  element: HtmlElement,
  draft: PageDraft,
  { address, wish }: { readonly address: string; readonly wish: FileWish },
): string | undefined {
  const target = resolveTarget(draft, element, address);
  return target.kind === "file" ? placeFile(draft, element, { ...target, ...wish }) : undefined;
}
