import * as z from "zod";
import { ImprintError } from "../../base/error.ts";
import type { InMemory, RecordContract } from "../../contract/fields.ts";
import { isJsonObject } from "../../base/json.ts";
import {
  asCount,
  asDate,
  asFlag,
  asHash,
  asId,
  asNumber,
  asText,
  ENVELOPE_NAMES,
  fieldOf,
  firstOf,
  ID_NAMES,
  type JsonRecord,
} from "./fields.ts";
import { reportsFailure } from "./reported-failure.ts";
import { decodeComponent } from "../../base/decode-component.ts";

// The specification shows few fields and no wrappers, so a record is read under any common names of its fields, and
// refused only if the rest of the program couldn't work with it. The contract defines the values of fields.

/** What a reader needs besides the response. */
export interface RecordContext {
  readonly baseUrl: string;
  /** The request: `PUT /api/pages/:slug`. */
  readonly from: string;
  /** Removes the key from a text, since a service may echo it anywhere. */
  readonly redact: (text: string) => string;
}

type Custom = (record: JsonRecord, context: RecordContext) => unknown;

/** The fields to read: other names that hosts use for each, or a function for complex values. */
type Fields = Readonly<Record<string, readonly string[] | Custom>>;

// A status may be any text, since hosts have their own. `null` means absent.
type Plain<Value> = Value extends string ? string : Exclude<Value, null | undefined>;

type ValueOf<Schema extends z.ZodObject, Table extends Fields, Name extends keyof Table> = Table[Name] extends (
  ...given: never
) => infer Value
  ? Value
  : Name extends keyof InMemory<z.output<Schema>>
    ? Plain<InMemory<z.output<Schema>>[Name]>
    : never;

type CertainName<Table extends Fields, Needed> = {
  [Name in keyof Table]: Name extends Needed
    ? Name
    : Table[Name] extends (...given: never) => infer Value
      ? undefined extends Value
        ? never
        : Name
      : never;
}[keyof Table];

type Read<Schema extends z.ZodObject, Table extends Fields, Needed> = {
  readonly [Name in keyof Table as Name extends CertainName<Table, Needed> ? Name : never]: Exclude<
    ValueOf<Schema, Table, Name>,
    undefined
  >;
} & {
  readonly [Name in keyof Table as Name extends CertainName<Table, Needed> ? never : Name]?: ValueOf<
    Schema,
    Table,
    Name
  >;
};

export interface RecordTable<Schema extends z.ZodObject, Table extends Fields, Needed extends keyof Table> {
  /** The contract's definition of the record. */
  readonly record: RecordContract<z.ZodObject, Schema>;
  /** Names that a service may wrap the record in, likeliest first. */
  readonly names: readonly string[];
  /** What is missing if there is no record, for the error: `site with an ID`. */
  readonly wanted: string;
  readonly fields: Table;
  /** Fields without which the record is useless. */
  readonly needs?: readonly Needed[];
  /** Fields of which at least one is required. */
  readonly needsOne?: readonly (keyof Table)[];
}

export interface RecordReader<Whole, Parts> {
  /** Returns the record in a response, in any common wrapper. Throws `RESPONSE_UNREADABLE` if there is none. */
  readonly parse: (json: unknown, context: RecordContext) => Whole;
  /** Reads a JSON object as a record; `undefined` if it lacks required fields. */
  readonly read: (record: JsonRecord, context: RecordContext) => Whole | undefined;
  /** Reads the fields of the record that a JSON object contains. */
  readonly readParts: (record: JsonRecord, context: RecordContext) => Parts;
}

/** Creates a reader of one kind of record from the contract's fields and a table of their other names. */
export function createRecordReader<
  Schema extends z.ZodObject,
  const Table extends Fields,
  Needed extends keyof Table & string = never,
>({
  record: contract,
  names,
  wanted,
  fields,
  needs = [],
  needsOne = [],
}: RecordTable<Schema, Table, Needed>): RecordReader<Read<Schema, Table, Needed>, Read<Schema, Table, never>> {
  // Created with the first record: processing a schema takes time, and a run reads few kinds.
  let readers: readonly (readonly [string, Custom])[] | undefined;

  function readParts(record: JsonRecord, context: RecordContext) {
    readers ??= Object.entries(fields).map(([name, field]) => [name, readerOf(name, field, contract.full)]);
    const parts = Object.fromEntries(readers.map(([name, readField]) => [name, readField(record, context)]));
    return parts as Read<Schema, Table, never>;
  }

  function read(record: JsonRecord, context: RecordContext) {
    const parts = readParts(record, context);
    const has = (name: PropertyKey) => Reflect.get(parts, name) !== undefined;
    const isWhole = needs.every(has) && (needsOne.length === 0 || needsOne.some(has));
    return isWhole ? (parts as Read<Schema, Table, Needed>) : undefined;
  }

  return {
    readParts,
    read,
    parse(json, context) {
      const found = findRecord(json, { names, fits: (record) => read(record, context) });
      if (found === undefined) throw unreadable(wanted, { ...context, json });
      return found;
    },
  };
}

