import { accountSchema, type Account, type EventType } from "../../contract/extension-records.ts";
import type { KeyCreateBody, WebhookCreateBody, WebhookPatchBody } from "../../contract/operations/account.ts";
import type { DomainPatchBody } from "../../contract/operations/visitors.ts";
import type { CallOptions } from "../api.ts";
import {
  parseDelivery,
  parseEvent,
  parseKey,
  parseNewKey,
  parsePart,
  parseWebhook,
  type ApiKey,
  type DeliveryInfo,
  type EventInfo,
  type NewApiKey,
  type WebhookInfo,
} from "../records/account-records.ts";
import { parseDomain, type CustomDomain } from "../records/records.ts";
import type { Session } from "../session.ts";
import { createCalls } from "./calls.ts";

export async function readAccount(session: Session, { signal }: CallOptions = {}): Promise<Account | undefined> {
  if (session.capabilities().account === undefined) return undefined;
  const { json } = await session.call("account.get", { signal });
  return accountSchema.safeParse(json, { jitless: true }).data;
}

export type KeysApi = ReturnType<typeof createKeys>;

export function createKeys(session: Session) {
  const calls = createCalls(session);
  return {
    list: calls.list<ApiKey>("keys.list", parseKey, ["keys"]),
    create: calls.send<NewApiKey, KeyCreateBody>("keys.create", parseNewKey),
    /** Revokes a key. Succeeds if it is already gone. */
    revoke: calls.delete("keys.delete"),
  };
}

export interface RecentOptions extends CallOptions {
  /**
   * Maximum number of results, newest first.
   *
   * @default 50 (at most 100)
   */
  readonly limit?: number;
}

export type WebhooksApi = ReturnType<typeof createWebhooks>;

export function createWebhooks(session: Session) {
  const calls = createCalls(session);
  return {
    list: calls.list<WebhookInfo>("webhooks.list", parseWebhook, ["webhooks"]),
    get: calls.get<WebhookInfo>("webhooks.get", parseWebhook),
    create: calls.send<WebhookInfo, WebhookCreateBody>("webhooks.create", parseWebhook),
    update: calls.change<WebhookInfo, WebhookPatchBody>("webhooks.patch", parseWebhook),
    delete: calls.delete("webhooks.delete"),
    /** Queues a test message. */
    test: calls.act<DeliveryInfo>("webhooks.test", parseDelivery),
    async deliveries(
      id: string,
      { limit = 50, status, signal }: RecentOptions & { readonly status?: DeliveryInfo["status"] } = {},
    ): Promise<readonly DeliveryInfo[]> {
      const query = { limit: String(limit), ...(status === undefined ? {} : { status }) };
      const { json, context } = await session.call("deliveries.list", { parameters: [id], query, signal });
      return parsePart(json, context, parseDelivery);
    },
    /** Resends a delivery under the same id. */
    retry: calls.act<DeliveryInfo>("deliveries.retry", parseDelivery),
  };
}

export type EventsApi = ReturnType<typeof createEvents>;

export function createEvents(session: Session) {
  return {
    async list({ limit = 50, type, signal }: RecentOptions & { readonly type?: EventType } = {}): Promise<
      readonly EventInfo[]
    > {
      const query = { limit: String(limit), ...(type === undefined ? {} : { type }) };
      const { json, context } = await session.call("events.list", { query, signal });
      return parsePart(json, context, parseEvent);
    },
  };
}

/** `null` removes a field. */
export type DomainChange = Omit<DomainPatchBody, "verify">;

export type DomainsApi = ReturnType<typeof createDomains>;

export function createDomains(session: Session) {
  const calls = createCalls(session);
  const change = calls.change<CustomDomain, DomainPatchBody>("domains.patch", parseDomain);
  return {
    list: calls.list<CustomDomain>("domains.list", parseDomain, ["domains", "customDomains"]),
    /** Adds a domain. If the account already has it, returns it unchanged. */
    create: calls.send<CustomDomain, { readonly domain: string; readonly siteId?: string }>(
      "domains.create",
      parseDomain,
    ),
    /** Route set A only. */
    update: (domain: string, changed: DomainChange, options?: CallOptions) => change(domain, changed, options),
    /** Route set A only. Makes the service check the domain's DNS records now. */
    check: (domain: string, options?: CallOptions) => change(domain, { verify: true }, options),
    /** Removes a domain. Succeeds if it is already gone. Identified by name in route set A, and by id in B. */
    delete({ domain, id }: Pick<CustomDomain, "domain" | "id">, options?: CallOptions): Promise<void> {
      const name = session.routeSet === "a" ? domain : (id ?? domain);
      return calls.remove("domains.delete", { ...options, parameters: [name] });
    },
  };
}
