import { ImprintError } from "../../base/error.ts";
import type { ApiKey } from "../../client/records/account-records.ts";
import { SCOPES } from "../../contract/scopes.ts";
import { renderTable, renderTime } from "../table.ts";
import { findName, requireOperation, type AccountResult, type AccountRun } from "./account-command.ts";

/** `imprint keys list`: the account's API keys, without their secrets. */
export async function list({ withApi, signal }: AccountRun): Promise<AccountResult> {
  const { items } = await withApi((api) => api.keys.list({ signal }));
  return { json: items, text: renderKeys(items) };
}

/** `imprint keys create`: shows the key once. */
export async function create({ args, flags, paint, withApi, signal }: AccountRun): Promise<AccountResult> {
  const [name = ""] = args;
  const expiresAt = flags.expires === undefined ? undefined : parseTime(flags.expires);
  const scopes = flags.scope?.map((scope) =>
    findName(SCOPES, scope, { problem: "isn't a scope", hint: "A scope looks like pages:read." }),
  );
  const created = await withApi((api) => api.keys.create({ name, scopes, expiresAt }, { signal }));
  const { id, key } = created;
  const text = `Created the key ${id}. It is shown only once:\n\n  ${paint("strong", key)}\n\nSet IMPRINT_API_KEY to it.\n`;
  return { json: created, text };
}

/** `imprint keys revoke`. A missing key is an error, as the ID may be a typo. */
export async function revoke({ args, withApi, signal }: AccountRun): Promise<AccountResult> {
  const [id = ""] = args;
  await withApi(async (api) => {
    const { items } = await api.keys.list({ signal });
    if (!items.some((key) => key.id === id)) {
      const message = `The account has no API key with the ID "${id}".`;
      throw new ImprintError("USAGE", message, { hint: "See `imprint keys list`." });
    }
    await api.keys.revoke(id, { signal });
  });
  return { json: { id, revoked: true }, text: `Revoked the key ${id}.\n` };
}

/** `imprint dashboard`: creates a link that signs in a browser; needs a key with all scopes. */
export async function dashboard({ paint, withApi, signal }: AccountRun): Promise<AccountResult> {
  const { link, isEmbedded } = await withApi(async (api, { identity }) => {
    requireOperation(api, {
      operation: "signInLinks.create",
      action: "create a dashboard link for this key",
      hint: "Use a key with all scopes, or sign in with the link that `imprint serve` shows.",
    });
    return { link: await api.createSignInLink({ signal }), isEmbedded: identity.startsWith("embedded:") };
  });
  const remark = isEmbedded ? paint("dim", "\n  The link works while `imprint serve` is running.\n") : "";
  const text = `Open this link in your browser. It signs you in once, within 10 minutes:\n\n  ${paint("strong", link.url)}\n${remark}`;
  return { json: link, text };
}

function renderKeys(keys: readonly ApiKey[]): string {
  if (keys.length === 0) return "There are no API keys. Create one with `imprint keys create <name>`.\n";
  const rows = keys.map(({ id, name, lastFour, scopes, lastUsedAt, expiresAt }) => [
    id,
    name,
    `…${lastFour}`,
    scopes === null ? "all scopes" : scopes.join(" "),
    `used ${renderTime(lastUsedAt)}`,
    expiresAt === null ? "" : `expires ${renderTime(expiresAt)}`,
  ]);
  return renderTable(rows);
}

function parseTime(text: string): string {
  const time = new Date(text);
  if (!Number.isNaN(time.getTime())) return time.toISOString();
  throw new ImprintError("USAGE", `--expires accepts a date such as 2027-01-31, not "${text}".`);
}
