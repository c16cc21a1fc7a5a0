import { setTimeout as wait } from "node:timers/promises";
import { ImprintError, messageOf } from "../base/error.ts";
import type { Asset, CallOptions, ImprintApi } from "./api.ts";
import { judgeServedFile, PROBE_ORIGIN } from "./library-findings.ts";
import type { LibraryFinding, LibraryFindings } from "./library-findings.ts";
import { PROBE_FILES } from "./probe-files.ts";
import type { ProbeFile } from "./probe-files.ts";
import { failureOf } from "./transport/outcome.ts";
import { sendPlainly } from "./transport/plain-fetch.ts";

/**
 * Finds out what pages can load from the library: uploads one tiny file of each kind, unless an earlier probing left it
 * there, and reads each back from its address as a page on another host would. Takes one listing, at most six uploads
 * and six reads.
 *
 * A kind that the library refuses is a finding. Throws what stands in the way of every upload: a rejected key, a
 * service that can't be reached or that fails.
 */
export async function probeLibrary(api: ImprintApi, { signal }: CallOptions = {}): Promise<LibraryFindings> {
  const { items } = await api.assets.list({}, { signal });
  const present = new Map(items.map((asset) => [asset.name, asset]));
  const { images, drawings, scripts, styles, fonts, files } = PROBE_FILES;
  const probe = (file: ProbeFile) => probeFile(file, { api, present: present.get(file.name), signal });
  const [image, drawing, script, style, font, other] = await Promise.all([
    probe(images),
    probe(drawings),
    probe(scripts),
    probe(styles),
    probe(fonts),
    probe(files),
  ]);
  return { images: image, drawings: drawing, scripts: script, styles: style, fonts: font, files: other };
}

const IMAGES_ONLY: LibraryFinding = { kind: "refused", why: "the library takes images only" };

interface ProbeContext {
  readonly api: ImprintApi;
  /** The file where the library has it already. */
  readonly present: Asset | undefined;
  readonly signal: AbortSignal | undefined;
}

async function probeFile(file: ProbeFile, context: ProbeContext): Promise<LibraryFinding> {
  // The other route set of the same service may have put the file there.
  if (context.api.capabilities.assetTypes === "images" && !file.contentType.startsWith("image/")) return IMAGES_ONLY;
  let asset: Asset;
  try {
    asset = context.present ?? (await upload(file, context));
  } catch (error) {
    return refusalOf(error);
  }
  return readBack(asset.url, { file, signal: context.signal });
}

// Without the signal: what is on the way when a run is interrupted is finished.
function upload({ name, contentType, bytes }: ProbeFile, { api }: ProbeContext): Promise<Asset> {
  const options = { idempotencyKey: `imprint-asset-${name}`, repeat: "always" } as const;
  return api.assets.upload({ name, contentType, bytes }, options);
}

function refusalOf(error: unknown): LibraryFinding {
  const isRefusal =
    error instanceof ImprintError && (error.code === "SERVICE_REFUSED" || error.code === "NOT_SUPPORTED");
  const status = failureOf(error)?.status;
  // Every file of a probe is tiny: who calls one too large says nothing about its kind.
  if (!isRefusal || status === 413) throw error;
  return { kind: "refused", why: `the library does not take them (it answers ${status})` };
}

// What was just uploaded may take a moment until every part of a large service shows it.
const READ_ATTEMPTS = 3;
const READ_PAUSE_MS = 400;
const READ_TIMEOUT_MS = 10_000;

interface Reading {
  readonly file: ProbeFile;
  readonly signal: AbortSignal | undefined;
}

async function readBack(address: string, reading: Reading): Promise<LibraryFinding> {
  for (let attempt = 1; ; attempt++) {
    const finding = await readOnce(address, reading);
    if (finding.kind !== "unreachable" || attempt === READ_ATTEMPTS) return finding;
    await wait(READ_PAUSE_MS * attempt, undefined, { signal: reading.signal }).catch(() => refuseAborted(reading));
  }
}

// Without the key: the address is not necessarily on the service's own host.
async function readOnce(address: string, reading: Reading): Promise<LibraryFinding> {
  const { file, signal } = reading;
  const timeout = AbortSignal.timeout(READ_TIMEOUT_MS);
  try {
    const { status, headers, bytes } = await sendPlainly(address, {
      headers: { origin: PROBE_ORIGIN },
      redirect: "follow",
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    return judgeServedFile(file.kind, { status, headers, isUnchanged: Buffer.from(bytes).equals(file.bytes) });
  } catch (error) {
    refuseAborted(reading);
    return { kind: "unreachable", why: `their address in the library can't be read from here (${messageOf(error)})` };
  }
}

function refuseAborted({ signal }: Reading): void {
  if (signal?.aborted === true) throw new ImprintError("ABORTED", "The library was being asked how it serves files.");
}
