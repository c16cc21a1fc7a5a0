import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { ImprintError, messageOf } from "../base/error.ts";
import { sha256 } from "../base/hash.ts";
import type { LibraryKind } from "../contract/dialect.ts";
import { probeFileName } from "../contract/probe-file.ts";
import type { Asset, CallOptions, ImprintApi } from "./api.ts";
import {
  classifyServedFile,
  compareContent,
  PROBE_ORIGIN,
  type LibraryFinding,
  type LibraryFindings,
} from "./library-findings.ts";
import { quoted } from "./transport/errors.ts";
import { failureOf } from "./transport/outcome.ts";
import { refererOf, sendPlainly } from "./transport/plain.ts";

/** A tiny file that shows how the library treats its kind. */
interface ProbeFile {
  readonly kind: LibraryKind;
  /** Includes the hash of the bytes, by which a later probe finds it again. */
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** What probing found, and what it had to leave behind. */
export interface ProbedLibrary {
  readonly findings: LibraryFindings;
  /** Names of probe files that remain in the library because the service can't delete them or refused to. */
  readonly left: readonly string[];
}

/**
 * Determines what pages can load from the library: uploads one tiny file of each kind, unless an earlier probe left it
 * there, reads each from its address as a page on another host would, and deletes it again if the route set supports
 * that. Takes one listing and at most six uploads, six reads, and six deletions.
 *
 * A rejected kind is a finding, even if all of them are rejected. Throws errors that prevent every upload: a rejected
 * key, or a service that is unreachable or fails.
 */
export async function probeLibrary(api: ImprintApi, { signal }: CallOptions = {}): Promise<ProbedLibrary> {
  const present = await findPresent(api, { signal });
  const files = new Map<string, Asset>();
  const probe = async (file: ProbeFile): Promise<readonly [LibraryKind, LibraryFinding]> => {
    const finding = await probeFile(file, { api, present: present.get(file.name), files, signal });
    return [file.kind, finding];
  };
  const { images, ...others } = PROBE_FILES;
  try {
    // Every library accepts an image. With it, the client learns the upload format once.
    const found = [await probe(images), ...(await Promise.all(Object.values(others).map(probe)))];
    return { findings: Object.fromEntries(found) as LibraryFindings, left: await removeFiles(files, api) };
  } catch (error) {
    await removeFiles(files, api);
    throw error;
  }
}

// Files left behind by an earlier probe. A refused list says nothing about uploads.
async function findPresent(api: ImprintApi, options: CallOptions): Promise<ReadonlyMap<string, Asset>> {
  try {
    const { items } = await api.assets.list({}, options);
    return new Map(items.flatMap((asset) => (asset.name === undefined ? [] : [[asset.name, asset]])));
  } catch (error) {
    if (isRefusal(error)) return new Map();
    throw error;
  }
}

// Doesn't take the signal: uploaded files must be removed even if a run is interrupted.
async function removeFiles(files: ReadonlyMap<string, Asset>, api: ImprintApi): Promise<readonly string[]> {
  const left = await Promise.all(
    [...files].map(async ([name, { id }]) => {
      if (!api.capabilities.operations.has("assets.delete")) return [name];
      try {
        await api.assets.delete(id, { ifUsed: "refuse" });
        return [];
      } catch {
        return [name];
      }
    }),
  );
  return left.flat();
}

const IMAGES_ONLY: LibraryFinding = { kind: "refused", why: "the library accepts only images" };

interface ProbeContext {
  readonly api: ImprintApi;
  /** The file, if the library already has it. */
  readonly present: Asset | undefined;
  /** Files of the probe that are in the library, by the names they were sent with. */
  readonly files: Map<string, Asset>;
  readonly signal: AbortSignal | undefined;
}

async function probeFile(file: ProbeFile, context: ProbeContext): Promise<LibraryFinding> {
  const { api, present, files, signal } = context;
  // The other route set of the same service may have stored the file there.
  if (api.capabilities.assetTypes === "images" && !file.contentType.startsWith("image/")) return IMAGES_ONLY;
  let asset: Asset;
  try {
    asset = present ?? (await upload(file, api));
  } catch (error) {
    return refusalOf(error);
  }
  files.set(file.name, asset);
  return readLibraryFile(asset.url, { ...file, signal });
}

// Doesn't take the signal: a request in flight when a run is interrupted is finished. The key is always new, since a
// service may replay a used one with a file that has since been deleted.
function upload({ name, contentType, bytes }: ProbeFile, api: ImprintApi): Promise<Asset> {
  const options = { idempotencyKey: `imprint-probe-${randomUUID()}`, repeat: "always" } as const;
  return api.assets.upload({ name, contentType, bytes }, options);
}

function refusalOf(error: unknown): LibraryFinding {
  if (error instanceof ImprintError && error.code === "RESPONSE_UNREADABLE") {
    return { kind: "unusable", why: "the library accepts them, but its response doesn't contain their address" };
  }
  if (!isRefusal(error)) throw error;
  const failure = failureOf(error);
  const { status, said } = failure ?? {};
  return { kind: "refused", why: `the library refuses them (${status}${quoted(said)})`, status };
}

function isRefusal(error: unknown): boolean {
  const isCode =
    error instanceof ImprintError && ["SERVICE_REFUSED", "NOT_SUPPORTED", "AREA_REFUSED"].includes(error.code);
  // Every probe file is tiny, so calling one too large says nothing about its kind.
  return isCode && failureOf(error)?.status !== 413;
}

// A new upload may take a moment to be visible on every part of a large service.
const READ_ATTEMPTS = 3;
const READ_PAUSE_MS = 400;
const READ_TIMEOUT_MS = 10_000;

interface Reading extends Pick<ProbeFile, "kind" | "bytes"> {
  /** The page that loads it. */
  readonly from?: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Reads a file of the library as a page on another host would, and determines what browsers do with it. */
export async function readLibraryFile(address: string, reading: Reading): Promise<LibraryFinding> {
  for (let attempt = 1; ; attempt++) {
    const finding = await readOnce(address, reading);
    const mayPass = finding.kind === "unreachable" || finding.kind === "missing";
    if (!mayPass || attempt === READ_ATTEMPTS) return finding;
    await wait(READ_PAUSE_MS * attempt, undefined, { signal: reading.signal }).catch(() => refuseAborted(reading));
  }
}

// Doesn't send the key, since the address may not be on the service's own host.
async function readOnce(address: string, reading: Reading): Promise<LibraryFinding> {
  const { kind, bytes: sent, from, signal } = reading;
  const timeout = AbortSignal.timeout(READ_TIMEOUT_MS);
  try {
    const { status, headers, bytes } = await sendPlainly(address, {
      headers: { origin: PROBE_ORIGIN, ...refererOf(from) },
      redirect: "follow",
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    return classifyServedFile(kind, { status, headers, content: compareContent(kind, sent, bytes) });
  } catch (error) {
    refuseAborted(reading);
    return { kind: "unreachable", why: `their address in the library can't be read from here (${messageOf(error)})` };
  }
}

function refuseAborted({ signal }: Reading): void {
  if (signal?.aborted === true)
    throw new ImprintError("ABORTED", "The run was interrupted while checking how the library serves files.");
}

const WHO = "astro-imprint asks how this library serves its files";

// One dot.
const IMAGE = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";

const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><title>${WHO}</title></svg>\n`;

// A complete font, "Imprint Probe", in which A is a triangle. Browsers load it.
const FONT =
  "d09GMgABAAAAAAEoAAoAAAAAApQAAADgAAEAAAAAAAAAAAAAAAAAAAAAAAAAAAAABmAALMoeATYCJAMIywYEIAWBEAcgG+EBAB4F7p6GSRk/w9D2c7FGqHSef1v+zn0zv3RLVq1EKIIF24VCSeKRukqUJL41cxsNTGUhmw0uWk2aRGGI8HJoE0HW8tLJIZ0D8UAjKfBIDh7gBdtSKVTIHT1Gr5xIlQl6XqIJdVMJOYHnivUFCJzCeJ0npPH/IW30hEBeaoyCaIK1bkTXBUf//0n/H4X7qyIJvnxRt7+gIFzflcvOvWrtGQDgx8xcgeAx8oJsALHyQl4AO0HxTQlQ0B1o0hdiQI+yNaAb7P92as+xYLlg2B52CY5GRar7pgq7dZqjbxQAAAA=";

export const PROBE_FILES: Readonly<Record<LibraryKind, ProbeFile>> = {
  images: tinyFile("images", { ending: "png", contentType: "image/png", bytes: Buffer.from(IMAGE, "base64") }),
  drawings: tinyFile("drawings", { ending: "svg", contentType: "image/svg+xml", bytes: text(DRAWING) }),
  scripts: tinyFile("scripts", {
    ending: "js",
    contentType: "text/javascript",
    bytes: text(`export default "${WHO}";\n`),
  }),
  styles: tinyFile("styles", { ending: "css", contentType: "text/css", bytes: text(`/* ${WHO} */\n`) }),
  fonts: tinyFile("fonts", { ending: "woff2", contentType: "font/woff2", bytes: Buffer.from(FONT, "base64") }),
  files: tinyFile("files", { ending: "xml", contentType: "text/xml", bytes: text(`<!-- ${WHO} --><probe/>\n`) }),
};

function tinyFile(
  kind: LibraryKind,
  { ending, ...file }: { readonly ending: string; readonly contentType: string; readonly bytes: Uint8Array },
): ProbeFile {
  return { kind, name: probeFileName(sha256(file.bytes), ending), ...file };
}

function text(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}
