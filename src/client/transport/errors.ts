import { ImprintError, type ErrorCode } from "../../base/error.ts";
import { isJsonObject, parseJson } from "../../base/json.ts";
import type { Scope } from "../../contract/scopes.ts";
import { isHtml, parseErrorBody, withStop, type ErrorBody } from "./error-body.ts";
import { RequestFailure, type RequestFacts } from "./outcome.ts";
import { readQuota } from "./quota.ts";
import { speaksOfFixedLimit } from "./room-words.ts";
import { isSignInPage, isSignInPath } from "./sign-in-page.ts";

/** The failed request, for messages. */
export interface Target {
  readonly baseUrl: string;
  /** Method and path: `PUT /api/pages/home`. */
  readonly request: string;
  /** Whether the path identifies one record, which may be missing; the path of a list always exists. */
  readonly namesRecord: boolean;
  readonly credential: "key" | "login";
}

/** A failed attempt with its explanation, not yet thrown. Its texts may still contain the key. */
export interface Failed {
  readonly error: ErrorCode;
  readonly hint?: string;
  readonly facts: RequestFacts;
}

/** Creates the error that a call throws. */
export function createRequestError(failed: Failed, redact: (text: string) => string): ImprintError {
  const { error, hint, facts } = failed;
  const { message, problemCode, requestId, said, fields } = facts;
  const cause = new RequestFailure({
    ...facts,
    message: redact(message),
    ...(said === undefined ? {} : { said: redact(said) }),
    ...(fields === undefined
      ? {}
      : { fields: fields.map(({ pointer, detail }) => ({ pointer: redact(pointer), detail: redact(detail) })) }),
    ...(problemCode === undefined ? {} : { problemCode: redact(problemCode) }),
    ...(requestId === undefined ? {} : { requestId: redact(requestId) }),
  });
  return new ImprintError(error, cause.message, { cause, ...(hint === undefined ? {} : { hint: redact(hint) }) });
}

export interface ErrorAnswer {
  /** What the response means. */
  readonly status: number;
  /** The status that it has, if another: its body reports the failure. */
  readonly sent?: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
  readonly retryAfterMs: number | undefined;
}

/** Explains a response with a status of 300 or higher. */
export function readErrorAnswer(answer: ErrorAnswer, target: Target): Failed {
  const { headers } = answer;
  if (answer.status < 400) return redirected(answer, target);
  const body = parseErrorBody(answer.text);
  const status = isRateLimit(answer, body) ? 429 : answer.status;
  const retryAfterMs = answer.retryAfterMs ?? (status === 429 ? untilReset(headers) : undefined);
  const requestId = body.requestId ?? headers.get("x-request-id") ?? headers.get("request-id");
  const isFixedLimit = status === 429 && isAboutPlan(answer, body);
  const { error, said, hint } = explain(
    { status, sent: answer.sent ?? answer.status, headers, body, retryAfterMs, isFixedLimit },
    target,
  );
  const message = [said, ...wordsOf(body), requestId === undefined ? "" : `Request id: ${requestId}`]
    .filter((part) => part !== "")
    .map(withStop)
    .join(" ");
  const { problemCode } = body;
  const own = { said: wordsOf(body).map(withStop).join(" "), fields: [...body.errors, ...body.named] };
  const limit = isFixedLimit ? { isFixedLimit } : {};
  const facts = { message, status, problemCode, requestId, retryAfterMs, ...own, ...limit };
  return { error, facts: { ...facts, stage: "answered" }, hint };
}

// GitHub's API, among others, limits requests with 403.
function isRateLimit({ status, headers, retryAfterMs }: ErrorAnswer, body: ErrorBody): boolean {
  if (status !== 403) return false;
  const isUsedUp = readQuota(headers)?.left === 0;
  return retryAfterMs !== undefined || isUsedUp || /\brate.?limit|too many requests/i.test(wordsOf(body).join(" "));
}

/** Time until a window ends in which nothing is left, in milliseconds. */
function untilReset(headers: ErrorAnswer["headers"]): number | undefined {
  const quota = readQuota(headers);
  return quota?.left === 0 ? quota.resetMs : undefined;
}

