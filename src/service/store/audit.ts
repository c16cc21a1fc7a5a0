import { sql } from "kysely";
import type { AuditRecord } from "../../contract/people.ts";
import type { InMemory } from "../../contract/fields.ts";
import { readSlice, type Slice, type Window } from "./keyset.ts";
import { deleteInSlices, type Slices } from "./slices.ts";
import { readSought, type SortedSlice, type Sought } from "./sorted.ts";
import type { Database } from "./tables.ts";

/** A recorded security event. */
export interface AuditEntry extends InMemory<AuditRecord> {
  readonly accountId: string;
}

interface AuditFilter {
  readonly action: AuditEntry["action"] | undefined;
}

export async function listAuditEntries(
  database: Database,
  accountId: string,
  { action, window }: AuditFilter & { readonly window: Window },
): Promise<Slice<AuditEntry>> {
  return await readSlice(selectEntries(database, accountId, action), window);
}

/** Searches entries by text in any of their columns. */
export async function findAuditEntries(
  database: Database,
  accountId: string,
  { action, ...sought }: AuditFilter & Sought,
): Promise<SortedSlice<AuditEntry>> {
  const columns = ["actor", "subject", "subjectId", "detail", "address"];
  return await readSought(database, selectEntries(database, accountId, action), { ...sought, columns });
}

function selectEntries(database: Database, accountId: string, action: AuditFilter["action"]) {
  const query = database.selectFrom("auditEntry").selectAll().where("accountId", "=", accountId);
  return action === undefined ? query : query.where("action", "=", action);
}

/** Deletes entries older than a time. */
export async function forgetAuditEntries(slices: Slices, before: Date): Promise<void> {
  await deleteInSlices(slices, "auditEntry", { key: ["id"], where: sql`created_at < ${before}` });
}
