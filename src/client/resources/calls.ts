import { ImprintError } from "../../base/error.ts";
import type { OperationName } from "../../contract/operations.ts";
import type { CallOptions, CreateOptions, Listing } from "../api.ts";
import type { Form, Writer } from "../learner.ts";
import { readList } from "../listing.ts";
import { idOfLocation, saysNothing, type RecordContext } from "../records/read-record.ts";
import { creation, findOrUndefined, jsonBody, replayed } from "../request-parts.ts";
import type { Session, SessionCall, SessionReply } from "../session.ts";

type Parse<Item> = (json: unknown, context: RecordContext) => Item;

/** The requests that most resources have, each as a method of the client's interface. */
export interface Calls {
  list<Item>(operation: OperationName, parse: Parse<Item>, names: readonly string[]): List<Item>;
  /** `undefined` when there is no such record. */
  get<Item>(
    operation: OperationName,
    parse: Parse<Item>,
  ): (id: string, options?: CallOptions) => Promise<Item | undefined>;
  /** A JSON body to an address without parameters. */
  send<Item>(operation: OperationName, parse: Parse<Item>): (body: object, options?: CreateOptions) => Promise<Item>;
  /** A JSON body to the address of a record. */
  change<Item>(operation: OperationName, parse: Parse<Item>): Change<Item>;
  /** A request without a body, to the address of a record. */
  act<Item>(operation: OperationName, parse: Parse<Item>): (id: string, options?: CallOptions) => Promise<Item>;
  /** One that is gone already is no error. */
  remove(operation: OperationName, call: SessionCall): Promise<void>;
}

type List<Item> = (options?: CallOptions) => Promise<Listing<Item>>;
type Change<Item> = (id: string, body: object, options?: CallOptions) => Promise<Item>;

export function createCalls(session: Session): Calls {
  async function ask<Item>(operation: OperationName, parse: Parse<Item>, call: SessionCall): Promise<Item> {
    const { json, context } = await session.call(operation, call);
    return parse(json, context);
  }
  return {
    list: (operation, parse, names) => (options) => readList(session, { operation, names, parse, options }),
    get:
      (operation, parse) =>
      (id, { signal } = {}) =>
        findOrUndefined(ask(operation, parse, { parameters: [id], signal })),
    send: (operation, parse) => (body, options) =>
      ask(operation, parse, { ...creation(options), body: jsonBody(body) }),
    change:
      (operation, parse) =>
      (id, body, { signal } = {}) =>
        ask(operation, parse, { parameters: [id], body: jsonBody(body), signal }),
    act:
      (operation, parse) =>
      (id, { signal } = {}) =>
        ask(operation, parse, { parameters: [id], signal }),
    async remove(operation, call) {
      await findOrUndefined(session.call(operation, { ...call, expects: "document" }));
    },
  };
}

interface Creation<Content extends { readonly name: string }, Item> {
  readonly writer: Writer<Content>;
  readonly send: (form: Form) => Promise<SessionReply>;
  readonly parse: Parse<Item>;
  /** As people call it: `site`. */
  readonly label: string;
  /** What is known of a record of which the response names only the id. */
  readonly withId: (id: string) => Item;
  /** Finds the record in the list, where the response names nothing. */
  readonly find: () => Promise<Item | undefined>;
}

/** Creates a record. A response may say no more than that: the record is then looked for, and never made again. */
export async function createRecord<Content extends { readonly name: string }, Item extends object>(
  record: Content,
  { writer, send, parse, label, withId, find }: Creation<Content, Item>,
): Promise<Item & { readonly replayed?: true }> {
  const reply = await writer.send(record, send);
  if (!saysNothing(reply.json)) return replayed(parse(reply.json, reply.context), reply);
  const id = idOfLocation(reply);
  const found = id === undefined ? await find() : withId(id);
  if (found === undefined) throw madeWithoutId(`the ${label} "${record.name}"`, reply.context);
  return replayed(found, reply);
}

/** The newest of several records; `undefined` when there is none, or when they can't be distinguished. */
export function newestOf<Entry extends { readonly createdAt?: Date }>(entries: readonly Entry[]): Entry | undefined {
  const time = ({ createdAt }: Entry) => createdAt?.getTime() ?? 0;
  const [first, second] = entries.toSorted((left, right) => time(right) - time(left));
  if (first === undefined || second === undefined) return first;
  return time(first) > time(second) ? first : undefined;
}

/** The error for a record that was made, but whose id can't be found out. */
export function madeWithoutId(what: string, { baseUrl, from }: RecordContext): ImprintError {
  return new ImprintError(
    "RESPONSE_UNREADABLE",
    `${baseUrl} accepted ${from} for ${what}, but neither its response nor a list names the id.`,
    { hint: `Look for it in the service's dashboard before running again, so that it isn't created twice.` },
  );
}