// Services that limit requests say when to return, or how many are left.
function isAboutPlan({ headers, retryAfterMs }: ErrorAnswer, body: ErrorBody): boolean {
  return retryAfterMs === undefined && readQuota(headers) === undefined && speaksOfFixedLimit(wordsOf(body).join(" "));
}

/** Some services respond to an invalid key as they would without one. */
export const KEY_HINT =
  "The address may be correct, but the API key rejected: create a new key in the service's dashboard, and try again.";

/** Explains a successful response that isn't JSON. */
export function readStrangeAnswer({ status, headers, text }: ErrorAnswer, target: Target): Failed {
  const requestId = headers.get("x-request-id");
  const facts = { stage: "answered", status, ...(requestId === undefined ? {} : { requestId }) } as const;
  if (isHtml(text) || headers.get("content-type")?.startsWith("text/html") === true) {
    const isSignIn = isSignInPage(text);
    // The page may say why, such as "Scheduled maintenance until 14:00".
    const page = isSignIn ? "its sign-in page" : `a web page instead of JSON${quoted(parseErrorBody(text).summary)}`;
    const message = `${target.baseUrl} responded to ${target.request} with ${page}.`;
    const hint = isSignIn ? `${KEY_HINT} ${addressHint(target)}` : addressHint(target);
    return { error: "SERVICE_WRONG_ADDRESS", hint, facts: { ...facts, message } };
  }
  const compressed = headers.get("content-encoding");
  const areLines = compressed === undefined && areJsonLines(text);
  const form = areLines
    ? "each of its lines is a JSON record, and it isn't JSON"
    : compressed === undefined
      ? "it isn't JSON"
      : `it is compressed (${compressed})`;
  const message = `The response of ${target.baseUrl} to ${target.request} can't be read: ${form}.`;
  if (areLines) return { error: "RESPONSE_UNREADABLE", hint: JSON_LINES, facts: { ...facts, message } };
  // The code marks it as possibly temporary, such as a proxy that failed midway.
  return { error: "RESPONSE_UNREADABLE", facts: { ...facts, message, code: "BAD_JSON" } };
}

const JSON_LINES =
  "imprint asks for application/json, as the specification has it, and can't see whether a list of lines is complete. Ask the service for lists in JSON.";

function areJsonLines(text: string): boolean {
  const lines = text.trim().split(/\r?\n/);
  return lines.length > 1 && lines.slice(0, 2).every((line) => isJsonObject(parseJson(line)));
}

function redirected({ status, headers }: ErrorAnswer, { baseUrl, request }: Target): Failed {
  const target = headers.get("location");
  const place = target === undefined ? undefined : URL.parse(target, baseUrl)?.href;
  const message = `${baseUrl} responded to ${request} with a redirect (${status}) to ${place ?? "another address"}.`;
  const base = /^(.*?)\/api\//.exec(place ?? "")?.[1];
  const advice =
    base === undefined || base === baseUrl
      ? "Check that this is the address of the service, and that it serves the specification's paths without redirects."
      : `Set the address of the service to ${base}`;
  const isSignIn = isSignInPath(place ?? "");
  const hint = `${isSignIn ? `${KEY_HINT} ` : ""}Redirects are not followed. ${advice}`;
  return { error: "SERVICE_WRONG_ADDRESS", hint, facts: { message, stage: "answered", status } };
}

interface Explained {
  readonly error: ErrorCode;
  readonly said: string;
  readonly hint?: string | undefined;
}

interface Refusal {
  /** What the response means. */
  readonly status: number;
  /** The status of the response. */
  readonly sent: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: ErrorBody;
  readonly retryAfterMs: number | undefined;
  readonly isFixedLimit: boolean;
}

// Our own service never grants it to a login: see `auth/grantable-scopes.ts`.
const KEYS_ONLY: Scope = "account:write";
const KEYS_ONLY_HINT = "Logins never have this scope. Set IMPRINT_API_KEY to a key from the service's dashboard.";

