import { isJsonObject } from "../../base/json.ts";
import type { ReadOptions, WriteOptions } from "../api.ts";
import { refusalOf, type Writer } from "../learner.ts";
import type { RecordKind } from "../record-form.ts";
import { foldName, ID_NAMES, idOf, type JsonRecord } from "../records/fields.ts";
import { findRecord, type RecordContext } from "../records/read-record.ts";
import type { Session, SessionReply } from "../session.ts";
import { withFields } from "../transport/body.ts";
import { tagOf } from "../transport/entity-tag.ts";
import { quoted } from "../transport/errors.ts";
import { createCalls, writing } from "./calls.ts";

// PUT replaces a record (RFC 9110, section 9.3.4), so that a host may clear the fields that a request leaves out, which
// people have set there. That shows only once it has happened: hosts that merge must not get fields of which nothing
// is known.

interface Records<Item> {
  readonly kind: RecordKind;
  /** What responses call the record. */
  readonly names: readonly string[];
  readonly parse: (json: unknown, context: RecordContext) => Item;
  readonly writer: Writer<object>;
  readonly operations: {
    readonly get: "sites.get" | "brandKits.get";
    readonly change: "sites.patch" | "sites.put" | "brandKits.put";
  };
  /** Other names of the fields that this program sets, and of the id. */
  readonly aliases: readonly string[];
}

interface Change {
  readonly id: string;
  readonly record: { readonly name: string };
  readonly options: WriteOptions | undefined;
  readonly list: () => Promise<unknown>;
}

interface KeptFields<Item> {
  /** Reads a record, and remembers the fields that others set. */
  readonly parse: (json: unknown, context: RecordContext) => Item;
  readonly get: (id: string, options?: ReadOptions) => Promise<Item | undefined>;
  /** Changes a record. If the host cleared fields of others that it had shown, sends the change again with them. */
  change(change: Change): Promise<SessionReply>;
}

export function createKeptFields<Item extends { readonly id: string }>(
  session: Session,
  { kind, names, parse: parseRecord, writer, operations, aliases }: Records<Item>,
): KeptFields<Item> {
  const shown = new Map<string, JsonRecord>();
  const restored = new Map<string, JsonRecord>();

  function note(json: unknown, id: string): void {
    const isIt = (record: JsonRecord) => (idOf(record, ...ID_NAMES, ...aliases) === id ? record : undefined);
    const record = findRecord(json, { names, fits: isIt });
    if (record !== undefined) shown.set(id, { ...shown.get(id), ...record });
  }

  function parse(json: unknown, context: RecordContext): Item {
    const item = parseRecord(json, context);
    note(json, item.id);
    return item;
  }

  const get = createCalls(session).get(operations.get, parse);

  /** Returns the fields of others that a record no longer has after a change. */
  async function findCleared(
    theirs: JsonRecord,
    reply: SessionReply,
    { id, list }: Change,
  ): Promise<readonly string[]> {
    const isCleared = (field: string) => isUnset(shown.get(id)?.[field]);
    shown.delete(id);
    note(reply.json, id);
    if (!Object.keys(theirs).some(isCleared)) return [];
    // The response may show less than a request for the record.
    await (session.capabilities().operations.has(operations.get) ? get(id) : list());
    return shown.has(id) ? Object.keys(theirs).filter(isCleared) : [];
  }

  return {
    parse,
    get,
    async change(change) {
      const { id, record, options } = change;
      const send = (others: JsonRecord, condition: WriteOptions["ifMatch"]) =>
        writer.send(record, ({ body }) => {
          // A partial update sends whole values, so a repeated one changes nothing more, unless it has a condition.
          const repeat = condition === undefined ? ({ repeat: "always" } as const) : {};
          const call = { ...writing({ ...options, ifMatch: condition }), ...repeat };
          return session.call(operations.change, { ...call, parameters: [id], body: withFields(body, others) });
        });
      const own = new Set([...ID_NAMES, ...kind.names, ...aliases, ...Object.keys(record)].map(foldName));
      const isTheirs = ([name, value]: readonly [string, unknown]) => !isUnset(value) && !own.has(foldName(name));
      // Our own service has no fields that this program doesn't know.
      const known = session.capabilities().account === undefined ? (shown.get(id) ?? {}) : {};
      const theirs = Object.fromEntries(Object.entries(known).filter(isTheirs));
      const reply = await send(restored.get(id) ?? {}, options?.ifMatch);
      const cleared = await findCleared(theirs, reply, change);
      if (cleared.length === 0) return reply;
      const others = Object.fromEntries(cleared.map((field) => [field, theirs[field]]));
      const warn = (fields: readonly string[], reason = "") =>
        session.logger.warn(
          `With this change, the service cleared ${fields.join(", ")} of the ${kind.label} ${record.name}${reason}. Set it again in the service's dashboard.`,
        );
      try {
        const repeated = await send(others, tagOf(reply));
        const lost = await findCleared(others, repeated, change);
        if (lost.length === 0) restored.set(id, { ...restored.get(id), ...others });
        else warn(lost);
        return repeated;
      } catch (error) {
        const refusal = refusalOf(error);
        if (refusal === undefined) throw error;
        warn(cleared, `, and refused it again (${refusal.status}${quoted(refusal.text)})`);
        return reply;
      }
    },
  };
}

function isUnset(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return true;
  return Array.isArray(value) ? value.length === 0 : isJsonObject(value) && Object.keys(value).length === 0;
}
