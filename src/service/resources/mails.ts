import { insertRow, listValues } from "../store/rows.ts";
import type { Mail } from "../store/mails.ts";
import type { Context } from "./context.ts";

/** Queues a mail, in the transaction of its cause. */
export async function queueMail(
  { database, accountId, newId, now, wakeMailer }: Context,
  mail: Pick<Mail, "kind" | "userId" | "subjectId">,
): Promise<void> {
  await insertRow(database, "mail", {
    ...mail,
    id: newId("mail"),
    accountId,
    status: "pending",
    attempts: 0,
    dueAt: now,
    lease: null,
    leaseUntil: null,
    createdAt: now,
    finishedAt: null,
    lastError: null,
  });
  wakeMailer?.();
}

/** Queues mails about a submission to the users who want them. */
export async function queueSubmissionMails(context: Context, submissionId: string): Promise<void> {
  const { database, accountId, wakeMailer } = context;
  if (wakeMailer === undefined) return;
  const users = await listValues(database, "accountUser", { match: { accountId, formMails: true }, column: "id" });
  for (const userId of users) await queueMail(context, { kind: "submission", userId, subjectId: submissionId });
}
