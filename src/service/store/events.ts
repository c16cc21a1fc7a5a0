import type { Selectable } from "kysely";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import { createStatement } from "./statement.ts";
import type { Database, EventTable } from "./tables.ts";

/** Something that happened. */
export interface StoredEvent {
  readonly id: string;
  readonly accountId: string;
  readonly type: string;
  /** Id of the record that it is about. */
  readonly subject: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}

export async function insertEvent(database: Database, event: StoredEvent): Promise<void> {
  await insertRow(database, {
    id: event.id,
    account_id: event.accountId,
    type: event.type,
    subject: event.subject,
    data: JSON.stringify(event.data),
    created_at: event.createdAt.getTime(),
  });
}

const insertRow = createStatement<EventTable>()((database, parameter) =>
  database.insertInto("event").values({
    id: parameter("id"),
    account_id: parameter("account_id"),
    type: parameter("type"),
    subject: parameter("subject"),
    data: parameter("data"),
    created_at: parameter("created_at"),
  }),
);

export async function listEvents(
  database: Database,
  accountId: string,
  {
    type,
    subject,
    window,
  }: {
    readonly type?: string | undefined;
    /** Id of the record that they are about. */
    readonly subject?: string | undefined;
    readonly window: Window;
  },
): Promise<Slice<StoredEvent>> {
  let query = database.selectFrom("event").selectAll().where("account_id", "=", accountId);
  if (type !== undefined) query = query.where("type", "=", type);
  if (subject !== undefined) query = query.where("subject", "=", subject);
  return await readSlice(query, window, toEvent);
}

/** Deletes the events about a record; what was to be delivered of them goes with them. */
export async function deleteEventsAbout(
  database: Database,
  { accountId, subject }: { readonly accountId: string; readonly subject: string },
): Promise<void> {
  await database.deleteFrom("event").where("account_id", "=", accountId).where("subject", "=", subject).execute();
}

function toEvent(row: Selectable<EventTable>): StoredEvent {
  const data: unknown = JSON.parse(row.data);
  return {
    id: row.id,
    accountId: row.account_id,
    type: row.type,
    subject: row.subject,
    data: typeof data === "object" && data !== null ? { ...data } : {},
    createdAt: new Date(row.created_at),
  };
}