function readerOf(name: string, field: Fields[string], { shape }: z.ZodObject): Custom {
  if (typeof field === "function") return field;
  const readValue = valueReader(name, shape[name]);
  const names = name === "id" ? [...ID_NAMES, ...field, ...ROW_IDS] : [name, ...field];
  return (record) => firstOf(record, names, readValue);
}

// Names that databases use for the ID of a new row, if a host passes on their result.
export const ROW_IDS = ["insertedId", "upsertedId", "insertId", "lastInsertId", "lastInsertRowid"];

function valueReader(name: string, schema: unknown): (value: unknown) => unknown {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return valueReader(name, schema.unwrap());
  if (schema instanceof z.ZodISODateTime) return asDate;
  if (schema instanceof z.ZodNumberFormat) return asCount;
  if (schema instanceof z.ZodNumber) return asNumber;
  if (schema instanceof z.ZodBoolean) return asFlag;
  if (/(?:^i|I)d$/.test(name)) return asId;
  return /hash$/i.test(name) ? asHash : asText;
}

const WRAPPERS = [...ENVELOPE_NAMES, "item", "record", "value", "body", "rows"];

/**
 * Finds the record in a response: the response itself, or its content under `data`, the record's own names, or another
 * common wrapper, including a list of one. `fits` distinguishes a record from a wrapper. Fields beside the content of
 * an envelope, such as a request id, are never read as the record's.
 */
export function findRecord<Found>(
  json: unknown,
  { names, fits }: { readonly names: readonly string[]; readonly fits: (candidate: JsonRecord) => Found | undefined },
): Found | undefined {
  for (const name of names) {
    for (const candidate of candidates(json, { name, depth: 0 })) {
      const found = fits(candidate);
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

function* candidates(
  json: unknown,
  { name, depth }: { readonly name: string; readonly depth: number },
): Generator<JsonRecord> {
  const [only] = Array.isArray(json) && json.length === 1 ? json : [json];
  if (!isJsonObject(only)) return;
  const wrapped = [name, ...WRAPPERS, `${name}s`].map((wrapper) => fieldOf(only, wrapper));
  const isEnvelope = reportsSuccess(only) && wrapped.some((value) => typeof value === "object" && !isBareReply(value));
  // JSON:API has all fields except the id under `attributes`.
  if (!isEnvelope) yield isJsonObject(only.attributes) ? { ...only.attributes, ...only } : only;
  if (depth === 2) return;
  for (const value of wrapped) yield* candidates(value, { name, depth: depth + 1 });
}

function reportsSuccess({ ok, success, status }: JsonRecord): boolean {
  return ok === true || success === true || /^(?:ok|success|succeeded)$/i.test(String(status));
}

/** Whether a response to a write indicates only success: an empty body, `{"ok": true}`, `"created"`. */
export function isBareReply(json: unknown): boolean {
  if (json === undefined || json === null || json === true) return true;
  if (typeof json === "string") return json.length <= 60;
  if (!isJsonObject(json) || reportsFailure(json)) return false;
  return Object.entries(json).every(([name, value]) => {
    if (isEmpty(value) || (NOTES.test(name) && isEmptyList(value))) return true;
    if (WRAPPERS.includes(name) && typeof value === "object") return isBareReply(value);
    return ACKNOWLEDGEMENTS.test(name) || (name === "code" && typeof value === "number");
  });
}

const ACKNOWLEDGEMENTS =
  /^(?:ok|success|succeeded|acknowledged|status|message|msg|result|created|updated|published|accepted|received|queued|done|changes|request_?id|trace_?id|timestamp|count|(?:affected_?rows|(?:inserted|matched|modified|row|upserted)_?count))$/i;

const NOTES = /^(?:errors|warnings|messages)$/i;

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

function isEmpty(value: unknown): boolean {
  return value === null || (isJsonObject(value) && Object.keys(value).length === 0);
}

/** Returns the last segment of the `Location` address if it is an API address: the id of what was created. */
export function idOfLocation({ headers }: { readonly headers: ReadonlyMap<string, string> }): string | undefined {
  const url = URL.parse(headers.get("location") ?? "", "http://service.invalid/");
  const segments = url?.pathname.split("/").filter((segment) => segment !== "") ?? [];
  const last = segments.at(-1);
  if (last === undefined || !segments.includes("api") || segments.length < 3) return undefined;
  return decodeComponent(last);
}

/** Creates the error for a response that doesn't contain `wanted`. */
export function unreadable(
  wanted: string,
  { json, from, redact }: RecordContext & { readonly json: unknown },
): ImprintError {
  const message = `The response to ${from} contains no ${wanted}; ${shapeOf(json)}.`;
  return new ImprintError("RESPONSE_UNREADABLE", redact(message));
}

// Describes the shape of a JSON value without its content.
function shapeOf(json: unknown): string {
  if (json === undefined) return "it is empty";
  if (Array.isArray(json)) return `it is a list of ${json.length}`;
  if (!isJsonObject(json)) return `it is ${json === null ? "null" : `a ${typeof json}`}`;
  const names = Object.keys(json).filter((name) => /^[\w$.-]{1,60}$/.test(name));
  return names.length === 0 ? "it has no fields" : `its fields are ${names.slice(0, 12).join(", ")}`;
}
