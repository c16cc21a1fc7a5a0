import { ImprintError } from "../../base/error.ts";
import type { ApiKey, NewApiKey } from "../../client/account-api.ts";
import { isScope } from "../../client/names.ts";
import type { CliContext, ExitCode } from "../context.ts";
import type { PublishFlags } from "../shared-flags.ts";
import { renderTable, renderTime } from "../table.ts";
import { paintFor } from "../terminal.ts";
import { withApi } from "../with-api.ts";

/** `imprint keys list`: the account's API keys, never their text. */
export async function listKeysCommand(flags: PublishFlags, context: CliContext): Promise<ExitCode> {
  const { items } = await withApi(flags, context, (api) => api.keys.list({ signal: context.signal }));
  context.out.write(flags.json === true ? `${JSON.stringify(items, undefined, 2)}\n` : renderKeys(items));
  return 0;
}

export interface CreateKeyFlags extends PublishFlags {
  readonly scope?: readonly string[];
  readonly expires?: string;
}

/** `imprint keys create`: makes a key and shows it once. */
export async function createKeyCommand(name: string, flags: CreateKeyFlags, context: CliContext): Promise<ExitCode> {
  const expiresAt = flags.expires === undefined ? undefined : parseTime(flags.expires);
  const scopes = flags.scope?.map((scope) => {
    if (isScope(scope)) return scope;
    throw new ImprintError("USAGE", `"${scope}" is no scope.`, { hint: "Scopes are written as in pages:read." });
  });
  const request = { name, scopes, expiresAt };
  const key = await withApi(flags, context, (api) => api.keys.create(request, { signal: context.signal }));
  context.out.write(flags.json === true ? `${JSON.stringify(key, undefined, 2)}\n` : renderNewKey(key, context));
  return 0;
}

/** `imprint keys revoke`: from then on the key is refused. One that is not there is an error: it may be a slip. */
export async function revokeKeyCommand(id: string, flags: PublishFlags, context: CliContext): Promise<ExitCode> {
  const { signal } = context;
  await withApi(flags, context, async (api) => {
    const { items } = await api.keys.list({ signal });
    if (!items.some((key) => key.id === id)) {
      throw new ImprintError("USAGE", `The account has no API key with the id "${id}".`, {
        hint: "See `imprint keys list`.",
      });
    }
    await api.keys.revoke(id, { signal });
  });
  context.out.write(flags.json === true ? `${JSON.stringify({ id, revoked: true })}\n` : `The key ${id} is revoked.\n`);
  return 0;
}

function renderKeys(keys: readonly ApiKey[]): string {
  if (keys.length === 0) return "There is no API key. Make one with `imprint keys create <name>`.\n";
  const rows = keys.map(({ id, name, lastFour, scopes, lastUsedAt, expiresAt }) => [
    id,
    name,
    `…${lastFour}`,
    scopes === null ? "all scopes" : scopes.join(" "),
    `used ${renderTime(lastUsedAt)}`,
    expiresAt === null ? "" : `ends ${renderTime(expiresAt)}`,
  ]);
  return renderTable(rows);
}

function renderNewKey({ id, key }: NewApiKey, { out, environment }: CliContext): string {
  const paint = paintFor(out, environment);
  return `The key ${id}, shown only this once:\n\n  ${paint("strong", key)}\n\nPut it into IMPRINT_API_KEY.\n`;
}

function parseTime(text: string): string {
  const time = new Date(text);
  if (!Number.isNaN(time.getTime())) return time.toISOString();
  throw new ImprintError("USAGE", `--expires takes a date such as 2027-01-31, not "${text}".`);
}
