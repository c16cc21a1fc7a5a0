import type { Database } from "./tables.ts";

/** Kinds of records whose changes are counted: those that are few and seldom written. */
export type CountedKind = "sites" | "blogs" | "brandKits";

/** How often records of a kind were created, changed and deleted, and when that was last. */
export interface RecordChanges {
  readonly count: number;
  readonly latest: Date | null;
}

export interface ChangeKey {
  readonly accountId: string;
  readonly kind: CountedKind;
}

/** Counts a change, in the transaction in which it is made. */
export async function countChange(database: Database, { accountId, kind }: ChangeKey, now: Date): Promise<void> {
  await database
    .insertInto("recordChange")
    .values({ accountId, kind, changes: 1, latestAt: now })
    .onConflict((conflict) =>
      conflict
        .columns(["accountId", "kind"])
        .doUpdateSet((build) => ({ changes: build("recordChange.changes", "+", 1), latestAt: now })),
    )
    .execute();
}

export async function readChanges(
  database: Database,
  accountId: string,
): Promise<Readonly<Record<CountedKind, RecordChanges>>> {
  const rows = await database
    .selectFrom("recordChange")
    .select(["kind", "changes", "latestAt"])
    .where("accountId", "=", accountId)
    .execute();
  const of = (kind: CountedKind): RecordChanges => {
    const row = rows.find((each) => each.kind === kind);
    return row === undefined ? { count: 0, latest: null } : { count: row.changes, latest: row.latestAt };
  };
  return { sites: of("sites"), blogs: of("blogs"), brandKits: of("brandKits") };
}
