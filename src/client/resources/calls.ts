import { ImprintError } from "../../base/error.ts";
import { sha256 } from "../../base/hash.ts";
import { isJsonObject } from "../../base/json.ts";
import type { OperationName } from "../../contract/operations.ts";
import type { CallOptions, CreateOptions, Listing, ReadOptions, Whole, WriteOptions } from "../api.ts";
import type { Form, Writer } from "../learner.ts";
import { readList } from "../listing.ts";
import { idOfLocation, isBareReply, type RecordContext } from "../records/read-record.ts";
import type { Session, SessionCall, SessionReply } from "../session.ts";
import { jsonBody } from "../transport/body.ts";
import { failureOf } from "../transport/outcome.ts";

type Parse<Item> = (json: unknown, context: RecordContext) => Item;

/** The requests that most resources have, each as a method of the client's interface. */
export function createCalls(session: Session) {
  async function ask<Item>(operation: OperationName, parse: Parse<Item>, call: SessionCall): Promise<Item> {
    const { json, context } = await session.call(operation, call);
    return parse(json, context);
  }

  // A service may show with 200 or 204 that there is no such record.
  async function find<Item>(
    operation: OperationName,
    parse: Parse<Item>,
    call: SessionCall,
  ): Promise<Item | undefined> {
    const reply = await session.call(operation, call);
    return isEmptyReply(reply) ? undefined : parse(reply.json, reply.context);
  }

  // Succeeds if the record is already gone.
  async function remove(operation: OperationName, call: SessionCall): Promise<void> {
    await findOrUndefined(session.call(operation, { ...call, expects: "document" }));
  }

  return {
    list<Item extends object>(operation: OperationName, parse: Parse<Item>, names: readonly string[]) {
      return (options?: ReadOptions) =>
        readList(session, { operation, names, parse: withJson(parse, options), options });
    },
    /** Returns `undefined` if the record doesn't exist. */
    get<Item extends object>(operation: OperationName, parse: Parse<Item>) {
      return (id: string, options: ReadOptions = {}) =>
        findOrUndefined(find(operation, withJson(parse, options), { parameters: [id], signal: options.signal }));
    },
    /** Sends a JSON body to an address without parameters. */
    send<Item, Body extends object>(operation: OperationName, parse: Parse<Item>) {
      return (body: Body, options?: CreateOptions) =>
        ask(operation, parse, { ...creation(options), body: jsonBody(body) });
    },
    /** Sends a JSON body to the address of a record. */
    change<Item, Body extends object>(operation: OperationName, parse: Parse<Item>) {
      return (id: string, body: Body, { signal }: CallOptions = {}) =>
        ask(operation, parse, { parameters: [id], body: jsonBody(body), signal });
    },
    /** Sends a request without a body to the address of a record. */
    act<Item>(operation: OperationName, parse: Parse<Item>) {
      return (id: string, { signal }: CallOptions = {}) => ask(operation, parse, { parameters: [id], signal });
    },
    delete(operation: OperationName) {
      return (id: string, { signal }: CallOptions = {}) => remove(operation, { parameters: [id], signal });
    },
    remove,
  };
}

/** Adds all fields of a record as the service shows it, if they are asked for. */
export function withJson<Item extends object>(
  parse: Parse<Item>,
  { content = false }: ReadOptions = {},
): Parse<Item & Whole> {
  return (json, context) => ({ ...parse(json, context), ...(content && { json: JSON.stringify(json) }) });
}

/**
 * Converts the options of a creation to request settings. `form` distinguishes a body format from the one tried first:
 * a service may store the rejection of one format under its key, and must not treat another as the same request.
 */
export function creation(options: CreateOptions = {}, form = ""): SessionCall {
  const { idempotencyKey, repeat, signal } = options;
  const isUsual = form === "" || idempotencyKey === undefined;
  const key = isUsual ? idempotencyKey : `${idempotencyKey}-${sha256(form).slice(0, 8)}`;
  return {
    headers: key === undefined ? {} : { "idempotency-key": key },
    repeat: repeat === "always" && idempotencyKey !== undefined ? "always" : "unsent",
    signal,
  };
}

/** Converts the options of a change to request settings. */
export function writing(options: WriteOptions = {}): SessionCall {
  const { ifMatch, signal } = options;
  const condition = typeof ifMatch === "number" ? `"v${ifMatch}"` : ifMatch;
  return { headers: condition === undefined ? {} : { "if-match": condition }, signal };
}

/** Marks a record for which the service replayed an earlier response instead of creating it. */
export function replayed<Entry extends object>(
  record: Entry,
  { headers }: { readonly headers: ReadonlyMap<string, string> },
): Entry & { readonly replayed?: true } {
  const header = headers.get("idempotent-replayed") ?? headers.get("idempotency-replayed");
  return header?.trim().toLowerCase() === "true" ? { ...record, replayed: true } : record;
}

interface Written {
  readonly title?: string | undefined;
  readonly updatedAt?: Date | undefined;
}

