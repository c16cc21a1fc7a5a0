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

type ListTools = Pick<RewriteTools, "site" | "settings">;

/** Whether this many files can be listed in what requests them. */
export function areFew(paths: readonly string[], ask: Pick<Ask, "isFetched" | "isGuess">, tools: ListTools): boolean {
  return paths.length * BYTES_OF_AN_ENTRY + inlineBytes(paths, ask, tools) <= maxBytes(ask);
}

/** Why they can't be listed, and what to do. */
export function describeTooMany(
  paths: readonly string[],
  ask: Pick<Ask, "isFetched" | "isGuess">,
  tools: ListTools,
): { readonly why: string; readonly advice: string } {
  if (inlineBytes(paths, ask, tools) <= paths.length * BYTES_OF_AN_ENTRY)
    return { why: "too many to list in the page", advice: "Write out the addresses that it needs." };
  const advice = `Such files may have ${maxBytes(ask) / 1024} KiB together.`;
  return { why: "too large to embed in the page", advice };
}

function maxBytes({ isGuess }: Pick<Ask, "isGuess">): number {
  return isGuess === true ? MAX_INLINE_BYTES : MAX_FOLDER_BYTES;
}

/** Size of the files that the library doesn't take. */
function inlineBytes(paths: readonly string[], ask: Pick<Ask, "isFetched">, { site, settings }: ListTools): number {
  if (settings.placement.files === "library") return 0;
  const inline = paths.filter((path) => !isShown(path, ask));
  return inline.reduce((sum, path) => sum + (site.files.get(path)?.bytes ?? 0), 0);
}

/** Whether it is an image loaded by an element, which any library accepts. */
export function isShown(path: string, { isFetched }: Pick<Ask, "isFetched">): boolean {
  return !isFetched && kindOf(contentTypeOf(path)) === "image";
}
