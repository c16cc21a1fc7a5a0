import { sql } from "kysely";
import type { AuditRecord } from "../../contract/people.ts";
import type { InMemory } from "../../contract/fields.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import { deleteInSlices, type Slices } from "./slices.ts";
import type { Database } from "./tables.ts";

/** Something that matters for security, as it was recorded. */
export interface AuditEntry extends InMemory<AuditRecord> {
  readonly accountId: string;
}

export async function listAuditEntries(
  database: Database,
  accountId: string,
  { action, window }: { readonly action: AuditEntry["action"] | undefined; readonly window: Window },
): Promise<Slice<AuditEntry>> {
  let query = database.selectFrom("auditEntry").selectAll().where("accountId", "=", accountId);
  if (action !== undefined) query = query.where("action", "=", action);
  return await readSlice(query, window);
}

/** Deletes the entries from before a time. */
export async function forgetAuditEntries(slices: Slices, before: Date): Promise<void> {
  await deleteInSlices(slices, "auditEntry", { key: ["id"], where: sql`created_at < ${before}` });
}
