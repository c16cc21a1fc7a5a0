import type { Context } from "../resources/context.ts";
import { createSignInLink } from "../auth/sessions.ts";
import { createInvitationLink } from "../auth/invitations.ts";
import { findLetterhead } from "../look/letterhead.ts";
import type { LookSubject } from "../look/look.ts";
import { findRow } from "../store/rows.ts";
import type { Mail } from "../store/mails.ts";
import type { StoredUser } from "../store/users.ts";
import { renderHtml, renderText, type Letter } from "./letter.ts";

export interface MailText {
  readonly subject: string;
  readonly text: string;
  /** The same in the style of the site's brand kit; absent if there is none. */
  readonly html?: string;
}

export interface ComposedMail {
  readonly content: MailText;
  /** The link created for this mail, to be withdrawn if sending fails. */
  readonly signInUrl?: string | undefined;
}

/**
 * Renders a mail; `undefined` if its subject no longer exists. Links are created here, so that their lifetime starts
 * now.
 */
export async function composeMail(context: Context, mail: Mail, user: StoredUser): Promise<ComposedMail | undefined> {
  const written = await writeLetter(context, mail, user);
  if (written === undefined) return undefined;
  const { letter, about, signInUrl } = written;
  const brand = await findLetterhead(context, about);
  const text = { subject: letter.subject, text: renderText(letter) };
  return { content: brand === undefined ? text : { ...text, html: renderHtml(letter, brand) }, signInUrl };
}

interface Written {
  readonly letter: Letter;
  /** Whose style the mail has. */
  readonly about: LookSubject;
  readonly signInUrl?: string;
}

async function writeLetter(context: Context, mail: Mail, user: StoredUser): Promise<Written | undefined> {
  const host = new URL(context.addresses.appUrl).host;
  if (mail.kind === "submission") return await writeSubmission(context, mail, host);
  const about = { kind: "host" } as const;
  if (mail.kind === "invitation") {
    const { url } = await createInvitationLink(context, user.id);
    const paragraphs = [
      `Hello ${user.name},`,
      `you can now use the Imprint service at ${host} as ${user.role}. This one-time sign-in link is valid for 7 days:`,
    ];
    const letter = { subject: `You are invited to ${host}`, paragraphs, link: { url, text: "Sign in" } };
    return { letter, about, signInUrl: url };
  }
  const { url } = await createSignInLink(context, { userId: user.id });
  const next = mail.subjectId === null ? "" : `&next=${encodeURIComponent(mail.subjectId)}`;
  const letter = {
    subject: `Sign in to ${host}`,
    paragraphs: ["This one-time sign-in link is valid for 10 minutes:"],
    link: { url: `${url}${next}`, text: "Sign in" },
    after: "If you didn't request it, ignore this email.",
  };
  return { letter, about, signInUrl: url };
}

async function writeSubmission(
  { database, accountId, addresses }: Context,
  { subjectId }: Mail,
  host: string,
): Promise<Written | undefined> {
  const sent = subjectId === null ? undefined : await findRow(database, "submission", { accountId, id: subjectId });
  if (sent === undefined) return undefined;
  const { fields, pageSlug, formId, id } = sent;
  const letter = {
    subject: `New submission on ${pageSlug} (${host})`,
    paragraphs: [],
    fields: fields.map(([name, value]) => [name, typeof value === "string" ? value : value.join(", ")] as const),
    link: { url: `${addresses.appUrl}/forms/${formId}/${id}`, text: "Open the submission" },
  };
  return { letter, about: { kind: "page", slug: pageSlug } };
}
