import { contentTypeOf, kindOf } from "../content-type.ts";
import { CUES, hasParts } from "./file-parts.ts";
import type { Ask } from "./script-asks.ts";
import type { RewriteTools } from "./text-context.ts";

/**
 * Maximum size of a file that is embedded in a page if the library doesn't accept it. Small enough not to slow a page
 * down.
 */
export const MAX_INLINE_BYTES = 64 * 1024;
/** Maximum total size of files that are embedded together: those of one computed address, or a file with its parts. */
export const MAX_FOLDER_BYTES = 256 * 1024;

/** Warns about a file that neither the library nor a page can hold. The plan explains why and what to do. */
export function describeKept(path: string) {
  return { code: "file-kept", message: `${path} is not published.`, target: `/${path}` } as const;
}

/** Whether files of a type are read by scripts rather than displayed. */
export function isData(contentType: string): boolean {
  return (
    (hasParts(contentType) && contentType !== CUES) ||
    /^(?:application\/(?:[\w.+-]*json|[\w.+-]*xml|[\w.+-]*yaml|wasm)|text\/(?!css|javascript|vtt))/.test(contentType)
  );
}

// Path and address of a file in the library.
const BYTES_OF_AN_ENTRY = 150;

/** Whether this many files can be listed in what requests them. */
export function areFew(
  paths: readonly string[],
  ask: Pick<Ask, "isFetched" | "isGuess">,
  { site, settings }: Pick<RewriteTools, "site" | "settings">,
): boolean {
  const bytes = paths.map((path) => {
    const isInLibrary = settings.placement.files === "library" || isShown(path, ask);
    return BYTES_OF_AN_ENTRY + (isInLibrary ? 0 : (site.files.get(path)?.bytes ?? 0));
  });
  return bytes.reduce((sum, each) => sum + each, 0) <= (ask.isGuess === true ? MAX_INLINE_BYTES : MAX_FOLDER_BYTES);
}

/** Whether it is an image loaded by an element, which any library accepts. */
export function isShown(path: string, { isFetched }: Pick<Ask, "isFetched">): boolean {
  return !isFetched && kindOf(contentTypeOf(path)) === "image";
}
