import { accountSchema, type Account } from "../../contract/extension-records.ts";
import type { CallOptions } from "../api.ts";
import type { EventsApi, KeysApi, SignInLink, WebhooksApi } from "../account-api.ts";
import { readList } from "../listing.ts";
import {
  parseDelivery,
  parseEvent,
  parseKey,
  parseNewKey,
  parsePart,
  parseSignInLink,
  parseWebhook,
} from "../records/account-records.ts";
import { creation, findOrUndefined, jsonBody } from "../request-parts.ts";
import type { Session } from "../session.ts";

export async function readUsage(session: Session, options?: CallOptions): Promise<Account["usage"] | undefined> {
  return (await readAccount(session, options))?.usage;
}

export async function readAccount(session: Session, { signal }: CallOptions = {}): Promise<Account | undefined> {
  if (session.capabilities().account === undefined) return undefined;
  const { json } = await session.call("account.get", { signal });
  return accountSchema.safeParse(json).data;
}

export async function createSignInLink(session: Session, { signal }: CallOptions = {}): Promise<SignInLink> {
  const { json, context } = await session.call("signInLinks.create", { signal });
  return parseSignInLink(json, context);
}

export function createKeys(session: Session): KeysApi {
  return {
    list: (options) => readList(session, { operation: "keys.list", names: ["keys"], parse: parseKey, options }),
    async create(key, { signal } = {}) {
      const { json, context } = await session.call("keys.create", { body: jsonBody(key), signal });
      return parseNewKey(json, context);
    },
    async revoke(id, { signal } = {}) {
      await findOrUndefined(session.call("keys.delete", { parameters: [id], expects: "document", signal }));
    },
  };
}

export function createWebhooks(session: Session): WebhooksApi {
  return {
    list(options) {
      return readList(session, { operation: "webhooks.list", names: ["webhooks"], parse: parseWebhook, options });
    },
    async get(id, { signal } = {}) {
      const reply = await findOrUndefined(session.call("webhooks.get", { parameters: [id], signal }));
      return reply === undefined ? undefined : parseWebhook(reply.json, reply.context);
    },
    async create(webhook, options) {
      const call = { ...creation(options), body: jsonBody(webhook) };
      const { json, context } = await session.call("webhooks.create", call);
      return parseWebhook(json, context);
    },
    async update(id, change, { signal } = {}) {
      const call = { parameters: [id], body: jsonBody(change), signal };
      const { json, context } = await session.call("webhooks.patch", call);
      return parseWebhook(json, context);
    },
    async delete(id, { signal } = {}) {
      await findOrUndefined(session.call("webhooks.delete", { parameters: [id], expects: "document", signal }));
    },
    async test(id, { signal } = {}) {
      const { json, context } = await session.call("webhooks.test", { parameters: [id], signal });
      return parseDelivery(json, context);
    },
    async deliveries(id, { limit = 50, status, signal } = {}) {
      const query = { limit: String(limit), ...(status === undefined ? {} : { status }) };
      const { json, context } = await session.call("deliveries.list", { parameters: [id], query, signal });
      return parsePart(json, context, parseDelivery);
    },
    async retry(deliveryId, { signal } = {}) {
      const { json, context } = await session.call("deliveries.retry", { parameters: [deliveryId], signal });
      return parseDelivery(json, context);
    },
  };
}

export function createEvents(session: Session): EventsApi {
  return {
    async list({ limit = 50, type, signal } = {}) {
      const query = { limit: String(limit), ...(type === undefined ? {} : { type }) };
      const { json, context } = await session.call("events.list", { query, signal });
      return parsePart(json, context, parseEvent);
    },
  };
}
