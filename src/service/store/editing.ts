import { sql } from "kysely";
import { deleteInSlices, type Slices } from "./slices.ts";
import { deleteRows, insertRow, selectRows, matching, updateRows } from "./rows.ts";
import type { Database } from "./tables.ts";

type EditedFields = Readonly<Record<string, unknown>>;

/** What is edited: `post:` with an id, `new:` with a blog id, or `file:` with a path. */
export interface SubjectKey {
  readonly accountId: string;
  readonly subject: string;
}

/** Unsaved edits in one or more windows. */
export interface WorkingCopy extends SubjectKey {
  readonly userId: string;
  readonly copyId: string;
  /** The version that the edits are based on. */
  readonly base: string;
  readonly fields: EditedFields;
  readonly savedAt: Date;
}

/** A version that was replaced by another one. */
export interface FormerVersion extends SubjectKey {
  readonly version: string;
  readonly fields: EditedFields;
  /** The user who saved it; `null` for a program. */
  readonly savedBy: string | null;
  readonly savedAt: Date;
}

/** Lists a user's unsaved edits of a subject, newest first. */
export async function listWorkingCopies(
  database: Database,
  key: Pick<WorkingCopy, "accountId" | "subject" | "userId">,
) {
  return await selectRows(database, "workingCopy", key).selectAll().orderBy("savedAt", "desc").execute();
}

/** Maximum number of versions stored per subject. */
const MAX_VERSIONS = 50;

/** Stores a version and deletes the oldest ones beyond the maximum. */
export async function keepVersion(database: Database, version: FormerVersion): Promise<void> {
  const { accountId, subject } = version;
  const key = { accountId, subject };
  await deleteRows(database, "formerVersion", { ...key, version: version.version });
  await insertRow(database, "formerVersion", version);
  const times = selectRows(database, "formerVersion", key).select("savedAt").orderBy("savedAt", "desc");
  const oldest = await times
    .offset(MAX_VERSIONS - 1)
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return;
  await database.deleteFrom("formerVersion").where(matching(key)).where("savedAt", "<", oldest.savedAt).execute();
}

/** Lists the versions of a subject without their fields, newest first. */
export async function listVersions(database: Database, key: SubjectKey) {
  const columns = ["accountId", "subject", "version", "savedBy", "savedAt"] as const;
  return await selectRows(database, "formerVersion", key).select(columns).orderBy("savedAt", "desc").execute();
}

/** Lists subjects with stored versions by prefix, most recent first. */
export async function listSubjects(database: Database, accountId: string, prefix: string) {
  return await selectRows(database, "formerVersion", { accountId })
    .select(["subject", "savedAt"])
    .where(sql`substr(subject, 1, ${prefix.length})`, "=", prefix)
    .orderBy("savedAt", "desc")
    .execute();
}

/** Renames a subject, with its working copies and versions. */
export async function moveSubject(database: Database, { accountId, subject }: SubjectKey, to: string): Promise<void> {
  for (const [table, column] of [
    ["workingCopy", "copyId"],
    ["formerVersion", "version"],
  ] as const) {
    const moved = sql`select ${sql.ref(column)} from ${sql.table(table)} where ${matching({ accountId, subject })}`;
    await sql`delete from ${sql.table(table)} where ${matching({ accountId, subject: to })}
      and ${sql.ref(column)} in (${moved})`.execute(database);
    await updateRows(database, table, { match: { accountId, subject }, set: { subject: to } });
  }
}

/** Deletes the working copies and versions of a subject that no longer exists. */
export async function forgetSubject(database: Database, key: SubjectKey): Promise<void> {
  await deleteRows(database, "workingCopy", key);
  await deleteRows(database, "formerVersion", key);
}

/** Deletes abandoned working copies. */
export async function forgetWorkingCopies(slices: Slices, before: Date): Promise<void> {
  const key = ["accountId", "subject", "userId", "copyId"];
  await deleteInSlices(slices, "workingCopy", { key, where: sql`saved_at < ${before}` });
}
