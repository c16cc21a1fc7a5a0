import type { ImprintError } from "../base/error.ts";
import { failureOf } from "./transport/outcome.ts";
import { speaksOfRoom } from "./transport/room-words.ts";

const STATUSES: ReadonlySet<number> = new Set([402, 403, 409, 413, 422]);

/** Whether a service refused a new page or file because the account is full. */
export function isOutOfRoom(error: ImprintError): boolean {
  const { status, problemCode, said = "", isFixedLimit } = failureOf(error) ?? {};
  if (status === 507 || problemCode === "limit_reached" || isFixedLimit === true) return true;
  return status !== undefined && STATUSES.has(status) && speaksOfRoom(said);
}
