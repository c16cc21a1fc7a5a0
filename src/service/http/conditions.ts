import type { RequestHeaders } from "./request.ts";
import { ProblemError } from "./problem.ts";

/** The `ETag` of a record's version. */
export function versionTag(version: number): string {
  return `"v${version}"`;
}

/** Whether an `If-None-Match` header names the tag, so that the answer is 304. */
export function isFresh(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === "*") return true;
  return ifNoneMatch.split(",").some((candidate) => candidate.trim().replace(/^W\//, "") === tag);
}

/** What `If-Match` and `If-None-Match: *` of a request that writes ask for; `undefined` where nothing is asked. */
export function readPreconditions(headers: RequestHeaders): Preconditions {
  const ifMatch = headers.get("If-Match");
  const ifAbsent = headers.get("If-None-Match")?.trim() === "*";
  return { ifMatch: ifMatch === null ? undefined : parseVersions(ifMatch), ifAbsent };
}

function parseVersions(header: string): readonly number[] | "any" {
  if (header.trim() === "*") return "any";
  // A weak or foreign tag never matches (RFC 9110, 13.1.1), which an empty list says.
  const versions = header.split(",").flatMap((tag) => /^\s*"v(\d{1,15})"\s*$/.exec(tag)?.[1] ?? []);
  if (versions.length === 0 && !header.includes('"')) {
    throw new ProblemError("version_mismatch", { detail: 'Send the version as a quoted tag: `If-Match: "v3"`.' });
  }
  return versions.map(Number);
}

/** What a request asks of the record as it is now. */
export interface Preconditions {
  /** Versions of which one has to be in force; `any`: there has to be a record. */
  readonly ifMatch?: readonly number[] | "any" | undefined;
  /** There must not be a record yet. */
  readonly ifAbsent?: boolean;
}

/** Throws `version_mismatch` or `already_exists` when the record is not as the request asks for. */
export function checkPreconditions(
  { ifMatch, ifAbsent }: Preconditions,
  record: { readonly version: number } | undefined,
): void {
  if (ifAbsent === true && record !== undefined) {
    throw new ProblemError("already_exists", { members: { version: record.version } });
  }
  if (ifMatch === undefined) return;
  const isMet = record !== undefined && (ifMatch === "any" || ifMatch.includes(record.version));
  if (isMet) return;
  throw new ProblemError("version_mismatch", {
    detail: record === undefined ? "There is no record yet." : `The record has version ${record.version}.`,
    members: record === undefined ? {} : { version: record.version },
  });
}
