import type { EventType } from "../contract/events.ts";
import type { KeyCreateBody, WebhookCreateBody, WebhookPatchBody } from "../contract/requests.ts";
import type { Scope } from "../contract/scopes.ts";
import type { CallOptions, CreateOptions, Listing } from "./api.ts";

// What only a service of our own has. Others announce none of it, and every method is `NOT_SUPPORTED` there.

/** An API key, without the key itself. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  /** The last four characters, to tell keys apart. */
  readonly lastFour: string;
  /** `null`: all of them. */
  readonly scopes: readonly Scope[] | null;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
}

/** A new API key with its text, which is shown this once. */
export interface NewApiKey extends ApiKey {
  readonly key: string;
}

export interface WebhookInfo {
  readonly id: string;
  readonly url: string;
  readonly description: string | null;
  readonly events: readonly EventType[];
  readonly enabled: boolean;
  /** Why it is off: by hand, because the receiver answered 410, or because it failed for days. */
  readonly disabledReason: "switched-off" | "gone" | "failing" | null;
  /** Since when no delivery has succeeded. */
  readonly failingSince: Date | null;
  /** The secret for `verifyWebhook`, where it is new. */
  readonly secret?: string;
  readonly createdAt: Date;
}

/** One message to a webhook, and how its last attempt went. */
export interface DeliveryInfo {
  /** The `webhook-id` of the message. */
  readonly id: string;
  readonly webhookId: string;
  readonly type: string;
  readonly status: "pending" | "delivered" | "failed";
  readonly attempts: number;
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  readonly lastAttempt: {
    readonly at: Date;
    readonly ms: number;
    /** `null` when there was no answer. */
    readonly status: number | null;
    readonly error: string | null;
    /** The beginning of the answer, at most 2 KiB. */
    readonly answer: string | null;
  } | null;
}

/** Something that happened. */
export interface EventInfo {
  readonly id: string;
  readonly type: EventType;
  readonly createdAt: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface RecentOptions extends CallOptions {
  /**
   * How many are given, newest first.
   *
   * @default 50 (at most 100)
   */
  readonly limit?: number;
}

/** A link that signs a browser in to the service's dashboard, once. */
export interface SignInLink {
  readonly url: string;
  readonly expiresAt: Date;
}

/** A link that shows a post that isn't published to whoever has it. */
export interface PreviewLink {
  readonly url: string;
  readonly expiresAt: Date;
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
  /** Queues a message that tells nothing. */
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
