import { base62, RANDOM_BYTES } from "../../contract/api-key.ts";
import { deleteRows, insertRow } from "../store/rows.ts";
import { listWorkingCopies, type SubjectKey, type WorkingCopy } from "../store/editing.ts";
import type { Context } from "./context.ts";

type Values = Readonly<Record<string, string>>;

/** Unsaved edits. */
export interface KeptText extends Pick<WorkingCopy, "copyId" | "base" | "savedAt"> {
  readonly fields: Values;
}

/** Lists the user's unsaved edits of a subject, newest first. */
export async function listKeptTexts(context: Context, subject: string): Promise<readonly KeptText[]> {
  const key = keyOf(context, subject);
  const copies = key === undefined ? [] : await listWorkingCopies(context.database, key);
  return copies.map(({ copyId, base, savedAt, fields }) => ({ copyId, base, savedAt, fields: textsOf(fields) }));
}

function textsOf(fields: Readonly<Record<string, unknown>>): Values {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
}

/**
 * Stores a form's fields with the version that they are based on, and returns the copy's id. It replaces `copy`, which
 * the form was opened with or last stored. If another window continued that copy, it has another id by now, so both are
 * kept. A form that doesn't know whether it was stored sends the same `nextCopy` again.
 */
export async function keepText(
  context: Context,
  subject: string,
  { version: base = "", copy = "", nextCopy = "", ...fields }: Values,
): Promise<string> {
  const key = keyOf(context, subject);
  const copyId = COPY_ID.test(nextCopy) ? nextCopy : base62(context.random(RANDOM_BYTES));
  if (key === undefined) return copyId;
  await dropTexts(context, subject, [copy, copyId]);
  await insertRow(context.database, "workingCopy", { ...key, copyId, base, fields, savedAt: context.now });
  return copyId;
}

const COPY_ID = /^[\w-]{8,64}$/;

export async function dropTexts(context: Context, subject: string, copyIds: readonly string[]): Promise<void> {
  const key = keyOf(context, subject);
  if (key === undefined) return;
  for (const copyId of copyIds) await deleteRows(context.database, "workingCopy", { ...key, copyId });
}

function keyOf({ accountId, actor }: Context, subject: string): (SubjectKey & { readonly userId: string }) | undefined {
  const userId = actor?.userId;
  return userId === undefined || userId === null ? undefined : { accountId, subject, userId };
}