/** Marks a record that a service may have returned in place of creating another of its slug. */
export function orOther<Entry extends Written>(
  record: Entry,
  { sent, reply }: { readonly sent: Written; readonly reply: Pick<SessionReply, "status" | "headers"> },
): Entry & { readonly mayBeOther?: true } {
  if (reply.status !== 200) return record;
  const { title, updatedAt } = record;
  const isOtherTitle = title !== undefined && sent.title !== undefined && !title.includes(sent.title);
  // The service's own clock, as the one here may be wrong.
  const date = Date.parse(reply.headers.get("date") ?? "");
  const isOld = updatedAt !== undefined && date - updatedAt.getTime() > LONGEST_CLOCK_ERROR_MS;
  return isOtherTitle || isOld ? { ...record, mayBeOther: true } : record;
}

// Times without a zone are wrong by up to half a day.
const LONGEST_CLOCK_ERROR_MS = 86_400_000;

/** Whether a successful response to a request for one record shows that there is none: no content, or `null`. */
export function isEmptyReply({ status, json }: SessionReply): boolean {
  if (status === 204 || json === null || (Array.isArray(json) && json.length === 0)) return true;
  return isJsonObject(json) && Object.values(json).includes(null) && isBareReply(json);
}

/** Returns `undefined` if the service responds that the record doesn't exist. */
export async function findOrUndefined<Found>(request: Promise<Found>): Promise<Found | undefined> {
  try {
    return await request;
  } catch (error) {
    if (isAbsence(error)) return undefined;
    throw error;
  }
}

/** Whether an error means that a record doesn't exist, rather than that the address is wrong. */
export function isAbsence(error: unknown): boolean {
  const status = failureOf(error)?.status;
  return error instanceof ImprintError && error.code === "SERVICE_REFUSED" && (status === 404 || status === 410);
}

interface Creation<Content extends { readonly name: string }, Item> {
  readonly writer: Writer<Content>;
  readonly send: (form: Form) => Promise<SessionReply>;
  readonly parse: Parse<Item>;
  /** Name for people: `site`. */
  readonly label: string;
  /** Returns what is known about a record if the response contains only its id. */
  readonly withId: (id: string) => Item;
  /** Finds the record in the list if the response doesn't identify it. */
  readonly find: () => Promise<Item | undefined>;
  /** Ids of the records that lists have shown: a host may allow one record, and return it. */
  readonly listed: ReadonlySet<string>;
}

/** Returns a list with only some of its items, so that its total fits them. */
export function withOnly<Item>(items: readonly Item[], listing: Listing<unknown>): Listing<Item> {
  const { total } = listing;
  return { ...listing, items, total: total && total - (listing.items.length - items.length) };
}

/** Lists records, and collects their ids. */
export function collectIds<Found extends Listing<{ readonly id: string }>, Arguments extends readonly unknown[]>(
  list: (...values: Arguments) => Promise<Found>,
): { readonly list: typeof list; readonly listed: ReadonlySet<string> } {
  const listed = new Set<string>();
  return {
    listed,
    async list(...values) {
      const listing = await list(...values);
      for (const { id } of listing.items) listed.add(id);
      return listing;
    },
  };
}

/** Creates a record. If the response only acknowledges it, the record is looked up, and never created again. */
export async function createRecord<Content extends { readonly name: string }, Item extends { readonly id: string }>(
  record: Content,
  { writer, send, parse, label, withId, find, listed }: Creation<Content, Item>,
): Promise<Item & { readonly replayed?: true; readonly mayBeOther?: true }> {
  const reply = await writer.send(record, send);
  if (!isBareReply(reply.json)) {
    const created = replayed(parse(reply.json, reply.context), reply);
    return listed.has(created.id) ? { ...created, mayBeOther: true } : created;
  }
  const id = idOfLocation(reply);
  const found = id === undefined ? await find() : withId(id);
  if (found === undefined) throw madeWithoutId(`the ${label} "${record.name}"`, reply);
  return replayed(found, reply);
}

/** Returns the newest of several records, or `undefined` if there is none or they can't be distinguished. */
export function newestOf<Entry extends { readonly createdAt?: Date }>(entries: readonly Entry[]): Entry | undefined {
  const time = ({ createdAt }: Entry) => createdAt?.getTime() ?? 0;
  const [first, second] = entries.toSorted((left, right) => time(right) - time(left));
  if (first === undefined || second === undefined) return first;
  return time(first) > time(second) ? first : undefined;
}

/** Creates the error for a record that was created but whose id can't be determined. */
export function madeWithoutId(
  what: string,
  { json, context: { baseUrl, from, redact } }: Pick<SessionReply, "json" | "context">,
): ImprintError {
  // A text may be an error.
  const said = typeof json === "string" ? ` ("${redact(json)}")` : "";
  return new ImprintError(
    "RESPONSE_UNREADABLE",
    `${baseUrl} accepted ${from} for ${what}, but neither its response${said} nor a list contains the ID.`,
    { hint: `Look for it in the service's dashboard before running again, so that it isn't created twice.` },
  );
}
