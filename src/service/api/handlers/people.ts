import { createSignInLink, INVITATION_LIFE_MS } from "../../auth/sessions.ts";
import type { Context } from "../../resources/context.ts";
import { createUser, getManagedUser, getUser, patchUser, removeUser } from "../../resources/users.ts";
import { listAuditEntries } from "../../store/audit.ts";
import { listUsers } from "../../store/users.ts";
import type { Handlers } from "../call.ts";
import { windowOf } from "../reply.ts";
import { viewAuditEntry, viewUser } from "../views.ts";
import { changing, listing, removing, writing } from "./rows.ts";

async function invite(context: Context, userId: string) {
  return await createSignInLink(context, { userId, lifeMs: INVITATION_LIFE_MS });
}

export const PEOPLE_HANDLERS = {
  "audit.list": listing(
    (context, { query }) =>
      listAuditEntries(context.database, context.accountId, { action: query.action, window: windowOf(query, context) }),
    viewAuditEntry,
  ),
  "users.list": listing(
    (context, { query }) => listUsers(context.database, context.accountId, windowOf(query, context)),
    viewUser,
  ),
  "users.create": writing(async (context, { body }) => {
    const user = await createUser(context, body);
    const { url } = await invite(context, user.id);
    return {
      kind: "record",
      status: 201,
      record: viewUser(user),
      shownOnce: { url },
      location: `/api/users/${user.id}`,
    };
  }),
  async "users.get"({ context, target }) {
    return { kind: "record", status: 200, record: viewUser(await getUser(context, target)) };
  },
  "users.patch": changing(async (context, { target, body }) => viewUser(await patchUser(context, target, body))),
  "users.delete": removing((context, { target, query }) => removeUser(context, target, query.keys)),
  "users.invite": writing(async (context, { target }) => {
    const { id } = await getManagedUser(context, target);
    const { url, expiresAt } = await invite(context, id);
    return {
      kind: "record",
      status: 201,
      record: { expiresAt: expiresAt.toISOString() },
      shownOnce: { url },
    };
  }),
} as const satisfies Handlers;
