import { ImprintError } from "../../base/error.ts";
import type { ImprintApi } from "../../client/api.ts";
import type { User } from "../../client/resources/people.ts";
import { ROLES } from "../../contract/people.ts";
import { renderTable, renderTime } from "../table.ts";
import { findName, findOne, requireOperation, type AccountResult, type AccountRun } from "./account-command.ts";

const ROLE = { problem: "isn't a role", hint: `Roles are ${ROLES.join(", ")}.` } as const;

/** `imprint users list`: the users of the account, newest first. */
export async function list({ withApi, signal }: AccountRun): Promise<AccountResult> {
  const items = await withApi((api) => listUsers(api, signal));
  const rows = items.map(({ id, name, email, role, lastSignInAt }) => [
    id,
    name,
    email ?? "(no email address)",
    role,
    lastSignInAt === null ? "never signed in" : `signed in ${renderTime(lastSignInAt)}`,
  ]);
  return { json: items, text: renderTable(rows) };
}

/** `imprint users invite`: creates a user, or a new link for an existing one. */
export async function invite({ args, flags, paint, withApi, signal }: AccountRun): Promise<AccountResult> {
  const [email = ""] = args;
  const role = flags.role === undefined ? undefined : findName(ROLES, flags.role, ROLE);
  const invited = await withApi(async (api) => {
    const known = (await listUsers(api, signal)).find((user) => user.email === email.trim().toLowerCase());
    if (known === undefined) return api.users.create({ email, name: flags.name, role: role ?? "editor" }, { signal });
    if (role !== undefined && role !== known.role) {
      const hint = `Change it with \`imprint users role ${email} ${role}\`.`;
      throw new ImprintError("USAGE", `${email} is already a user, with the role ${known.role}.`, { hint });
    }
    return { ...known, ...(await api.users.invite(known.id, { signal })) };
  });
  const { url } = invited;
  const text =
    url === undefined
      ? `Sending the invitation to ${email}. Its link works once, within 7 days.\n`
      : `Send this link to ${email}. It works once, within 7 days:\n\n  ${paint("strong", url)}\n`;
  return { json: invited, text };
}

/** `imprint users role`: takes effect with the user's next request. */
export async function role({ args, withApi, signal }: AccountRun): Promise<AccountResult> {
  const [text = "", wanted = ""] = args;
  const given = findName(ROLES, wanted, ROLE);
  const changed = await withApi(async (api) =>
    api.users.update((await findUser(api, text, signal)).id, { role: given }, { signal }),
  );
  return { json: changed, text: `${nameUser(changed)} is now ${given}.\n` };
}

/** `imprint users remove`: lists the user's keys first, and revokes them unless `--keep-keys` is given. */
export async function remove({ args, flags, withApi, confirm, signal }: AccountRun): Promise<AccountResult> {
  const [text = ""] = args;
  const { keepKeys = false } = flags;
  return withApi(async (api) => {
    const user = await findUser(api, text, signal);
    const keys = (await api.keys.list({ signal })).items.filter(({ userId }) => userId === user.id);
    const names = keys.map(({ name, lastFour }) => `${name} (…${lastFour})`).join(", ");
    const fate = keys.length === 0 ? "" : ` API keys ${keepKeys ? "kept" : "revoked"}: ${names}.`;
    const removed = await confirm(`Remove ${nameUser(user)} and sign them out everywhere?${fate}`);
    if (removed) await api.users.delete(user.id, { keys: keepKeys ? "keep" : "revoke", signal });
    return {
      json: { id: user.id, removed, keys: keys.map(({ id }) => id) },
      text: removed ? `Removed ${nameUser(user)}.${fate}\n` : `${nameUser(user)} was not removed.\n`,
      exitCode: removed ? 0 : 1,
    };
  });
}

async function listUsers(api: ImprintApi, signal: AbortSignal | undefined): Promise<readonly User[]> {
  requireOperation(api, {
    operation: "users.list",
    action: "manage users",
    hint: "Use a key with all scopes, or the dashboard.",
  });
  return (await api.users.list({ signal })).items;
}

async function findUser(api: ImprintApi, text: string, signal: AbortSignal | undefined): Promise<User> {
  return findOne(await listUsers(api, signal), text, {
    isExact: ({ id, email }) => id === text || email === text.trim().toLowerCase(),
    none: `There is no user "${text}".`,
    several: (count) => `${count} users are called "${text}"`,
    list: "imprint users list",
  });
}

function nameUser({ name, email }: User): string {
  return email === null ? name : `${name} (${email})`;
}