function explain(refusal: Refusal, target: Target): Explained {
  const { status, sent, headers, body, retryAfterMs, isFixedLimit } = refusal;
  const { baseUrl, request } = target;
  const refused = `${baseUrl} refused ${request} (${sent}).`;
  if (status === 401 && target.credential === "login") {
    return { error: "LOGIN_EXPIRED", said: `${baseUrl} rejected the login (401).` };
  }
  if (status === 401) return { error: "KEY_REJECTED", said: `${baseUrl} rejected the API key (401).` };
  if (status === 403) {
    const scope = scopeOf(headers) ?? body.scope;
    const name = target.credential === "login" ? "login" : "API key";
    const error = target.credential === "login" ? "LOGIN_LIMITED" : "KEY_REJECTED";
    const hint = error === "LOGIN_LIMITED" && scope === KEYS_ONLY ? KEYS_ONLY_HINT : undefined;
    return { error, hint, said: scope === undefined ? refused : `${refused} The ${name} needs the scope ${scope}.` };
  }
  if (isFixedLimit) return { error: "SERVICE_REFUSED", said: refused };
  if (status === 402) return { error: "PLAN_REQUIRED", said: refused };
  if (status === 412 || body.problemCode === "release_outdated") return { error: "VERSION_MISMATCH", said: refused };
  if (status === 429)
    return {
      error: "RATE_LIMITED",
      said: `${baseUrl} asks imprint to slow down${durationOf(retryAfterMs)} (${sent}).`,
    };
  if (status === 501) return { error: "NOT_SUPPORTED", said: `${baseUrl} doesn't implement ${request} (501).` };
  if (status >= 500 || status === 408 || status === 425) {
    const wait = retryAfterMs === undefined ? "" : `, and asks imprint to wait${durationOf(retryAfterMs)}`;
    return { error: "SERVICE_FAILED", said: `${baseUrl} failed on ${request} (${sent})${wait}.` };
  }
  if (isWrongAddress(status, { body, target })) {
    const said = `${baseUrl} doesn't have ${request} (${sent}).`;
    return { error: "SERVICE_WRONG_ADDRESS", said, hint: addressHint(target) };
  }
  return { error: "SERVICE_REFUSED", said: refused, hint: hintFor(status, target) };
}

function hintFor(status: number, { request, namesRecord }: Target): string | undefined {
  if ((status === 404 || status === 410) && namesRecord) return NOT_THERE;
  return status === 413 && request.includes("/api/pages") ? TOO_LARGE : undefined;
}

const NOT_THERE =
  "Check the name: the service has nothing with this name, or has deleted it. `list` commands show what it has.";
const TOO_LARGE =
  "Set `maxHtmlBytes` to the service's limit, so that imprint links style sheets and leaves out fonts. Or split the page.";

function durationOf(ms: number | undefined): string {
  return ms === undefined ? "" : ` for ${Math.ceil(ms / 1000)} s`;
}

// Only the scope named in the response: a guessed reason would mislead people.
function scopeOf(headers: ReadonlyMap<string, string>): string | undefined {
  return /scope="([^"]{1,200})"/.exec(headers.get("www-authenticate") ?? "")?.[1];
}

function isWrongAddress(status: number, { body, target }: { body: ErrorBody; target: Target }): boolean {
  if (status === 405 || status === 421) return true;
  if (status !== 404) return false;
  return !target.namesRecord || body.kind === "html" || body.problemCode === "no_such_route";
}

function addressHint({ baseUrl }: Target): string {
  if (baseUrl.endsWith("/api")) return `Remove /api from the end of the service's address: ${baseUrl.slice(0, -4)}`;
  return "Check that the address of the service is correct and doesn't include /api, and that `routeSet` is the service's.";
}

function wordsOf(body: ErrorBody): readonly string[] {
  const fields = body.errors.map(({ pointer, detail }) => (pointer === "" ? detail : `${pointer}: ${detail}`));
  return [body.summary, ...fields].filter((part) => part !== "");
}

/** Returns the service's own message in quotation marks, preceded by a space; empty if there is none. */
export function quoted(said: string | undefined): string {
  return said === undefined || said === "" ? "" : ` "${said.replace(/\.$/, "")}"`;
}
