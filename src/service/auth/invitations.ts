import type { Context } from "../resources/context.ts";
import { queueMail } from "../resources/mails.ts";
import { deleteInvitationsOf } from "../store/sessions.ts";
import { createSignInLink, type SignInLink } from "./sessions.ts";

/** How long an invitation is valid: the user may be away. */
const INVITATION_LIFE_MS = 7 * 24 * 60 * 60 * 1000;

export interface Invitation {
  readonly expiresAt: Date;
  /** Absent if the link is sent by mail. */
  readonly url?: string;
}

/**
 * Invites a user by mail, or returns the link if the service sends no mail or the user has no address. The user's earlier
 * invitations end.
 */
export async function inviteUser(
  context: Context,
  { id: userId, email }: { readonly id: string; readonly email: string | null },
): Promise<Invitation> {
  if (context.wakeMailer === undefined || email === null) {
    return await createInvitationLink(context, userId);
  }
  await deleteInvitationsOf(context.database, userId);
  await queueMail(context, { kind: "invitation", userId, subjectId: null });
  return { expiresAt: new Date(context.now.getTime() + INVITATION_LIFE_MS) };
}

/** Creates the link of an invitation. The user's earlier ones end. */
export async function createInvitationLink(context: Context, userId: string): Promise<SignInLink> {
  await deleteInvitationsOf(context.database, userId);
  return await createSignInLink(context, { userId, lifeMs: INVITATION_LIFE_MS, isInvitation: true });
}
