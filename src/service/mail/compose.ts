import type { Context } from "../resources/context.ts";
import { createSignInLink } from "../auth/sessions.ts";
import { INVITATION_LIFE_MS } from "../auth/invitations.ts";
import { findRow } from "../store/rows.ts";
import type { Mail } from "../store/mails.ts";
import type { StoredUser } from "../store/users.ts";

export interface MailText {
  readonly subject: string;
  readonly text: string;
}

/** What a mail says; `undefined` when what it is about is gone. Links are made here, so that their time begins now. */
export async function composeMail(context: Context, mail: Mail, user: StoredUser): Promise<MailText | undefined> {
  const host = new URL(context.addresses.appUrl).host;
  if (mail.kind === "submission") return await composeSubmission(context, mail, host);
  if (mail.kind === "invitation") {
    const { url } = await createSignInLink(context, { userId: user.id, lifeMs: INVITATION_LIFE_MS });
    return {
      subject: `You are invited to ${host}`,
      text: `Hello ${user.name},\n\nyou can use the Imprint service at ${host} as ${user.role}. This link signs you in, once, within 7 days:\n\n${url}\n`,
    };
  }
  const { url } = await createSignInLink(context, { userId: user.id });
  const next = mail.subjectId === null ? "" : `&next=${encodeURIComponent(mail.subjectId)}`;
  return {
    subject: `Sign in to ${host}`,
    text: `This link signs you in, once, within 15 minutes:\n\n${url}${next}\n\nIf you didn't ask for it, ignore this mail.\n`,
  };
}

async function composeSubmission(
  { database, accountId, addresses }: Context,
  { subjectId }: Mail,
  host: string,
): Promise<MailText | undefined> {
  const sent = subjectId === null ? undefined : await findRow(database, "submission", { accountId, id: subjectId });
  if (sent === undefined) return undefined;
  const lines = sent.fields.map(([name, value]) => `${name}: ${typeof value === "string" ? value : value.join(", ")}`);
  return {
    subject: `New submission on ${sent.pageSlug} (${host})`,
    text: `${lines.join("\n")}\n\n${addresses.appUrl}/forms/${sent.formId}/${sent.id}\n`,
  };
}
