import { asCount, fieldOf, type JsonRecord } from "./fields.ts";
import { isJsonObject } from "../../base/json.ts";

// Some hosts respond to every request with 200, and report failures in the body.

/** Whether a response reports an error despite its status. */
export function reportsFailure(json: unknown): boolean {
  if (!isJsonObject(json)) return false;
  if (isFlagged(json) || statusesIn(json).length > 0) return true;
  if (["status", "state", "result"].some((name) => FAILED.test(String(fieldOf(json, name))))) return true;
  return ["error", "errors", "fault"].some((name) => holdsError(fieldOf(json, name)));
}

/** Whether a response reports an error, and contains nothing else. */
export function isOnlyFailure(json: unknown): json is JsonRecord {
  if (!isJsonObject(json) || !reportsFailure(json)) return false;
  return isFlagged(json) || Object.entries(json).every(([name, value]) => value === null || ABOUT_ERRORS.test(name));
}

/** The HTTP statuses that a body names as that of the response. */
export function statusesIn(json: JsonRecord): readonly number[] {
  const named = ["status", "statusCode", "code"].map((name) => asCount(fieldOf(json, name)) ?? 0);
  return named.filter((status) => status >= 400 && status < 600);
}

const FAILED = /^(?:error|fail(?:ed|ure)?|rejected)$/i;

const ABOUT_ERRORS =
  /^(?:errors?|fault|messages?|msg|reason|title|details?|description|code|status|status_?code|success|ok|result|type|name|instance|path|method|timestamp|(?:request|trace|correlation)_?id|error_?(?:code|message|description))$/i;

function isFlagged(json: JsonRecord): boolean {
  const isNo = ["success", "succeeded", "isSuccess", "ok"].some((name) => {
    const value = fieldOf(json, name);
    return value === false || value === 0 || value === "false";
  });
  return isNo || ["isError", "hasError", "hasErrors"].some((name) => fieldOf(json, name) === true);
}

function holdsError(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isJsonObject(value)) return Object.keys(value).length > 0;
  return value !== undefined && value !== false && value !== "" && value !== 0;
}
