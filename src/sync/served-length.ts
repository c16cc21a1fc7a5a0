import { isFile, sizeOf } from "../base/bytes.ts";
import { pollUntil, SHOWN_AFTER_MS } from "../base/poll-until.ts";
import type { Asset, ImprintApi, Visit } from "../client/api.ts";
import type { SiteAsset } from "../site/model.ts";
import type { ApplyContext, PreparedAsset } from "./apply.ts";
import { isWithinLag } from "./lateness.ts";
import { NOT_AS_SENT, type State } from "./state.ts";

// A library may keep only a part of a file, or other bytes, and accept it all the same.

/** What is known of the library in a run. */
export interface LibraryReading {
  /** Set once nothing responded at the address of a file, as may be the case for all of them. */
  readonly library: {
    isUnreachable?: boolean;
    /** Size of the largest image that was found to be whole. A library that cuts files cuts the large ones. */
    largestImage?: number;
  };
}

type ReadingContext = Pick<ApplyContext, "api" | "clock" | "signal" | "readsImages"> & LibraryReading;

/**
 * Returns what a library serves in place of a file that was just uploaded, as a reason not to use it; `undefined` if
 * the file is whole, or if that can't be seen from here.
 */
export async function findLack(
  { contentType, bytes }: Pick<PreparedAsset, "contentType" | "bytes">,
  address: string,
  { api, clock, signal, library, readsImages = false }: ReadingContext,
): Promise<string | undefined> {
  if (api.capabilities.account !== undefined || library.isUnreachable === true) return undefined;
  const from = api.capabilities.pagesAt;
  const sent = sizeOf(bytes);
  const isImage = contentType.startsWith("image/");
  if (isImage && (readsImages || sent <= (library.largestImage ?? 0))) return undefined;
  const look = async (): Promise<string | undefined> => {
    const visit = await api.visit(address, { signal, from, reads: "length" });
    if (visit === undefined) library.isUnreachable = true;
    if (visit?.status !== 200 || visit.length === sent || isPageInPlace(visit, contentType)) return undefined;
    const lack = describeLength(visit.length, sent);
    if (isKeptExactly(contentType)) return lack;
    // It may be made smaller, or converted.
    if (isFile(bytes) || visit.length > sent) return undefined;
    const served = (await api.visit(address, { signal, from }))?.bytes;
    return served !== undefined && isBeginning(served, bytes) ? lack : undefined;
  };
  const lack = await pollUntil(look, {
    isEnough: (lack) => lack === undefined,
    pausesMs: SHOWN_AFTER_MS,
    sleep: (ms) => clock.sleep(ms, signal),
  });
  if (isImage && lack === undefined) library.largestImage = Math.max(sent, library.largestImage ?? 0);
  return lack;
}

/** Where to find files of the library again. */
interface ReviewContext {
  readonly api: Pick<ImprintApi, "visit" | "capabilities">;
  readonly state: Pick<State, "refused" | "uploadedAt">;
  readonly clock: Pick<ApplyContext["clock"], "now">;
  /** Whether the list of the library may lack files that it has. */
  readonly isPartial: boolean;
  /** Whether the memory of earlier uploads is lost. */
  readonly isRecovered: boolean;
}

/** Files of the library that pages may use, and why they may not use others. */
interface ReviewedFiles {
  readonly whole: ReadonlyMap<string, Asset>;
  /** By hash. A file that is to be uploaded again has none. */
  readonly refused: State["refused"];
}

/**
 * Checks whether files are served whole by now that weren't before, and, after a loss of memory, files that nobody
 * converts. One that was deleted from the library is uploaded again.
 */
export async function reviewFiles(
  found: ReadonlyMap<string, Asset>,
  assets: ReadonlyMap<string, SiteAsset>,
  { api, state, clock, isPartial, isRecovered }: ReviewContext,
): Promise<ReviewedFiles> {
  const whole = new Map(found);
  const refused = { ...state.refused };
  const isGone = (hash: string) => !found.has(hash) && !isPartial && !isWithinLag(state.uploadedAt, clock);
  const review = async (asset: SiteAsset): Promise<void> => {
    const { hash, contentType } = asset;
    const refusal = state.refused[hash];
    const lack = refusal?.startsWith(NOT_AS_SENT) === true ? refusal : undefined;
    if (lack !== undefined && isGone(hash)) delete refused[hash];
    const expected = lack === undefined ? lengthAsSent(asset) : readLengths(lack);
    const stored = found.get(hash);
    const isNeedless = (lack === undefined && !isRecovered) || api.capabilities.account !== undefined;
    if (stored === undefined || expected === undefined || isNeedless) return;
    const visit = await api.visit(stored.url, { from: api.capabilities.pagesAt, reads: "length" });
    const length = visit?.status === 200 && !isPageInPlace(visit, contentType) ? visit.length : undefined;
    if (length !== undefined && isWhole(length, expected, contentType)) delete refused[hash];
    else if (length !== undefined) refused[hash] = describeLength(length, expected.sent);
    if (refused[hash]?.startsWith(NOT_AS_SENT) === true) whole.delete(hash);
  };
  await Promise.all([...assets.values()].map(review));
  return { whole, refused };
}

/** Returns what a review found that isn't remembered yet, by hash. */
export function findLacks(
  refused: State["refused"],
  remembered: Pick<State, "refused">,
): readonly (readonly [string, string])[] {
  return Object.entries(refused).filter(
    ([hash, reason]) => reason.startsWith(NOT_AS_SENT) && remembered.refused[hash] !== reason,
  );
}

/** Lengths in bytes. */
interface Lengths {
  readonly sent: number;
  /** What readers got before. */
  readonly served?: number;
}

function lengthAsSent({ source, contentType }: SiteAsset): Lengths | undefined {
  return source.kind === "file" && isKeptExactly(contentType) ? { sent: source.bytes } : undefined;
}

function readLengths(lack: string): Lengths | undefined {
  const [, served, sent] = LENGTHS.exec(lack) ?? [];
  return sent === undefined ? undefined : { sent: Number(sent), served: Number(served) };
}

function isWhole(length: number, { sent, served = 0 }: Lengths, contentType: string): boolean {
  return length === sent || (!isKeptExactly(contentType) && length > served);
}

const LENGTHS = /readers get (\d+) bytes instead of (\d+)/;

function describeLength(served: number, sent: number): string {
  return `${NOT_AS_SENT}: readers get ${served} bytes instead of ${sent}`;
}

/** Whether files of a type have the same length wherever they are: nobody minifies or converts them in passing. */
export function isKeptExactly(contentType: string): boolean {
  if (contentType.startsWith("font/")) return true;
  return contentType.startsWith("application/") && !/[/+-](?:xml|json|javascript|ecmascript|gzip)$/.test(contentType);
}

// Such as a form to sign in with.
function isPageInPlace({ contentType: served = "" }: Visit, contentType: string): boolean {
  return served.startsWith("text/html") && !contentType.startsWith("text/html");
}

function isBeginning(served: Uint8Array, sent: Uint8Array): boolean {
  return served.length < sent.length && Buffer.compare(served, sent.subarray(0, served.length)) === 0;
}
