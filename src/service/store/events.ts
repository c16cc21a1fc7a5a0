import type { InMemory } from "../../contract/fields.ts";
import type { EventType, EventRecord } from "../../contract/extension-records.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import { createStatement, parametersFor } from "./database.ts";
import type { Database } from "./tables.ts";

export interface StoredEvent extends InMemory<EventRecord> {
  readonly accountId: string;
  /** Id of the record that it is about. */
  readonly subject: string;
}

export const insertEvent = createStatement<StoredEvent>()((database, parameter) =>
  database
    .insertInto("event")
    .values(parametersFor(parameter, ["id", "accountId", "type", "subject", "data", "createdAt"])),
);

export async function listEvents(
  database: Database,
  accountId: string,
  {
    type,
    subject,
    window,
  }: {
    readonly type?: EventType | undefined;
    /** Id of the record that they are about. */
    readonly subject?: string | undefined;
    readonly window: Window;
  },
): Promise<Slice<StoredEvent>> {
  let query = database.selectFrom("event").selectAll().where("accountId", "=", accountId);
  if (type !== undefined) query = query.where("type", "=", type);
  if (subject !== undefined) query = query.where("subject", "=", subject);
  return await readSlice(query, window);
}

/** Deletes the events about a record; what was to be delivered of them goes with them. */
export async function deleteEventsAbout(
  database: Database,
  { accountId, subject }: { readonly accountId: string; readonly subject: string },
): Promise<void> {
  await database.deleteFrom("event").where("accountId", "=", accountId).where("subject", "=", subject).execute();
}
