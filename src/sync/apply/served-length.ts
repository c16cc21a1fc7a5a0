import { isFile, sizeOf } from "../../base/bytes.ts";
import { pollUntil, SHOWN_AFTER_MS } from "../../base/poll-until.ts";
import type { Visit } from "../../client/api.ts";
import type { ApplyContext, PreparedAsset } from "../apply.ts";
import { NOT_AS_SENT } from "../state.ts";

// A library may keep only a part of a file, or other bytes, and accept it all the same. Pictures are read with the
// first page.

/** What is known of the library in a run. */
export interface LibraryReading {
  /** Set once nothing responded at the address of a file, as may be the case for all of them. */
  readonly library: { isUnreachable?: boolean };
}

/**
 * Returns what a library serves in place of a file that was just uploaded, as a reason not to use it; `undefined` if
 * the file is whole, or if that can't be seen from here.
 */
export async function findLack(
  { contentType, bytes }: Pick<PreparedAsset, "contentType" | "bytes">,
  address: string,
  { api, clock, signal, library }: Pick<ApplyContext, "api" | "clock" | "signal"> & LibraryReading,
): Promise<string | undefined> {
  const isNeedless = api.capabilities.account !== undefined || contentType.startsWith("image/");
  if (isNeedless || library.isUnreachable === true) return undefined;
  const from = api.capabilities.pagesAt;
  const sent = sizeOf(bytes);
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
  return await pollUntil(look, {
    isEnough: (lack) => lack === undefined,
    pausesMs: SHOWN_AFTER_MS,
    sleep: (ms) => clock.sleep(ms, signal),
  });
}

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
