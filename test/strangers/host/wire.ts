import { createHash, randomUUID } from "node:crypto";
import type { BodyForm, Dialect } from "../dialect.ts";
import type { World } from "./world.ts";

export interface Answer {
  readonly status: number;
  readonly json?: unknown;
  readonly text?: string;
  readonly bytes?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request with everything that a route may need. */
export interface Call {
  readonly dialect: Dialect;
  readonly world: World;
  readonly request: Request;
  readonly query: URLSearchParams;
  readonly param: string;
}

export type Fields = Readonly<Record<string, unknown>>;

/** Ends the request with an error in this host's format. */
export function refuse(status: number, words: string): never {
  throw Object.assign(new Error(words), { status });
}

export function renderError(dialect: Dialect, status: number, words: string): Answer {
  const shapes = {
    message: { json: { error: words } },
    nested: { json: { error: { code: `E${status}`, message: words } } },
    list: { json: { errors: [{ detail: words }] } },
    problem: {
      json: { type: "about:blank", title: words, status },
      headers: { "content-type": "application/problem+json" },
    },
    html: {
      text: `<!doctype html><html><head><title>Acme Pages</title></head><body><h1>${status}</h1><p>${words}</p></body></html>`,
      headers: { "content-type": "text/html; charset=utf-8" },
    },
    "in-200": { status: 200, json: { success: false, error: { code: status, message: words } } },
    "ok-false": { status: 200, json: { ok: false, error: words } },
    text: { text: `${words}\n`, headers: { "content-type": "text/plain; charset=utf-8" } },
  };
  return { status, ...shapes[dialect.errors] };
}

type Rename = (key: string) => string;

const KEYS: Readonly<Record<Dialect["keys"], Rename>> = {
  usual: (key) => key,
  mongo: (key) => (key === "id" || key === "assetId" ? "_id" : key),
  Pascal: (key) => (key === "id" || key === "url" ? key.toUpperCase() : (key[0] ?? "").toUpperCase() + key.slice(1)),
  embedded: (key) => key,
};

function withKeys(json: unknown, rename: Rename): unknown {
  if (Array.isArray(json)) return json.map((item) => withKeys(item, rename));
  if (typeof json !== "object" || json === null) return json;
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [rename(key), withKeys(value, rename)]));
}

/** Renders a response as this host does: its names of fields, and its envelope, which contains the request's ID. */
export function inEnvelope(dialect: Dialect, answer: Answer): Answer {
  const { envelope, keys } = dialect;
  if (keys !== "usual") {
    const json = withKeys(answer.json, KEYS[keys]);
    const isList = typeof json === "object" && json !== null && Object.values(json).some(Array.isArray);
    return { ...answer, json: isList && keys === "embedded" ? { _embedded: json } : json };
  }
  if (envelope === "none" || answer.json === undefined) return answer;
  const json =
    envelope === "ok-result"
      ? { ok: true, id: `req_${randomUUID()}`, result: answer.json }
      : { success: true, data: answer.json, errors: [], messages: [] };
  return { ...answer, json };
}

const FORM_TYPES: Readonly<Record<BodyForm, string>> = {
  json: "application/json",
  form: "application/x-www-form-urlencoded",
  multipart: "multipart/form-data",
};

/** Reads the fields of a body, which must have the route's format. */
export async function readFields({ dialect, request }: Call, form: BodyForm): Promise<Fields> {
  const sent = (request.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase();
  if (sent !== FORM_TYPES[form]) refuse(dialect.wrongForm, `Content-Type must be ${FORM_TYPES[form]}.`);
  try {
    if (form !== "json") return Object.fromEntries(await request.formData());
    const json: unknown = await request.json();
    if (typeof json === "object" && json !== null && !Array.isArray(json))
      return Object.fromEntries(Object.entries(json));
  } catch {
    refuse(400, "The body can't be read.");
  }
  return refuse(400, "The body must be an object.");
}

/** Returns a required text. */
export function requireText({ dialect }: Call, fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== "string" || value === "") refuse(dialect.missingField, `The field "${name}" is required.`);
  return value;
}

/** Renders records in this host's list format: all of them, or one part, usually of 20. */
export function renderList({ dialect, query, request }: Call, name: string, items: readonly unknown[]): Answer {
  const { shape, paging, otherQuery } = dialect.lists;
  if (items.length === 0 && dialect.nothing === "204") return { status: 204 };
  if (items.length === 0 && dialect.nothing === "null") return { status: 200, json: inShape(shape, name, null) };
  const wanted = PART_QUERY[paging];
  const other = [...query.keys()].find((key) => key !== wanted);
  if (otherQuery === "refused" && other !== undefined) refuse(400, `Unknown query parameter "${other}".`);
  if (paging === "none") return { status: 200, json: inShape(shape, name, items) };

  const size = name === "assets" ? dialect.library.partSize : 20;
  const asked = query.get(wanted);
  const start = startOf(paging, { asked, size });
  if (!Number.isInteger(start) || start < 0) refuse(400, `Bad ${wanted}.`);
  const shown = inShape(shape, name, items.slice(start, start + size));
  const hasMore = start + size < items.length;
  if (paging === "link-header") {
    const next = `<${new URL(request.url).pathname}?page=${start / size + 2}>; rel="next"`;
    return { status: 200, json: shown, headers: hasMore ? { link: next } : {} };
  }
  if (paging === "offset-counted") {
    return { status: 200, json: shown, headers: { "x-total-count": String(items.length) } };
  }
  if (paging === "cut" || paging === "page-unsaid" || paging === "offset-unsaid") return { status: 200, json: shown };
  const more =
    paging === "cursor"
      ? { nextCursor: hasMore ? Buffer.from(`after:${start + size}`).toString("base64url") : null }
      : { page: start / size + 1, totalPages: Math.max(1, Math.ceil(items.length / size)) };
  return { status: 200, json: Array.isArray(shown) ? shown : { ...shown, ...more } };
}

/** Returns the records that lists show by now. */
export function withoutLate<Created extends { readonly createdAt: string }>(
  { dialect, world }: Call,
  records: Iterable<Created>,
): readonly Created[] {
  const latest = world.now().getTime() - dialect.lists.recordsAfterMs;
  return [...records].filter(({ createdAt }) => Date.parse(createdAt) <= latest);
}

type Paging = Dialect["lists"]["paging"];

const PART_QUERY: Readonly<Record<Paging, string>> = {
  none: "",
  "page-number": "page",
  "link-header": "page",
  cursor: "cursor",
  "page-unsaid": "page",
  "offset-unsaid": "offset",
  "offset-counted": "offset",
  cut: "",
};

function startOf(paging: Paging, { asked, size }: { readonly asked: string | null; readonly size: number }): number {
  if (paging === "cursor") return readCursor(asked);
  return PART_QUERY[paging] === "offset" ? Number(asked ?? "0") : (Number(asked ?? "1") - 1) * size;
}

function inShape(shape: Dialect["lists"]["shape"], name: string, items: readonly unknown[] | null) {
  if (shape === "bare") return items;
  if (shape === "data") return { data: items };
  return shape === "named" ? { [name]: items } : { items, total: items?.length ?? 0 };
}

function readCursor(cursor: string | null): number {
  if (cursor === null) return 0;
  const text = Buffer.from(cursor, "base64url").toString();
  return text.startsWith("after:") ? Number(text.slice(6)) : Number.NaN;
}

export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}
