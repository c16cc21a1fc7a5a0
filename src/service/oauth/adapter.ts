import type { Adapter, AdapterFactory, AdapterPayload, errors } from "oidc-provider";
import { sha256 } from "../../base/hash.ts";
import type { Core } from "../host/core.ts";
import * as store from "../store/oauth.ts";
import { LIFETIMES } from "./lifetimes.ts";

// oidc-provider asks for records by the text of a code or a token. Only the SHA-256 of that text is stored, so that
// nobody who reads the database can act for a program.

export interface AdapterSources extends Pick<Core, "store" | "now"> {
  /** The error that a program gets which comes second with a code or a token that is good for one use. */
  readonly InvalidGrant: typeof errors.InvalidGrant;
}

/** How oidc-provider keeps what it has to remember in our database. */
export function createAdapterFactory(sources: AdapterSources): AdapterFactory {
  return (model) => {
    if (model === "Client") return createClientAdapter(sources);
    if (model === "Grant") return createGrantAdapter(sources);
    // Who is signed in is told by our own session; nothing is ever found by the library's cookie.
    return model === "Session" ? NOTHING_KEPT : createTokenAdapter(model, sources);
  };
}

const NOTHING_KEPT: Adapter = {
  upsert: async () => {},
  find: async () => undefined,
  findByUserCode: async () => undefined,
  findByUid: async () => undefined,
  consume: async () => {},
  destroy: async () => {},
  revokeByGrantId: async () => {},
};

function createTokenAdapter(
  kind: string,
  { store: { database }, now: readNow, InvalidGrant }: AdapterSources,
): Adapter {
  const nameOf = (id: string) => ({ kind, hash: sha256(id) });
  return {
    ...NOTHING_KEPT,
    async upsert(id, whole, expiresIn = 0) {
      const now = readNow();
      const payload = { ...whole };
      delete payload.jti;
      const expiresAt = new Date(now.getTime() + expiresIn * 1000);
      const { grantId = null } = payload;
      await store.putToken(database, { ...nameOf(id), grantId, payload, createdAt: now, expiresAt });
      if (kind === "RefreshToken" && grantId !== null) {
        await store.noteGrantUse(database, grantId, { usedAt: now, expiresAt });
      }
    },
    async find(id) {
      const now = readNow();
      const found = await store.findToken(database, nameOf(id), now);
      if (found === undefined) return undefined;
      const { payload, expiresAt, usedAt } = found;
      const consumed = usedAt === null ? {} : { consumed: Math.floor(usedAt.getTime() / 1000) };
      return { ...payload, ...consumed, jti: id, exp: toLibraryTime(expiresAt, now) };
    },
    async consume(id) {
      const now = readNow();
      if (await store.useToken(database, nameOf(id), now)) return;
      const found = await store.findToken(database, nameOf(id), now);
      if (typeof found?.grantId === "string") await store.deleteGrant(database, found.grantId);
      throw new InvalidGrant("it was already used");
    },
    destroy: (id) => store.deleteToken(database, nameOf(id)),
    revokeByGrantId: (grantId) => store.deleteTokensOfGrant(database, { grantId, kind }),
  };
}

// A grant is written by `saveGrant`, which knows more of it than the library does.
function createGrantAdapter({ store: { database }, now: readNow }: AdapterSources): Adapter {
  return {
    ...NOTHING_KEPT,
    async find(id) {
      const now = readNow();
      const found = await store.findGrantPayload(database, id, now);
      return found && { ...found.payload, jti: id, exp: toLibraryTime(found.expiresAt, now) };
    },
    async destroy(id) {
      await store.deleteGrant(database, id);
    },
  };
}

function createClientAdapter({ store: { database }, now: readNow }: AdapterSources): Adapter {
  return {
    ...NOTHING_KEPT,
    async upsert(id, payload) {
      const now = readNow();
      const expiresAt = new Date(now.getTime() + LIFETIMES.registrationSeconds * 1000);
      await store.insertClient(database, { id, metadata: withoutSecret(payload), createdAt: now, expiresAt });
    },
    find: (id) => store.findClientMetadata(database, id),
  };
}

function withoutSecret(metadata: AdapterPayload): AdapterPayload {
  const { client_secret: secret } = metadata;
  return secret === undefined ? metadata : { ...metadata, client_secret: sha256(secret) };
}

// The library goes by the clock of the system, the service by its own, which a test can move.
function toLibraryTime(time: Date, now: Date): number {
  return Math.floor((Date.now() + time.getTime() - now.getTime()) / 1000);
}
