import { ProblemError } from "./problem-error.ts";

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
