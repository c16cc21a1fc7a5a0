import { sql } from "kysely";
import { deleteInSlices, type Slices } from "./slices.ts";
import { deleteRows, insertRow } from "./rows.ts";
import type { Database } from "./tables.ts";

/** What a form holds, or the fields of a record, by their names. */
type EditedFields = Readonly<Record<string, unknown>>;

/** What is edited: `post:` with an id, `new:` with the id of a blog, or `file:` with a path. */
export interface SubjectKey {
  readonly accountId: string;
  readonly subject: string;
}

/** What somebody has written and not saved yet, in one window or several. */
export interface WorkingCopy extends SubjectKey {
  readonly userId: string;
  readonly copyId: string;
  /** The version that it was begun with. */
  readonly base: string;
  readonly fields: EditedFields;
  readonly savedAt: Date;
}

/** A version that another one has replaced. */
export interface FormerVersion extends SubjectKey {
  readonly version: string;
  readonly fields: EditedFields;
  /** The user who saved it; `null` for a program. */
  readonly savedBy: string | null;
  readonly savedAt: Date;
}

/** What a user has written about a subject and not saved, newest first. */
export async function listWorkingCopies(
  database: Database,
  { accountId, subject, userId }: Pick<WorkingCopy, "accountId" | "subject" | "userId">,
): Promise<readonly WorkingCopy[]> {
  return await database
    .selectFrom("workingCopy")
    .selectAll()
    .where("accountId", "=", accountId)
    .where("subject", "=", subject)
    .where("userId", "=", userId)
    .orderBy("savedAt", "desc")
    .execute();
}

/** Most versions that are kept of one subject. */
const MAX_VERSIONS = 50;

/** Keeps a version, and forgets the oldest ones. One that is kept already stays as it is. */
export async function keepVersion(database: Database, version: FormerVersion): Promise<void> {
  const { accountId, subject } = version;
  await deleteRows(database, "formerVersion", { accountId, subject, version: version.version });
  await insertRow(database, "formerVersion", version);
  const oldest = await database
    .selectFrom("formerVersion")
    .select("savedAt")
    .where("accountId", "=", accountId)
    .where("subject", "=", subject)
    .orderBy("savedAt", "desc")
    .offset(MAX_VERSIONS - 1)
    .limit(1)
    .executeTakeFirst();
  if (oldest === undefined) return;
  await database
    .deleteFrom("formerVersion")
    .where("accountId", "=", accountId)
    .where("subject", "=", subject)
    .where("savedAt", "<", oldest.savedAt)
    .execute();
}

/** Versions of a subject without their fields, newest first. */
export async function listVersions(
  database: Database,
  { accountId, subject }: SubjectKey,
): Promise<readonly Omit<FormerVersion, "fields">[]> {
  return await database
    .selectFrom("formerVersion")
    .select(["accountId", "subject", "version", "savedBy", "savedAt"])
    .where("accountId", "=", accountId)
    .where("subject", "=", subject)
    .orderBy("savedAt", "desc")
    .execute();
}

/** Subjects whose names begin with a prefix and of which versions are kept, the last kept first. */
export async function listSubjects(
  database: Database,
  { accountId, prefix }: { readonly accountId: string; readonly prefix: string },
): Promise<readonly Pick<FormerVersion, "subject" | "savedAt">[]> {
  return await database
    .selectFrom("formerVersion")
    .select(["subject", "savedAt"])
    .where("accountId", "=", accountId)
    .where(sql`substr(subject, 1, ${prefix.length})`, "=", prefix)
    .orderBy("savedAt", "desc")
    .execute();
}

/** Gives a subject another name, with all that was written and kept of it. */
export async function moveSubject(database: Database, { accountId, subject }: SubjectKey, to: string): Promise<void> {
  for (const [table, column] of [
    ["workingCopy", "copyId"],
    ["formerVersion", "version"],
  ] as const) {
    const moved = database.selectFrom(table).select(sql.ref(column).as("same")).where("subject", "=", subject);
    await database
      .deleteFrom(table)
      .where("accountId", "=", accountId)
      .where("subject", "=", to)
      .where(sql.ref(column), "in", moved.where("accountId", "=", accountId))
      .execute();
    await database
      .updateTable(table)
      .set({ subject: to })
      .where("accountId", "=", accountId)
      .where("subject", "=", subject)
      .execute();
  }
}

/** Forgets what was written and kept of a subject that is gone. */
export async function forgetSubject(database: Database, key: SubjectKey): Promise<void> {
  await deleteRows(database, "workingCopy", key);
  await deleteRows(database, "formerVersion", key);
}

/** Forgets working copies that nobody came back to. */
export async function forgetWorkingCopies(slices: Slices, before: Date): Promise<void> {
  const key = ["accountId", "subject", "userId", "copyId"];
  await deleteInSlices(slices, "workingCopy", { key, where: sql`saved_at < ${before}` });
}
