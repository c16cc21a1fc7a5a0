import { sql } from "kysely";
import type { AuditRecord } from "../../contract/people.ts";
import type { InMemory } from "../../contract/fields.ts";
import { deleteInSlices, type Slices } from "./slices.ts";
import { readSought, type Sought } from "./keyset.ts";
import type { Database } from "./tables.ts";
import { selectRows, given } from "./rows.ts";

/** A recorded security event. */
export interface AuditEntry extends InMemory<AuditRecord> {
  readonly accountId: string;
}

export async function listAuditEntries(
  database: Database,
  accountId: string,
  { action, ...sought }: Sought & { readonly action: AuditEntry["action"] | undefined },
) {
  const query = selectRows(database, "auditEntry", { accountId, ...given({ action }) }).selectAll();
  const columns = ["actor", "subject", "subjectId", "detail", "address"];
  return await readSought(database, query, { ...sought, columns });
}

/** Deletes entries older than a time. */
export async function forgetAuditEntries(slices: Slices, before: Date): Promise<void> {
  await deleteInSlices(slices, "auditEntry", { key: ["id"], where: sql`created_at < ${before}` });
}
