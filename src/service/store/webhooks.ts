import type { InMemory } from "../../contract/fields.ts";
import type { EventType, WebhookRecord } from "../../contract/extension-records.ts";
import { sql } from "kysely";
import { forgetAnswersNaming } from "./requests.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import { createStatement } from "./database.ts";
import type { Database } from "./tables.ts";

export interface Webhook extends InMemory<Omit<WebhookRecord, "enabled" | "secret">> {
  readonly accountId: string;
  readonly secret: string;
  /** The secret before the last rotation, which also signs for a while. */
  readonly oldSecret: string | null;
}

export interface WebhookKey {
  readonly accountId: string;
  readonly id: string;
}

export async function findWebhook(database: Database, { accountId, id }: WebhookKey): Promise<Webhook | undefined> {
  return await database
    .selectFrom("webhook")
    .selectAll()
    .where("accountId", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
}

/** A webhook of any account, for the sender. */
export async function getWebhook(database: Database, id: string): Promise<Webhook | undefined> {
  return await database.selectFrom("webhook").selectAll().where("id", "=", id).executeTakeFirst();
}

export async function listWebhooks(database: Database, accountId: string, window: Window): Promise<Slice<Webhook>> {
  const query = database.selectFrom("webhook").selectAll().where("accountId", "=", accountId);
  return await readSlice(query, window);
}

/** Ids of the webhooks that are on and listen to a type of event. */
export async function listListeners(
  database: Database,
  accountId: string,
  type: EventType,
): Promise<readonly string[]> {
  const rows = await selectListeners(database, { accountId });
  return rows.filter(({ events }) => events.includes(type)).map(({ id }) => id);
}

const selectListeners = createStatement<{ readonly accountId: string }>()((database, parameter) =>
  database
    .selectFrom("webhook")
    .select(["id", "events"])
    .where("accountId", "=", parameter("accountId"))
    .where("disabledReason", "is", null),
);

export async function countWebhooks(database: Database, accountId: string): Promise<number> {
  const { count } = await database
    .selectFrom("webhook")
    .select((build) => build.fn.countAll<number>().as("count"))
    .where("accountId", "=", accountId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Inserts a webhook, or replaces the record with the same id. */
export async function saveWebhook(database: Database, webhook: Webhook): Promise<void> {
  const { id, accountId, createdAt, ...changes } = webhook;
  await database
    .insertInto("webhook")
    .values({ ...changes, id, accountId, createdAt })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(changes))
    .execute();
}

/** Deletes a webhook with its deliveries. */
export async function deleteWebhook(database: Database, { accountId, id }: WebhookKey): Promise<void> {
  await database.deleteFrom("webhook").where("accountId", "=", accountId).where("id", "=", id).execute();
  await forgetAnswersNaming(database, id);
}

/** Notes that a webhook took a delivery. */
export async function noteWebhookSuccess(database: Database, id: string): Promise<void> {
  await database
    .updateTable("webhook")
    .set({ failingSince: null })
    .where("id", "=", id)
    .where("failingSince", "is not", null)
    .execute();
}

/** Notes that a webhook did not take a delivery, and gives since when it has taken none. */
export async function noteWebhookFailure(database: Database, id: string, at: Date): Promise<Date> {
  const row = await database
    .updateTable("webhook")
    .set({ failingSince: sql<Date>`coalesce(failing_since, ${at})` })
    .where("id", "=", id)
    .returning("failingSince")
    .executeTakeFirst();
  return row?.failingSince ?? at;
}

export async function disableWebhook(
  database: Database,
  { id, reason }: { readonly id: string; readonly reason: NonNullable<Webhook["disabledReason"]> },
  now: Date,
): Promise<void> {
  await database.updateTable("webhook").set({ disabledReason: reason, updatedAt: now }).where("id", "=", id).execute();
}
