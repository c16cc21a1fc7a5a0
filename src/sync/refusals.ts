import { ImprintError } from "../base/error.ts";
import type { ErrorCode } from "../base/error-table.ts";

const REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  "AREA_REFUSED",
  "NOT_SUPPORTED",
  "PLAN_REQUIRED",
  "SERVICE_REFUSED",
  "SERVICE_WRONG_ADDRESS",
]);

/** Whether an error says that the service does not have an area, or does not take from this key what was sent. */
export function isAreaRefusal(error: unknown): error is ImprintError {
  return error instanceof ImprintError && REFUSALS.has(error.code);
}
