import { deleteRows, findRow } from "../store/rows.ts";
import { saveWorkingCopy, type SubjectKey } from "../store/editing.ts";
import type { Context } from "./context.ts";

type Values = Readonly<Record<string, string>>;

/** What somebody has written and not saved. */
export interface KeptText {
  readonly base: string;
  readonly fields: Values;
  readonly savedAt: Date;
}

/** What the person who asks has written about a subject and not saved. */
export async function findWorkingCopy(context: Context, subject: string): Promise<KeptText | undefined> {
  const key = keyOf(context, subject);
  const copy = key && (await findRow(context.database, "workingCopy", key));
  return copy && { base: copy.base, savedAt: copy.savedAt, fields: textsOf(copy.fields) };
}

function textsOf(fields: Readonly<Record<string, unknown>>): Values {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
}

/** Keeps what a form holds, with the version that it was filled in for. */
export async function keepWorkingCopy(
  context: Context,
  subject: string,
  { version = "", ...fields }: Values,
): Promise<void> {
  const key = keyOf(context, subject);
  if (key !== undefined)
    await saveWorkingCopy(context.database, { ...key, base: version, fields, savedAt: context.now });
}

export async function dropWorkingCopy(context: Context, subject: string): Promise<void> {
  const key = keyOf(context, subject);
  if (key !== undefined) await deleteRows(context.database, "workingCopy", key);
}

function keyOf({ accountId, actor }: Context, subject: string): (SubjectKey & { readonly userId: string }) | undefined {
  const userId = actor?.userId;
  return userId === undefined || userId === null ? undefined : { accountId, subject, userId };
}
