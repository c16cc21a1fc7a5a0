import { createHmac } from "node:crypto";
import type { Adapter, AdapterFactory, AdapterPayload, errors, Grant, KoaContextWithOIDC } from "oidc-provider";
import { sha256 } from "../../base/hash.ts";
import { parseScopes } from "../auth/grantable-scopes.ts";
import type { Core } from "../host/core.ts";
import { audit } from "../resources/audit.ts";
import type { Actor } from "../resources/context.ts";
import * as store from "../store/oauth.ts";
import { deleteRows, findRow, insertRow, updateRows } from "../store/rows.ts";
import { writeTransaction } from "../store/transactions.ts";

// oidc-provider looks records up by the text of a code or token. Only its SHA-256 is stored, so that no one who reads
// the database can impersonate a program.

/** Lifetimes of everything that the authorization server issues. */
export const LIFETIMES = {
  codeSeconds: 60,
  accessTokenSeconds: 60 * 60,
  /** Restarts with each refresh. */
  refreshTokenSeconds: 30 * 24 * 60 * 60,
  /** After this, the user has to consent again, regardless of use. */
  longestGrantSeconds: 365 * 24 * 60 * 60,
  /** How long the consent page stays valid. */
  consentSeconds: 15 * 60,
  /** For a client registration without any consent. */
  registrationSeconds: 24 * 60 * 60,
  /** How long a used refresh token still returns its successor, for programs that refresh twice at once. */
  graceSeconds: 30,
} as const;

export interface AdapterSources extends Pick<Core, "store" | "now" | "settings" | "contextOf"> {
  /** The error for a program that reuses a one-time code or token. */
  readonly InvalidGrant: typeof errors.InvalidGrant;
  /** Records the text of the refresh token that replaces the used one. */
  noteSuccessor(text: string): void;
  /** Whether the program itself is revoking its token. */
  isRevocation(): boolean;
}

/** Creates the storage adapters of oidc-provider on our database. */
export function createAdapterFactory(sources: AdapterSources): AdapterFactory {
  return (model) => {
    if (model === "Client") return createClientAdapter(sources);
    if (model === "Grant") return createGrantAdapter(sources);
    // Our own session identifies the user; the library's cookie is never used.
    return model === "Session" ? EMPTY_ADAPTER : createTokenAdapter(model, sources);
  };
}

const EMPTY_ADAPTER: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUserCode: async () => undefined,
  findByUid: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

function createTokenAdapter(kind: string, sources: AdapterSources): Adapter {
  const { now: readNow, InvalidGrant, noteSuccessor, settings } = sources;
  const { database } = sources.store;
  const nameOf = (id: string) => ({ kind, hash: sha256(id) });
  const isInGrace = (usedAt: Date | null, now: Date) =>
    kind === "RefreshToken" && usedAt !== null && now.getTime() - usedAt.getTime() < LIFETIMES.graceSeconds * 1000;
  return {
    ...EMPTY_ADAPTER,
    async upsert(id, whole, expiresIn = 0) {
      const now = readNow();
      // A successor that is issued again exists already and may be in use.
      if (kind === "RefreshToken" && (await store.findToken(database, nameOf(id), now)) !== undefined) return;
      const payload = { ...whole };
      delete payload.jti;
      const { grantId = null } = payload;
      const grant = grantId === null ? undefined : await findRow(database, "oauthGrant", { id: grantId });
      const end = (grant?.createdAt.getTime() ?? Infinity) + LIFETIMES.longestGrantSeconds * 1000;
      const expiresAt = new Date(Math.min(now.getTime() + expiresIn * 1000, end));
      await store.putToken(database, { ...nameOf(id), grantId, payload, createdAt: now, expiresAt });
      if (kind === "RefreshToken" && grantId !== null) {
        await store.recordGrantUse(database, grantId, { usedAt: now, expiresAt });
      }
    },
    async find(id) {
      const now = readNow();
      const found = await store.findToken(database, nameOf(id), now);
      if (found === undefined) return undefined;
      const { payload, expiresAt, usedAt } = found;
      const consumed =
        usedAt === null || isInGrace(usedAt, now) ? {} : { consumed: Math.floor(usedAt.getTime() / 1000) };
      return { ...payload, ...consumed, jti: id, exp: toLibraryTime(expiresAt, now) };
    },
    async consume(id) {
      const now = readNow();
      const before = await store.findToken(database, nameOf(id), now);
      const seed = Buffer.from(settings.random(SEED_BYTES)).toString("base64url");
      const payload = { ...before?.payload, seed };
      const isFirst = await store.useToken(database, nameOf(id), { now, payload });
      const found = isFirst ? undefined : await store.findToken(database, nameOf(id), now);
      if (isFirst || isInGrace(found?.usedAt ?? null, now)) {
        if (kind === "RefreshToken") noteSuccessor(successorOf(id, String((found?.payload ?? payload)["seed"])));
        return;
      }
      if (typeof found?.grantId === "string") await endGrant(sources, found.grantId);
      throw new InvalidGrant("it was already used");
    },
    async destroy(id) {
      await deleteRows(database, "oauthToken", nameOf(id));
    },
    async revokeByGrantId(grantId) {
      await deleteRows(database, "oauthToken", { grantId, kind });
    },
  };
}

