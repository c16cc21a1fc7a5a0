import type { ImprintError } from "../base/error.ts";
import { failureOf } from "./transport/outcome.ts";

const STATUSES: ReadonlySet<number> = new Set([402, 403, 409, 413, 422]);

// Matches text about the account or the number of pages, but not about the size of this page or file.
const SPEAKS_OF_ROOM = new RegExp(
  [
    String.raw`\bquota\b`,
    String.raw`\bpage (?:limit|quota|count)\b`,
    String.raw`\b(?:account|plan|storage|workspace|library|disk)\b.{0,40}\b(?:limit|maximum|full|exceed\w*|exhausted|allows|at most)\b`,
    String.raw`\b(?:limit of|at most|up to|more than|too many|maximum(?: number)? of|number of|holds?)\s(?:\d+\s)?(?:\w+\s)?pages\b`,
    String.raw`\bno (?:more )?(?:space|room)\b`,
  ].join("|"),
  "i",
);

/** Whether a service refused a new page or file because the account is full. */
export function isOutOfRoom(error: ImprintError): boolean {
  const { status, problemCode, said = "" } = failureOf(error) ?? {};
  if (status === 507 || problemCode === "limit_reached") return true;
  return status !== undefined && STATUSES.has(status) && SPEAKS_OF_ROOM.test(said);
}
