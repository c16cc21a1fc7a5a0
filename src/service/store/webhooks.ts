import { sql, type Selectable } from "kysely";
import { forgetAnswersNaming } from "./idempotent-requests.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import { createStatement } from "./statement.ts";
import { parseTexts } from "./texts.ts";
import type { Database, WebhookTable } from "./tables.ts";

export interface Webhook {
  readonly id: string;
  readonly accountId: string;
  readonly url: string;
  readonly description: string | null;
  /** The types of events it listens to. */
  readonly events: readonly string[];
  readonly secret: string;
  /** The secret before the last rotation, which signs beside the new one for a while. */
  readonly oldSecret: string | null;
  readonly oldSecretUntil: Date | null;
  /** `null` while the webhook is on. */
  readonly disabledReason: WebhookTable["disabled_reason"];
  /** When the first of the failures came that no success has ended. */
  readonly failingSince: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface WebhookKey {
  readonly accountId: string;
  readonly id: string;
}

export async function findWebhook(database: Database, { accountId, id }: WebhookKey): Promise<Webhook | undefined> {
  const row = await database
    .selectFrom("webhook")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("id", "=", id)
    .executeTakeFirst();
  return row && toWebhook(row);
}

/** A webhook of any account, for the sender. */
export async function getWebhook(database: Database, id: string): Promise<Webhook | undefined> {
  const row = await database.selectFrom("webhook").selectAll().where("id", "=", id).executeTakeFirst();
  return row && toWebhook(row);
}

export async function listWebhooks(database: Database, accountId: string, window: Window): Promise<Slice<Webhook>> {
  const query = database.selectFrom("webhook").selectAll().where("account_id", "=", accountId);
  return await readSlice(query, window, toWebhook);
}

/** Ids of the webhooks that are on and listen to a type of event. */
export async function listListeners(database: Database, accountId: string, type: string): Promise<readonly string[]> {
  const rows = await selectListeners(database, { accountId });
  return rows.filter((row) => parseTexts(row.events).includes(type)).map((row) => row.id);
}

const selectListeners = createStatement<{ readonly accountId: string }>()((database, parameter) =>
  database
    .selectFrom("webhook")
    .select(["id", "events"])
    .where("account_id", "=", parameter("accountId"))
    .where("disabled_reason", "is", null),
);

export async function countWebhooks(database: Database, accountId: string): Promise<number> {
  const { count } = await database
    .selectFrom("webhook")
    .select((build) => build.fn.countAll<number>().as("count"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Inserts a webhook, or replaces the record with the same id. */
export async function saveWebhook(database: Database, webhook: Webhook): Promise<void> {
  const changes = {
    url: webhook.url,
    description: webhook.description,
    events: JSON.stringify(webhook.events),
    secret: webhook.secret,
    old_secret: webhook.oldSecret,
    old_secret_until: webhook.oldSecretUntil?.getTime() ?? null,
    disabled_reason: webhook.disabledReason,
    failing_since: webhook.failingSince?.getTime() ?? null,
    updated_at: webhook.updatedAt.getTime(),
  };
  await database
    .insertInto("webhook")
    .values({
      id: webhook.id,
      account_id: webhook.accountId,
      created_at: webhook.createdAt.getTime(),
      ...changes,
    })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(changes))
    .execute();
}

/** Deletes a webhook with its deliveries. */
export async function deleteWebhook(database: Database, { accountId, id }: WebhookKey): Promise<void> {
  await database.deleteFrom("webhook").where("account_id", "=", accountId).where("id", "=", id).execute();
  await forgetAnswersNaming(database, id);
}

/** Notes that a webhook took a delivery. */
export async function noteWebhookSuccess(database: Database, id: string): Promise<void> {
  await database
    .updateTable("webhook")
    .set({ failing_since: null })
    .where("id", "=", id)
    .where("failing_since", "is not", null)
    .execute();
}

/** Notes that a webhook did not take a delivery, and gives since when it has taken none. */
export async function noteWebhookFailure(database: Database, id: string, at: Date): Promise<Date> {
  const row = await database
    .updateTable("webhook")
    .set({ failing_since: sql<number>`coalesce(failing_since, ${at.getTime()})` })
    .where("id", "=", id)
    .returning("failing_since")
    .executeTakeFirst();
  return new Date(row?.failing_since ?? at.getTime());
}

export async function disableWebhook(
  database: Database,
  { id, reason }: { readonly id: string; readonly reason: NonNullable<Webhook["disabledReason"]> },
  now: Date,
): Promise<void> {
  await database
    .updateTable("webhook")
    .set({ disabled_reason: reason, updated_at: now.getTime() })
    .where("id", "=", id)
    .execute();
}

function toWebhook(row: Selectable<WebhookTable>): Webhook {
  return {
    id: row.id,
    accountId: row.account_id,
    url: row.url,
    description: row.description,
    events: parseTexts(row.events),
    secret: row.secret,
    oldSecret: row.old_secret,
    oldSecretUntil: row.old_secret_until === null ? null : new Date(row.old_secret_until),
    disabledReason: row.disabled_reason,
    failingSince: row.failing_since === null ? null : new Date(row.failing_since),
    createdAt: new Date(row.created_at),
    updatedAt: new Date(row.updated_at),
  };
}
