import type { Grant, KoaContextWithOIDC } from "oidc-provider";
import type { Core } from "../host/core.ts";
import { insertGrant, keepClient } from "../store/oauth.ts";
import { writeTransaction } from "../store/transactions.ts";
import { LIFETIMES } from "./lifetimes.ts";
import { parseScopes } from "../auth/grantable-scopes.ts";

/**
 * Makes a grant of what a person has ticked on the consent page. Each answer makes its own, so that taking back what
 * one program may do leaves another of the same name alone.
 */
export async function grantConsent(core: Core, { oidc }: KoaContextWithOIDC): Promise<Grant | undefined> {
  const { client, account, params, resourceServers = {} } = oidc;
  const approved = parseScopes(String(oidc.result?.consent?.["approved"] ?? ""));
  if (client === undefined || account === undefined || approved.length === 0) return undefined;
  const asked = parseScopes(String(params?.["scope"] ?? ""));
  const scopes = asked.filter((scope) => approved.includes(scope));
  const refused = asked.filter((scope) => !approved.includes(scope));
  const resources = Object.keys(resourceServers);
  const grant = new oidc.provider.Grant({ clientId: client.clientId, accountId: account.accountId });
  for (const resource of resources) {
    grant.addResourceScope(resource, [...scopes]);
    if (refused.length > 0) grant.rejectResourceScope(resource, [...refused]);
  }
  const id = await grant.save();
  const payload = Object.fromEntries(Object.entries(grant).filter(([name]) => name !== "jti"));
  const createdAt = core.now();
  await writeTransaction(core.store.database, async (database) => {
    await insertGrant(database, {
      ...{ id, accountId: account.accountId, clientId: client.clientId, scopes, resources, createdAt },
      clientName: nameOf(client),
      redirectHost: hostOf(String(params?.["redirect_uri"] ?? "")),
      expiresAt: new Date(createdAt.getTime() + LIFETIMES.refreshTokenSeconds * 1000),
      lastUsedAt: null,
      payload,
    });
    await keepClient(database, client.clientId);
  });
  return grant;
}

const LONGEST_NAME = 80;

/** What a program calls itself, or is known by, on one line. */
export function nameOf(client: { readonly clientName?: string | undefined; readonly clientId: string }): string {
  const name = (client.clientName ?? "").replaceAll(/[\p{C}\s]+/gu, " ").trim();
  const shown = name === "" ? client.clientId : name;
  return shown.length > LONGEST_NAME ? `${shown.slice(0, LONGEST_NAME - 1)}…` : shown;
}

/** Where a redirect leads, as a person can judge it: its host, or the scheme of a program's own. */
export function hostOf(redirectUri: string): string {
  const url = URL.parse(redirectUri);
  if (url === null) return "";
  return url.host === "" ? url.protocol : url.host;
}
