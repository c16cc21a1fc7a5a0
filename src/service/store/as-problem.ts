import { systemCodeOf } from "../../base/error.ts";
import type { Logger } from "../../base/log.ts";
import type { ProblemCode } from "../../contract/problems.ts";
import { RESTORE_HINT } from "../../contract/readiness.ts";
import { ProblemError } from "../http/problem.ts";
import { isDamageCode } from "./damage.ts";
import { sqlStateOf } from "./postgres/sql-state.ts";
import { sqliteCodeOf } from "./sqlite.ts";
import { StoreLostError } from "./store-lost-error.ts";

/** Converts anything thrown to a problem. Unexpected errors become `internal` and reveal nothing. */
export function asProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  const code = storageProblem(error) ?? "internal";
  return new ProblemError(code, {
    cause: error,
    ...(code === "unavailable" && { headers: { "Retry-After": "1" } }),
    ...(code === "storage_damaged" && { detail: RESTORE_HINT }),
  });
}

/** Converts an error to the problem of a failed request, and logs unexpected ones. */
export function logProblem(error: unknown, requestId: string, logger: Logger): ProblemError {
  const problem = asProblem(error);
  if (problem.code === "internal") {
    logger.error(`Request ${requestId} failed: ${error instanceof Error ? error.message : "unknown"}`);
  }
  return problem;
}

/** Waits for a side write of a request. Ignores failures of read-only storage, so that reads still succeed. */
export async function whereWritable(note: Promise<unknown>): Promise<void> {
  try {
    await note;
  } catch (error) {
    if (!["storage_damaged", "storage_full"].includes(storageProblem(error) ?? "")) throw error;
  }
}

// BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN
const SQLITE_PROBLEMS: Readonly<Record<number, ProblemCode>> = {
  5: "unavailable",
  6: "unavailable",
  8: "storage_full",
  10: "storage_full",
  13: "storage_full",
  14: "storage_full",
};

const SYSTEM_PROBLEMS: Readonly<Record<string, ProblemCode>> = {
  ENOSPC: "storage_full",
  EDQUOT: "storage_full",
  EROFS: "storage_full",
  EACCES: "storage_full",
  EPERM: "storage_full",
  ENOTDIR: "storage_full",
  EMFILE: "unavailable",
};

// disk_full, data_corrupted, index_corrupted
const POSTGRES_PROBLEMS: Readonly<Record<string, ProblemCode>> = {
  "53100": "storage_full",
  XX001: "storage_damaged",
  XX002: "storage_damaged",
};

function storageProblem(error: unknown): ProblemCode | undefined {
  if (error instanceof ProblemError) return error.code;
  if (error instanceof StoreLostError) return "unavailable";
  const state = sqlStateOf(error);
  if (state !== undefined) return POSTGRES_PROBLEMS[state];
  const sqliteCode = sqliteCodeOf(error);
  if (sqliteCode !== undefined) return isDamageCode(sqliteCode) ? "storage_damaged" : SQLITE_PROBLEMS[sqliteCode];
  const code = systemCodeOf(error);
  return code === undefined ? undefined : SYSTEM_PROBLEMS[code];
}
