import type { LibraryKind } from "../contract/dialect.ts";

/**
 * What became of one file of a kind in the library:
 * - `served`: pages on any host can load it.
 * - `unusable`: the library took it, and browsers would not load it from a page on another host.
 * - `refused`: the library did not take it.
 * - `missing`: its address answers that it is not there, or not for everybody, which may pass.
 * - `unreachable`: nothing could be read from its address, which may pass.
 */
export interface LibraryFinding {
  readonly kind: "served" | "unusable" | "refused" | "missing" | "unreachable";
  /** What was seen: `served as text/javascript with CORS`, or a clause that says what is missing. */
  readonly why: string;
}

/** How the library treats each kind of file, as one small file of the kind showed. */
export type LibraryFindings = Readonly<Record<LibraryKind, LibraryFinding>>;

/** What came back from the address of a file in the library. */
export interface ServedFile {
  readonly status: number;
  readonly headers: Headers;
  /** Whether the bytes are those that were uploaded. */
  readonly isUnchanged: boolean;
}

/** What a browser sends for a page on a host that is not the library's: a custom domain makes every host one. */
export const PROBE_ORIGIN = "https://imprint-probe.invalid";

/**
 * Judges what browsers do with a file that is served so. Modules want a JavaScript type and CORS, fonts want CORS and
 * have any type, stylesheets want `text/css`, SVG wants its type, and other images are looked at themselves unless they
 * are said to be text that is not to be looked at.
 */
export function judgeServedFile(kind: LibraryKind, file: ServedFile): LibraryFinding {
  if (file.status !== 200) return { kind: "missing", why: `their address in the library answers ${file.status}` };
  const obstacle = OBSTACLES[kind](file);
  if (obstacle !== undefined) return { kind: "unusable", why: obstacle };
  return { kind: "served", why: `served as ${typeOf(file)}${hasCors(file) ? " with CORS" : ""}` };
}

const SCRIPT_TYPE = /^(?:text|application)\/(?:x-)?(?:javascript|ecmascript)$/;

// What has no type of its own is looked at even with `nosniff`.
const IMAGE_TYPE = /^(?:image\/.*|application\/octet-stream)$/;

const OBSTACLES: Readonly<Record<LibraryKind, (file: ServedFile) => string | undefined>> = {
  // A library may make images smaller, so their bytes need not be the same.
  images: (file) => (isLookedAt(file) ? undefined : wrongType(file, IMAGE_TYPE)) ?? keptToItsHost(file),
  drawings: (file) => wrongType(file, /^image\/svg\+xml$/) ?? keptToItsHost(file),
  scripts: (file) => changed(file) ?? wrongType(file, SCRIPT_TYPE) ?? withoutCors(file),
  styles: (file) => changed(file) ?? wrongType(file, /^text\/css$/) ?? keptToItsHost(file),
  fonts: (file) => changed(file) ?? withoutCors(file),
  files: (file) => changed(file),
};

function changed({ isUnchanged }: ServedFile): string | undefined {
  return isUnchanged ? undefined : "the library serves other bytes than it was sent";
}

function wrongType(file: ServedFile, expected: RegExp): string | undefined {
  const type = typeOf(file);
  return expected.test(type) ? undefined : `the library serves them as ${type}, which browsers refuse`;
}

// A web page, such as one that asks to sign in, is no image whatever its bytes are.
function isLookedAt(file: ServedFile): boolean {
  const isSniffed = file.headers.get("x-content-type-options")?.trim().toLowerCase() !== "nosniff";
  return isSniffed && (file.isUnchanged || typeOf(file) !== "text/html");
}

function withoutCors(file: ServedFile): string | undefined {
  return hasCors(file) ? undefined : "the library serves them without Access-Control-Allow-Origin";
}

// Counts for what is loaded without CORS, as images and stylesheets are.
function keptToItsHost({ headers }: ServedFile): string | undefined {
  const policy = headers.get("cross-origin-resource-policy")?.trim().toLowerCase();
  return policy === "same-origin" || policy === "same-site"
    ? `the library keeps them to its own host (Cross-Origin-Resource-Policy: ${policy})`
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
