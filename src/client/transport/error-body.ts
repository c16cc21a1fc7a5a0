import { textOf, type JsonRecord } from "../records/fields.ts";
import { isOnlyFailure, statusesIn } from "../records/reported-failure.ts";
import { decodeReferences } from "../../base/decode-references.ts";
import { isJsonObject, parseJson } from "../../base/json.ts";

/** A field that the service considers invalid. */
export interface FieldError {
  /** Location of the field: a JSON pointer or a name; empty if the service doesn't report it. */
  readonly pointer: string;
  readonly detail: string;
}

/** The content of an error response in any format. */
export interface ErrorBody {
  readonly kind: "json" | "html" | "text" | "empty";
  /** One or two sentences for people; empty if there are none. */
  readonly summary: string;
  readonly problemCode: string | undefined;
  readonly requestId: string | undefined;
  readonly errors: readonly FieldError[];
  /** Standalone names in the body, such as in `{"missing": ["content"]}`, with their key. */
  readonly named: readonly FieldError[];
  /** The scope that is missing according to the service. */
  readonly scope: string | undefined;
}

const MAX_TEXT = 300;
const MAX_ERRORS = 20;
// The error message of an HTML page is near its beginning.
const MOST_READ = 16_384;

/**
 * Parses the body of an error response: problem details (RFC 9457), `{error}`, `{message}`, lists or maps of field
 * errors as common frameworks write them, plain text, or HTML. Never throws.
 */
export function parseErrorBody(body: string): ErrorBody {
  const text = body.trim();
  if (text === "") return plain("empty", "");
  const json = parseJson(text);
  if (json !== undefined) return readJson(json);
  if (isHtml(text)) return plain("html", wordsOfHtml(text));
  return plain("text", /^<[a-z?]/i.test(text) ? wordsOfHtml(text) || tidy(withoutTags(text)) : tidy(text));
}

/**
 * Returns the actual status of a 200 response that reports a failure, such as `{"success": false, "error": {"code":
 * 404}}`: the one given as a number or in words, or else 400. Returns `undefined` if it reports none.
 */
export function statusInBody(json: unknown): number | undefined {
  if (!isOnlyFailure(json)) return undefined;
  const inner = isJsonObject(json.error) ? json.error : {};
  const [named] = [inner, json].flatMap(statusesIn);
  return named ?? statusInWords(readJson(json)) ?? 400;
}

// A message about a part of the request is a rejection of it, whatever else it contains.
const OF_A_PART = /\b(?:field|param|part|body|propert|attribut)/i;

const STATUS_WORDS: readonly (readonly [number, RegExp])[] = [
  [
    503,
    /temporar|try.?(?:again|later)|\bbusy\b|overload|warming up|maintenance|timed?.?out\b|internal.?(?:server.?)?error/i,
  ],
  [429, /too many requests|rate.?limit|slow down/i],
  [401, /unauth(?:ori[sz]ed|enticated)|(?:invalid|bad|unknown|wrong|expired).?(?:api.?)?(?:key|token|credentials)\b/i],
  [403, /forbidden|permission|access.?denied/i],
  [409, /already.?(?:exists|taken|used)|\btaken\b|duplicate/i],
  [413, /too.?large/i],
  [405, /method.?not.?(?:allowed|supported)/i],
  [404, /not.?found|no.?such|\b(?:does not|doesn't) exist|unknown.?(?:route|endpoint|path)/i],
];

function statusInWords({ summary, problemCode = "", errors }: ErrorBody): number | undefined {
  // As in GraphQL, errors may be in a list, also if they aren't about a field.
  const general = errors.filter(({ pointer }) => pointer === "").map(({ detail }) => detail);
  const words = [problemCode, summary, ...general].join(" ");
  return OF_A_PART.test(words) ? undefined : STATUS_WORDS.find(([, named]) => named.test(words))?.[0];
}

/** Whether a text is an HTML document rather than JSON or prose. */
export function isHtml(text: string): boolean {
  return /^\s*(?:<!doctype html|<html|<head|<body|<!--)/i.test(text);
}

const NOTHING = { problemCode: undefined, requestId: undefined, errors: [], named: [], scope: undefined };

function plain(kind: ErrorBody["kind"], summary: string): ErrorBody {
  return { kind, summary, ...NOTHING };
}

function readJson(json: unknown): ErrorBody {
  if (!isJsonObject(json)) return plain("json", typeof json === "string" ? tidy(json) : "");
  const inner = isJsonObject(json.error) ? json.error : json;
  return {
    kind: "json",
    summary: summaryOf(json, inner),
    problemCode: textOf(inner, "code", "errorCode", "type")?.replace(/^about:blank$/, "") || undefined,
    requestId: textOf(json, "requestId", "traceId") ?? textOf(inner, "requestId", "traceId"),
    errors: errorsOf(json, inner).slice(0, MAX_ERRORS),
    named: namesIn(json, { key: "", depth: 0 }).slice(0, MAX_ERRORS),
    scope: textOf(inner, "scope", "requiredScope"),
  };
}

const PROSE_KEYS = /^(?:code|error|errorCode|type|status|title|name|message|msg|id|requestId|traceId|instance)$/;

function namesIn(
  json: unknown,
  { key, depth }: { readonly key: string; readonly depth: number },
): readonly FieldError[] {
  if (depth > 4) return [];
  if (typeof json === "string") {
    const isName = !PROSE_KEYS.test(key) && /^[A-Za-z_][\w.-]{0,59}(?:\[\])?$/.test(json);
    return isName ? [{ pointer: json, detail: key }] : [];
  }
  if (Array.isArray(json)) return json.flatMap((item: unknown) => namesIn(item, { key, depth: depth + 1 }));
  if (!isJsonObject(json)) return [];
  return Object.entries(json).flatMap(([name, value]) => namesIn(value, { key: name, depth: depth + 1 }));
}

function summaryOf(json: JsonRecord, inner: JsonRecord): string {
  const title = textOf(inner, "title", "message", "msg") ?? textOf(json, "message", "error", "errorDescription");
  const detail = textOf(inner, "detail", "description", "errorDescription") ?? textOf(json, "errorDescription");
  const sentences = [title, detail].filter((part) => part !== undefined).map(tidy);
  return [...new Set(sentences)].filter((part) => part !== "").join(" ");
}

// Where common frameworks put what is wrong with single fields.
const ERROR_KEYS =
  /^(?:errors?|details?|fields?|issues|violations|messages?|validation|(?:field|form|validation|model)[-_]?(?:errors|violations)|invalid[-_]?params)$/i;

function errorsOf(json: JsonRecord, inner: JsonRecord): readonly FieldError[] {
  const { error: _, ...outer } = json;
  const errors = (inner === json ? [json] : [inner, outer]).flatMap((record) => listedErrors(record, 0));
  // Some name only fields: `{"slug": ["is too long"]}`.
  if (errors.length > 0 || summaryOf(json, inner) !== "") return errors;
  return (inner === json ? [json] : [inner, json]).flatMap((record) => Object.entries(record).flatMap(namedErrors));
}

function listedErrors(record: JsonRecord, depth: number): readonly FieldError[] {
  const lists = Object.entries(record).filter(([key]) => ERROR_KEYS.test(key));
  return lists.flatMap(([, value]) => fieldErrors(value, depth));
}

const DEEPEST = 3;

function fieldErrors(value: unknown, depth: number): readonly FieldError[] {
  if (depth > DEEPEST) return [];
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown) => {
      const inside = isJsonObject(item) ? listedErrors(item, depth + 1) : [];
      return inside.length > 0 ? inside : fieldError(item);
    });
  }
  if (!isJsonObject(value)) return [];
  const inside = listedErrors(value, depth + 1);
  return inside.length > 0 ? inside : Object.entries(value).flatMap(([name, problem]) => fieldErrorsOf(name, problem));
}

