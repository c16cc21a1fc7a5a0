import type { LibraryKind } from "../contract/dialect.ts";
import type { PlainHead } from "./transport/plain.ts";

/**
 * Result for one file of a kind in the library:
 * - `served`: pages on any host can load it.
 * - `unusable`: the library accepted it, but browsers wouldn't load it from a page on another host.
 * - `refused`: the library rejected it.
 * - `missing`: its address responds that it doesn't exist or isn't public, which may be temporary.
 * - `unreachable`: nothing could be read from its address, which may be temporary.
 */
export interface LibraryFinding {
  readonly kind: "served" | "unusable" | "refused" | "missing" | "unreachable";
  /** What was observed: `served as text/javascript with CORS`, or a clause about what is missing. */
  readonly why: string;
  /** Status of a refusal. */
  readonly status?: number | undefined;
}

/** How the library treats each kind of file, based on one small file per kind. */
export type LibraryFindings = Readonly<Record<LibraryKind, LibraryFinding>>;

/** The response from a file's address in the library. */
export interface ServedFile extends PlainHead {
  /** Its bytes, compared with those that were uploaded. */
  readonly content: ServedContent;
}

/** `cut` if they end early, `emptied` for a drawing that draws nothing anymore. */
export type ServedContent = "as sent" | "cut" | "emptied" | "changed";

/** Compares a file with what was uploaded. */
export function compareContent(kind: LibraryKind, sent: Uint8Array, served: Uint8Array): ServedContent {
  if (Buffer.compare(sent, served) === 0) return "as sent";
  if (served.length < sent.length && Buffer.compare(sent.subarray(0, served.length), served) === 0) return "cut";
  return kind === "drawings" && draws(sent) && !draws(served) ? "emptied" : "changed";
}

// The elements of SVG 2 that paint something.
function draws(drawing: Uint8Array): boolean {
  const text = new TextDecoder().decode(drawing);
  return /<(?:\w+:)?(?:path|rect|circle|ellipse|line|polyline|polygon|text|image|use|foreignObject)\b/.test(text);
}

/** The `Origin` of a page on a host other than the library's. With custom domains, every host is one. */
export const PROBE_ORIGIN = "https://imprint-probe.invalid";

/**
 * Determines what browsers do with a file served this way. Modules require a JavaScript type and CORS, fonts require
 * CORS with any type, style sheets require `text/css`, and SVG requires its type. Other images are sniffed unless they
 * are declared as text with `nosniff`.
 */
export function classifyServedFile(kind: LibraryKind, file: ServedFile): LibraryFinding {
  if (file.status !== 200) return { kind: "missing", why: `their address in the library returns ${file.status}` };
  const obstacle = OBSTACLES[kind](file);
  if (obstacle !== undefined) return { kind: "unusable", why: obstacle };
  return { kind: "served", why: `served as ${typeOf(file)}${hasCors(file) ? " with CORS" : ""}` };
}

const SCRIPT_TYPE = /^(?:text|application)\/(?:x-)?(?:javascript|ecmascript)$/;

// Files without a specific type are sniffed even with `nosniff`.
const IMAGE_TYPE = /^(?:image\/.*|application\/octet-stream)$/;

const OBSTACLES: Readonly<Record<LibraryKind, (file: ServedFile) => string | undefined>> = {
  // A library may compress images, so their bytes may differ.
  images: (file) => broken(file) ?? (isLookedAt(file) ? undefined : wrongType(file, IMAGE_TYPE)) ?? keptToItsHost(file),
  drawings: (file) => broken(file) ?? wrongType(file, /^image\/svg\+xml$/) ?? keptToItsHost(file),
  scripts: (file) => changed(file) ?? wrongType(file, SCRIPT_TYPE) ?? withoutCors(file),
  styles: (file) => changed(file) ?? wrongType(file, /^text\/css$/) ?? keptToItsHost(file),
  fonts: (file) => changed(file) ?? withoutCors(file),
  files: (file) => changed(file),
};

function broken({ content }: ServedFile): string | undefined {
  if (content === "cut") return "the library serves only the beginning of each file";
  return content === "emptied" ? "the library removes what they draw" : undefined;
}

function changed(file: ServedFile): string | undefined {
  if (file.content === "as sent") return undefined;
  return broken(file) ?? "the library changes their content";
}

function wrongType(file: ServedFile, expected: RegExp): string | undefined {
  const type = typeOf(file);
  return expected.test(type) ? undefined : `the library serves them as ${type}, which browsers reject`;
}

// A web page, such as a sign-in page, isn't an image whatever its bytes.
function isLookedAt(file: ServedFile): boolean {
  const isSniffed = file.headers.get("x-content-type-options")?.trim().toLowerCase() !== "nosniff";
  return isSniffed && (file.content === "as sent" || typeOf(file) !== "text/html");
}

function withoutCors(file: ServedFile): string | undefined {
  return hasCors(file) ? undefined : "the library serves them without Access-Control-Allow-Origin";
}

// Applies to what is loaded without CORS, such as images and style sheets.
function keptToItsHost({ headers }: ServedFile): string | undefined {
  const policy = headers.get("cross-origin-resource-policy")?.trim().toLowerCase();
  return policy === "same-origin" || policy === "same-site"
    ? `the library allows them only on its own host (Cross-Origin-Resource-Policy: ${policy})`
    : undefined;
}

function hasCors({ headers }: ServedFile): boolean {
  const allowed = headers.get("access-control-allow-origin")?.trim();
  return allowed === "*" || allowed === PROBE_ORIGIN;
}

function typeOf({ headers }: ServedFile): string {
  const [type = ""] = headers.get("content-type")?.split(";") ?? [];
  return type.trim().toLowerCase() || "a file without a type";
}
