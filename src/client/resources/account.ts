import { accountSchema, type Account } from "../../contract/extension-records.ts";
import type { DomainsApi, EventsApi, KeysApi, WebhooksApi } from "../account-api.ts";
import type { CallOptions } from "../api.ts";
import {
  parseDelivery,
  parseEvent,
  parseKey,
  parseNewKey,
  parsePart,
  parseWebhook,
} from "../records/account-records.ts";
import { parseDomain } from "../records/records.ts";
import type { Session } from "../session.ts";
import { createCalls } from "./calls.ts";

export async function readAccount(session: Session, { signal }: CallOptions = {}): Promise<Account | undefined> {
  if (session.capabilities().account === undefined) return undefined;
  const { json } = await session.call("account.get", { signal });
  return accountSchema.safeParse(json).data;
}

export function createKeys(session: Session): KeysApi {
  const calls = createCalls(session);
  return {
    list: calls.list("keys.list", parseKey, ["keys"]),
    create: calls.send("keys.create", parseNewKey),
    revoke: (id, options) => calls.remove("keys.delete", { ...options, parameters: [id] }),
  };
}

export function createWebhooks(session: Session): WebhooksApi {
  const calls = createCalls(session);
  return {
    list: calls.list("webhooks.list", parseWebhook, ["webhooks"]),
    get: calls.get("webhooks.get", parseWebhook),
    create: calls.send("webhooks.create", parseWebhook),
    update: calls.change("webhooks.patch", parseWebhook),
    delete: (id, options) => calls.remove("webhooks.delete", { ...options, parameters: [id] }),
    test: calls.act("webhooks.test", parseDelivery),
    async deliveries(id, { limit = 50, status, signal } = {}) {
      const query = { limit: String(limit), ...(status === undefined ? {} : { status }) };
      const { json, context } = await session.call("deliveries.list", { parameters: [id], query, signal });
      return parsePart(json, context, parseDelivery);
    },
    retry: calls.act("deliveries.retry", parseDelivery),
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

export function createDomains(session: Session): DomainsApi {
  const calls = createCalls(session);
  const change = calls.change("domains.patch", parseDomain);
  return {
    list: calls.list("domains.list", parseDomain, ["domains", "customDomains"]),
    create: calls.send("domains.create", parseDomain),
    update: change,
    check: (domain, options) => change(domain, { verify: true }, options),
    delete({ domain, id }, options) {
      const name = session.routeSet === "a" ? domain : (id ?? domain);
      return calls.remove("domains.delete", { ...options, parameters: [name] });
    },
  };
}