// The value of any other key may be a text of its own.
const DEMAND =
  /^(?:(?:is|field|value)(?: is)? )?(?:required|mandatory|missing)\.?$|^(?:can't|cannot|can not|must not) be (?:blank|empty|null)\.?$|^must be (?:present|set|given|provided|sent)\.?$/i;

function namedErrors([name, problem]: readonly [string, unknown]): readonly FieldError[] {
  if (typeof problem === "string" && DEMAND.test(problem) && !PROSE_KEYS.test(name))
    return fieldErrorsOf(name, problem);
  return Array.isArray(problem) && problem.every((each) => typeof each === "string")
    ? fieldErrorsOf(name, problem)
    : [];
}

const DETAIL_KEYS = ["detail", "message", "msg", "defaultMessage", "reason", "description", "title", "code"];

function fieldError(item: unknown): readonly FieldError[] {
  if (typeof item === "string") return [{ pointer: "", detail: tidy(item) }];
  if (!isJsonObject(item)) return [];
  const detail = textOf(item, ...DETAIL_KEYS);
  return detail === undefined ? [] : [{ pointer: pointerOf(item), detail: tidy(detail) }];
}

function fieldErrorsOf(name: string, problem: unknown): readonly FieldError[] {
  const details = Array.isArray(problem) ? problem : [problem];
  return details.flatMap((detail) =>
    typeof detail === "string" ? [{ pointer: tidy(name), detail: tidy(detail) }] : fieldError(detail),
  );
}

function pointerOf(item: JsonRecord): string {
  const place = item.pointer ?? item.path ?? item.field ?? item.param ?? item.loc ?? item.propertyPath ?? item.name;
  if (isJsonObject(item.source)) return pointerOf(item.source);
  if (Array.isArray(place)) return tidy(`/${place.join("/")}`);
  return typeof place === "string" ? tidy(place) : "";
}

/** Extracts the error message of an HTML page: its title, first heading, and first paragraph, without repetition. */
function wordsOfHtml(html: string): string {
  const parts = ["title", "h1", "p"].map((name) => tidy(textIn(name, html)).replace(/\s+/g, " "));
  const said = parts.reduce<readonly string[]>((kept, part) => {
    if (part === "" || kept.some((other) => other.includes(part))) return kept;
    return [...kept.filter((other) => !part.includes(other)), part];
  }, []);
  const [last = "", ...before] = said.toReversed();
  return tidy([...before.toReversed().map(withStop), last].join(" "));
}

function textIn(name: string, html: string): string {
  const bare = html.slice(0, MOST_READ).replace(/<!--.*?-->|<(script|style|template)\b.*?<\/\1>/gis, " ");
  const texts = [...bare.matchAll(new RegExp(`<${name}\\b[^>]*>(.*?)</${name}>`, "gis"))].map(([, inner = ""]) =>
    withoutTags(inner),
  );
  return texts.find((text) => text !== "") ?? "";
}

function withoutTags(html: string): string {
  return decodeReferences(html.slice(0, MOST_READ).replace(/<[^>]*>/g, " "))
    .replace(/\s+/g, " ")
    .trim();
}

/** Ends a sentence with a period. */
export function withStop(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

// Server text is shown in terminals, so control characters, which could move the cursor or change colors, are removed.
function tidy(text: string): string {
  // oxlint-disable-next-line no-control-regex
  const line = text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").trim();
  return line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line;
}
