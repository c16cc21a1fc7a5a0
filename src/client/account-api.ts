import type { EventType } from "../contract/extension-records.ts";
import type { KeyCreateBody, WebhookCreateBody, WebhookPatchBody } from "../contract/operations/account.ts";
import type { DomainPatchBody } from "../contract/operations/visitors.ts";
import type { Scope } from "../contract/scopes.ts";
import type { CallOptions, CreateOptions, Listing } from "./api.ts";
import type {
  parseDelivery,
  parseEvent,
  parseKey,
  parseNewKey,
  parsePreviewLink,
  parseSignInLink,
  parseWebhook,
} from "./records/account-records.ts";
import type { parseDomain } from "./records/records.ts";

// What only a service of our own has, but for domains. Others announce none of it, and every method is `NOT_SUPPORTED` there.

/** An API key, without the key itself. */
export interface ApiKey extends ReturnType<typeof parseKey> {
  /** The last four characters, to distinguish keys. */
  readonly lastFour: string;
  /** `null`: all of them. */
  readonly scopes: readonly Scope[] | null;
}

/** A new API key with its text, which is shown this once. */
export interface NewApiKey extends ReturnType<typeof parseNewKey> {}

export interface WebhookInfo extends ReturnType<typeof parseWebhook> {
  /** Why it is off: by hand, because the receiver answered 410, or because it failed for days. */
  readonly disabledReason: "switched-off" | "gone" | "failing" | null;
  /** Since when no delivery has succeeded. */
  readonly failingSince: Date | null;
  /** The secret for `verifyWebhook`, where it is new. */
  readonly secret?: string;
}

/** One message to a webhook, and how its last attempt went. */
export interface DeliveryInfo extends ReturnType<typeof parseDelivery> {
  /** The `webhook-id` of the message. */
  readonly id: string;
}

/** Something that happened. */
export interface EventInfo extends ReturnType<typeof parseEvent> {}

/** A link that signs a browser in to the service's dashboard, once. */
export interface SignInLink extends ReturnType<typeof parseSignInLink> {}

/** A link that shows a post that isn't published to whoever has it. */
export interface PreviewLink extends ReturnType<typeof parsePreviewLink> {}

export interface RecentOptions extends CallOptions {
  /**
   * How many are given, newest first.
   *
   * @default 50 (at most 100)
   */
  readonly limit?: number;
}

export interface PreviewLinkRequest {
  readonly slug: string;
  /** 1 to 30. Default: 7. */
  readonly expiresInDays?: number | undefined;
}

export interface KeysApi {
  list(options?: CallOptions): Promise<Listing<ApiKey>>;
  create(key: KeyCreateBody, options?: CallOptions): Promise<NewApiKey>;
  /** Revokes a key; one that is gone already is no error. */
  revoke(id: string, options?: CallOptions): Promise<void>;
}

export interface WebhooksApi {
  list(options?: CallOptions): Promise<Listing<WebhookInfo>>;
  get(id: string, options?: CallOptions): Promise<WebhookInfo | undefined>;
  create(webhook: WebhookCreateBody, options?: CreateOptions): Promise<WebhookInfo>;
  update(id: string, change: WebhookPatchBody, options?: CallOptions): Promise<WebhookInfo>;
  delete(id: string, options?: CallOptions): Promise<void>;
  /** Queues a test message. */
  test(id: string, options?: CallOptions): Promise<DeliveryInfo>;
  deliveries(
    id: string,
    options?: RecentOptions & { readonly status?: DeliveryInfo["status"] },
  ): Promise<readonly DeliveryInfo[]>;
  /** Sends a delivery again, under its id. */
  retry(deliveryId: string, options?: CallOptions): Promise<DeliveryInfo>;
}

export interface EventsApi {
  list(options?: RecentOptions & { readonly type?: EventType }): Promise<readonly EventInfo[]>;
}

/** A custom domain. The specification shows no field of one, so that everything but its name may be missing. */
export interface CustomDomain extends ReturnType<typeof parseDomain> {
  /** Our own service says `pending`, `verified` (proven, but leads elsewhere), `active` or `failed`. */
  readonly status?: string;
  /** The record that proves who holds the domain. */
  readonly verification?: DnsRecord;
  /** The records that lead the domain to the service. */
  readonly dns: readonly DnsRecord[];
  /** The domain to which visitors are sent on. */
  readonly redirectTo?: string;
  /** When the service looks again by itself. */
  readonly nextCheckAt?: Date;
  /** What the last check missed. */
  readonly error?: string;
}

/** A record to set at the DNS host. */
export interface DnsRecord {
  /** `TXT`, `CNAME`, `A`, `AAAA` or `ALIAS`. */
  readonly type: string;
  readonly name: string;
  readonly value: string;
}

/** `null` takes a field away. */
export type DomainChange = Omit<DomainPatchBody, "verify">;

export interface DomainsApi {
  list(options?: CallOptions): Promise<Listing<CustomDomain>>;
  /** Adds a domain. One that the account has already is given as it is. */
  create(domain: { readonly domain: string; readonly siteId?: string }, options?: CreateOptions): Promise<CustomDomain>;
  /** Route set A only. */
  update(domain: string, change: DomainChange, options?: CallOptions): Promise<CustomDomain>;
  /** Route set A only. Lets the service look at the domain's DNS records now. */
  check(domain: string, options?: CallOptions): Promise<CustomDomain>;
  /** Removes a domain; one that is gone already is no error. Route set A knows it by its name, B by its id. */
  delete(domain: Pick<CustomDomain, "domain" | "id">, options?: CallOptions): Promise<void>;
}