const SEED_BYTES = 32;

/**
 * Concurrent refreshes with one token get the same successor, so that there is never more than one to steal. Its text
 * derives from the old one and a seed: stealing only one of them is useless.
 */
function successorOf(token: string, seed: string): string {
  return createHmac("sha256", seed).update(token).digest("base64url");
}

// `grantConsent` writes grants, since it has more information than the library.
function createGrantAdapter(sources: AdapterSources): Adapter {
  const { now: readNow } = sources;
  const { database } = sources.store;
  return {
    ...EMPTY_ADAPTER,
    async find(id) {
      const now = readNow();
      const found = await store.findGrant(database, { id }, now);
      return found && { ...found.payload, jti: id, exp: toLibraryTime(found.expiresAt, now) };
    },
    destroy: (id) => endGrant(sources, id),
  };
}

/** Revokes a grant with all of its tokens, because the program revoked one, or a used one was sent again. */
async function endGrant({ store: { database }, contextOf, isRevocation }: AdapterSources, id: string): Promise<void> {
  await writeTransaction(database, async (transaction) => {
    const grant = await findRow(transaction, "oauthGrant", { id });
    if (grant === undefined) return;
    const { accountId, userId, clientName: subject } = grant;
    const actor = isRevocation() ? ({ kind: "token", keyId: id, userId, scopes: [] } as const) : undefined;
    const detail = actor === undefined ? "A code or refresh token was reused." : "The app signed out.";
    const context = { ...contextOf(accountId), database: transaction, ...(actor && { actor }) };
    await audit(context, { action: "grant.revoked", subject, subjectId: id, detail });
    await deleteRows(transaction, "oauthGrant", { id });
  });
}

function createClientAdapter({ store: { database }, now: readNow }: AdapterSources): Adapter {
  return {
    ...EMPTY_ADAPTER,
    async upsert(id, payload) {
      const now = readNow();
      const expiresAt = new Date(now.getTime() + LIFETIMES.registrationSeconds * 1000);
      await insertRow(database, "oauthClient", { id, metadata: withoutSecret(payload), createdAt: now, expiresAt });
    },
    find: async (id) => (await findRow(database, "oauthClient", { id }))?.metadata,
  };
}

function withoutSecret(metadata: AdapterPayload): AdapterPayload {
  const { client_secret: secret } = metadata;
  return secret === undefined ? metadata : { ...metadata, client_secret: sha256(secret) };
}

// The library uses the system clock, the service its own, which tests can move.
function toLibraryTime(time: Date, now: Date): number {
  return Math.floor((Date.now() + time.getTime() - now.getTime()) / 1000);
}

/**
 * Creates a grant with the scopes selected on the consent page. Each consent creates its own grant, so that revoking
 * one program's access doesn't affect another of the same name.
 */
export async function grantConsent(core: Core, { oidc }: KoaContextWithOIDC): Promise<Grant | undefined> {
  const { client, account, params, resourceServers = {} } = oidc;
  const { approved: ticked, userId } = oidc.result?.consent ?? {};
  const approved = parseScopes(String(ticked ?? ""));
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
    await insertRow(database, "oauthGrant", {
      id,
      accountId: account.accountId,
      userId: String(userId),
      clientId: client.clientId,
      scopes,
      resources,
      createdAt,
      clientName: nameOf(client),
      redirectHost: hostOf(String(params?.["redirect_uri"] ?? "")),
      expiresAt: new Date(createdAt.getTime() + LIFETIMES.refreshTokenSeconds * 1000),
      lastUsedAt: null,
      payload: JSON.stringify(payload),
    });
    const actor: Actor = { kind: "session", keyId: "", userId: String(userId), scopes: null };
    await audit(
      { ...core.contextOf(account.accountId), database, actor },
      { action: "grant.created", subject: nameOf(client), subjectId: id, detail: scopes.join(" ") },
    );
    // A registration with a user's consent is kept.
    await updateRows(database, "oauthClient", { match: { id: client.clientId }, set: { expiresAt: null } });
  });
  return grant;
}

const LONGEST_NAME = 80;

/** Returns the display name of a program, on one line. */
export function nameOf(client: { readonly clientName?: string | undefined; readonly clientId: string }): string {
  const name = (client.clientName ?? "").replaceAll(/[\p{C}\s]+/gu, " ").trim();
  const shown = name === "" ? client.clientId : name;
  return shown.length > LONGEST_NAME ? `${shown.slice(0, LONGEST_NAME - 1)}…` : shown;
}

/** Returns where a redirect leads in a form that users can judge: its host, or a program's own scheme. */
export function hostOf(redirectUri: string): string {
  const url = URL.parse(redirectUri);
  if (url === null) return "";
  return url.host === "" ? url.protocol : url.host;
}
