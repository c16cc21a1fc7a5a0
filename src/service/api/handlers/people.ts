import { inviteUser, type Invitation } from "../../auth/invitations.ts";
import { createUser, getManagedUser, getUser, patchUser, removeUser } from "../../resources/users.ts";
import { listAuditEntries } from "../../store/audit.ts";
import { listLoggedRequests } from "../../store/requests.ts";
import { listUsers } from "../../store/users.ts";
import type { Handlers } from "../call.ts";
import { viewAuditEntry, viewRequest, viewUser } from "../views.ts";
import { changing, listing, removing, writing } from "./rows.ts";

/** Fields shown once in the response: the link, unless it was sent by mail. */
function once({ url }: Invitation) {
  return url === undefined ? {} : { shownOnce: { url } };
}

export const PEOPLE_HANDLERS = {
  "audit.list": listing(
    (context, { query: { action } }, window) =>
      listAuditEntries(context.database, context.accountId, { action, window }),
    viewAuditEntry,
  ),
  "requests.list": listing(({ reader, accountId }, { query: { outcome, path } }, window) => {
    return listLoggedRequests(reader, accountId, { filter: { outcome, path }, window });
  }, viewRequest),
  "users.list": listing((context, _, window) => listUsers(context.database, context.accountId, { window }), viewUser),
  "users.create": writing(async (context, { body }) => {
    const user = await createUser(context, body);
    const invitation = await inviteUser(context, user);
    const location = `/api/users/${user.id}`;
    return { kind: "record", status: 201, record: viewUser(user), ...once(invitation), location };
  }),
  async "users.get"({ context, target }) {
    return { kind: "record", status: 200, record: viewUser(await getUser(context, target)) };
  },
  "users.patch": changing(async (context, { target, body }) => viewUser(await patchUser(context, target, body))),
  "users.delete": removing((context, { target, query }) => removeUser(context, target, query.keys)),
  "users.invite": writing(async (context, { target }) => {
    const invitation = await inviteUser(context, await getManagedUser(context, target));
    const record = { expiresAt: invitation.expiresAt.toISOString() };
    return { kind: "record", status: 201, record, ...once(invitation) };
  }),
} as const satisfies Handlers;
