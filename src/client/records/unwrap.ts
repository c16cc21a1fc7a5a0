import { ImprintError } from "../../base/error.ts";
import { fieldOf, isRecord, type JsonRecord } from "./fields.ts";

/** What a parser is told beside the answer. */
export interface RecordContext {
  readonly baseUrl: string;
  /** Where it was asked: `PUT /api/pages/:slug`. */
  readonly from: string;
  /** Takes the key out of a text; a service may echo it anywhere. */
  readonly redact: (text: string) => string;
}

const WRAPPERS = ["data", "result", "item", "record"];

/**
 * Finds the record in an answer: the answer itself, or what it holds under `data`, the record's own name or another
 * usual wrapper, also as a list of one. `fits` tells a record from a wrapper.
 */
export function findRecord<Found>(
  json: unknown,
  { record, fits }: { readonly record: string; readonly fits: (candidate: JsonRecord) => Found | undefined },
): Found | undefined {
  for (const candidate of candidates(json, { record, depth: 0 })) {
    const found = fits(candidate);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Whether an answer to a write says nothing of the record beyond that it worked: an empty body, `{"ok": true}`,
 * `"created"`.
 */
export function saysNothing(json: unknown): boolean {
  if (json === undefined || json === null || json === true) return true;
  if (typeof json === "string") return json.length <= 60;
  if (!isRecord(json) || saysFailure(json)) return false;
  return Object.entries(json).every(
    ([name, value]) => ACKNOWLEDGEMENTS.test(name) || isEmpty(value) || (name === "code" && typeof value === "number"),
  );
}

const ACKNOWLEDGEMENTS =
  /^(?:ok|success|succeeded|status|message|msg|result|created|updated|published|done|request_?id|trace_?id|timestamp)$/i;

function isEmpty(value: unknown): boolean {
  return value === null || (isRecord(value) && Object.keys(value).length === 0);
}

/** Whether an answer speaks of an error in spite of its status. */
export function saysFailure(json: unknown): boolean {
  if (!isRecord(json)) return false;
  const [error, errors] = [fieldOf(json, "error"), fieldOf(json, "errors")];
  const hasErrors = Array.isArray(errors) ? errors.length > 0 : errors !== undefined;
  if (/^(?:error|fail(?:ed|ure)?|rejected)$/i.test(String(json.status))) return true;
  return (error !== undefined && error !== false) || hasErrors || json.success === false || json.ok === false;
}

/** Throws for an answer that speaks of an error, or that is something else than an answer to a write. */
export function refuseFailure(
  { json, context }: { readonly json: unknown; readonly context: RecordContext },
  wanted: string,
): void {
  const isOther = Array.isArray(json) ? json.length !== 1 : typeof json === "number" || json === false;
  if (saysFailure(json) || isOther) throw unreadable(wanted, { ...context, json });
}

/** The error for an answer in which `wanted` was not found. */
export function unreadable(
  wanted: string,
  { json, from, redact }: RecordContext & { readonly json: unknown },
): ImprintError {
  const message = `The answer to ${from} holds no ${wanted}; ${shapeOf(json)}.`;
  return new ImprintError("RESPONSE_UNREADABLE", redact(message));
}

// What a JSON value looks like, without its content.
function shapeOf(json: unknown): string {
  if (json === undefined) return "it is empty";
  if (Array.isArray(json)) return `it is a list of ${json.length}`;
  if (!isRecord(json)) return `it is ${json === null ? "null" : `a ${typeof json}`}`;
  const names = Object.keys(json).filter((name) => /^[\w$.-]{1,60}$/.test(name));
  return names.length === 0 ? "it has no fields" : `its fields are ${names.slice(0, 12).join(", ")}`;
}

function* candidates(
  json: unknown,
  { record, depth }: { readonly record: string; readonly depth: number },
): Generator<JsonRecord> {
  const [only] = Array.isArray(json) && json.length === 1 ? json : [json];
  if (!isRecord(only)) return;
  // JSON:API keeps all fields but the id under `attributes`.
  yield isRecord(only.attributes) ? { ...only.attributes, ...only } : only;
  if (depth === 2) return;
  for (const name of [record, ...WRAPPERS, `${record}s`]) {
    yield* candidates(fieldOf(only, name), { record, depth: depth + 1 });
  }
}
