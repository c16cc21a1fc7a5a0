import * as z from "zod";
import {
  count,
  createdAt,
  extensionRecord,
  id,
  siteId,
  textOrNull,
  timeOrNull,
  timestamp,
  updatedAt,
} from "./fields.ts";
import { SCOPES } from "./scopes.ts";

export const keyRecord = extensionRecord("Key", () => ({
  id,
  name: z.string().meta({ title: "Name", description: "Who or what uses the key, such as CI." }),
  environment: z.string().meta({ title: "Environment", description: "Environment that the key names, such as live." }),
  lastFour: z.string().meta({ title: "Ends in", description: "Last four characters of the key." }),
  userId: textOrNull.meta({
    title: "User",
    description: "ID of the user, whose role limits the key; null for a key of the account itself.",
  }),
  scopes: z
    .array(z.enum(SCOPES))
    .nullable()
    .meta({ title: "Scopes", description: "What the key may do; null for everything." }),
  createdAt,
  lastUsedAt: timeOrNull.meta({ title: "Last used", description: "When it was last used; null for never." }),
  expiresAt: timeOrNull.meta({ title: "Expires", description: "When it expires; null for never." }),
  key: z.string().optional().meta({ title: "Key", description: "The key itself, returned only when it is created." }),
}));

/** A one-time link that signs a browser in to the dashboard. */
export const signInLinkRecord = extensionRecord("SignInLink", () => ({
  expiresAt: timestamp.meta({ title: "Expires", description: "When the link expires." }),
  url: z.url().optional().meta({ title: "Link", description: "The link, returned only when it is created." }),
}));

/** A link that shows an unpublished post to anyone who has the link. */
export const previewLinkRecord = extensionRecord("PreviewLink", () => ({
  expiresAt: timestamp.meta({ title: "Expires", description: "When the link expires." }),
  url: z.url().optional().meta({ title: "Link", description: "The link, returned only when it is created." }),
}));

/** Event types of webhooks, with our service's names (specification, "Events"). */
export const EVENT_TYPES = [
  "page.published",
  "page.updated",
  "page.deleted",
  "release.published",
  "form.submitted",
  "lead.captured",
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

export const webhookRecord = extensionRecord("Webhook", () => ({
  id,
  url: z.string().meta({ title: "Address", description: "Receives a POST request for each event." }),
  description: textOrNull.meta({ title: "Description", description: "Reminds you what the webhook is for." }),
  events: z.array(z.enum(EVENT_TYPES)).meta({ title: "Events", description: "Events that the webhook receives." }),
  enabled: z.boolean().meta({ title: "Enabled", description: "Whether events are delivered." }),
  disabledReason: z
    .enum(["switched-off", "gone", "failing"])
    .nullable()
    .meta({ title: "Disabled because", description: "Why events aren't delivered; null while they are." }),
  failingSince: timeOrNull.meta({
    title: "Failing since",
    description: "When deliveries began to fail; null while they succeed.",
  }),
  oldSecretUntil: timeOrNull.meta({
    title: "Old secret until",
    description: "Until when the secret from before the last rotation also signs; null without a rotation.",
  }),
  createdAt,
  updatedAt,
  secret: z
    .string()
    .optional()
    .meta({ title: "Secret", description: "Signs the requests. Returned only on creation and rotation." }),
}));

export const DELIVERY_STATUSES = ["pending", "delivered", "failed"] as const;

export const deliveryRecord = extensionRecord("Delivery", () => ({
  id,
  webhookId: z.string().meta({ title: "Webhook", description: "ID of the webhook." }),
  eventId: textOrNull.meta({ title: "Event ID", description: "ID of the event; null for a test." }),
  type: z.string().meta({ title: "Event", description: "Type of the event." }),
  status: z.enum(DELIVERY_STATUSES).meta({ title: "Status", description: "State of the delivery." }),
  attempts: count.meta({ title: "Attempts", description: "Number of attempts so far." }),
  nextAttemptAt: timeOrNull.meta({
    title: "Next attempt",
    description: "When the next attempt is due; null for none.",
  }),
  createdAt,
  finishedAt: timeOrNull.meta({ title: "Finished", description: "When it was delivered or canceled." }),
  lastAttempt: z
    .object({
      at: timestamp,
      ms: count,
      status: z.int().nullable(),
      error: z.string().nullable(),
      answer: z.string().nullable(),
    })
    .nullable()
    .meta({ title: "Last attempt", description: "Result of the last attempt; null before the first." }),
}));

export const eventRecord = extensionRecord("Event", () => ({
  id,
  type: z.enum(EVENT_TYPES).meta({ title: "Event", description: "Type of the event." }),
  createdAt: timestamp.meta({ title: "Time", description: "When it happened." }),
  data: z.record(z.string(), z.unknown()).meta({ title: "Data", description: "Data of the event." }),
}));

export const RELEASE_STATES = ["open", "published", "expired"] as const;

/** A whole site that is published at once. */
export const releaseRecord = extensionRecord("Release", () => ({
  id,
  siteId,
  preview: textOrNull.meta({
    title: "Preview",
    description: "Name of the preview that it belongs to; null for the site itself.",
  }),
  state: z.enum(RELEASE_STATES).meta({
    title: "State",
    description: "An open release is invisible to readers; an expired one was never published.",
  }),
  live: z.boolean().meta({ title: "Live", description: "Whether readers see this release." }),
  parent: textOrNull.meta({
    title: "Parent",
    description: "ID of the release that was live before; null for the first.",
  }),
  manifest: textOrNull.meta({
    title: "Manifest",
    description: "Hash of the complete list of pages, as computed by the publisher; null until it is published.",
  }),
  rollbackOf: textOrNull.meta({
    title: "Rollback to",
    description: "ID of the earlier release whose content it restored; null for others.",
  }),
  author: textOrNull.meta({ title: "Published by", description: "Name of the API key or person; null if unknown." }),
  pages: count.meta({ title: "Changed pages", description: "Number of pages that it adds or changes." }),
  removes: count.meta({ title: "Removed pages", description: "Number of pages that it removes." }),
  kept: z.array(z.string()).meta({
    title: "Kept pages",
    description: "Slugs of pages that were edited by hand and therefore not changed.",
  }),
  createdAt,
  publishedAt: timeOrNull.meta({ title: "Published", description: "When readers first saw it; null for never." }),
  expiresAt: timeOrNull.meta({ title: "Expires", description: "When an open release expires; null once published." }),
  settledAt: timeOrNull.meta({
    title: "Settled",
    description: "When all events of its pages were recorded; null until then.",
  }),
}));

/** How often records of a kind were created, changed and deleted, and when that last happened. */
const recordChangesSchema = z.object({ count, latest: timestamp.nullable() });

/**
 * What `GET /api/account` returns (extension): the plan, the current limits and what the service can do beyond the
 * specification.
 */
export const accountSchema = z.object({
  id: z.string(),
  name: z.string(),
  plan: z.enum(["trial", "grow", "pro"]),
  routeSet: z.enum(["a", "b"]),
  pagesUrl: z.string(),
  limits: z.record(z.string(), z.number()),
  usage: z.object({ pages: count, sites: count, assets: count, blogs: count, posts: count, brandKits: count }),
  /** While these are the same, so are the records: a client that has cached them needn't list them again. */
  changes: z
    .object({ sites: recordChangesSchema, blogs: recordChangesSchema, brandKits: recordChangesSchema })
    .partial()
    .optional(),
  capabilities: z.object({
    /** Title, description, status and site of a page can be changed without its HTML. */
    "pages.update": z.boolean().optional(),
    /** One response contains everything that visitors did on a page. */
    "pages.analytics": z.boolean().optional(),
    /** Visits can be broken down by source, campaign, browser, system, and the pages where they began and ended. */
    "analytics.visits": z.boolean().optional(),
    "posts.update": z.boolean(),
    "posts.delete": z.boolean(),
    /** A draft can be shown to others by a link that expires. */
    "posts.previewLinks": z.boolean().optional(),
    "assets.types": z.enum(["any", "images"]),
    /** `usedBy` of a file counts everything that uses it: pages, posts, blogs, brand kits and other files. */
    "assets.uses": z.boolean().optional(),
    /** Addresses of pages below a site's `basePath` lead to the pages. */
    "sites.basePath": z.boolean().optional(),
    keys: z.boolean().optional(),
    webhooks: z.boolean().optional(),
    /** Several people use the account, each with a role. */
    users: z.boolean().optional(),
    /** The requests to the API can be listed. */
    requests: z.boolean().optional(),
    /** A whole site can be published at once, and an earlier release restored. */
    releases: z.boolean().optional(),
    dashboard: z.boolean().optional(),
  }),
});

export type KeyRecord = z.infer<typeof keyRecord.full>;
export type WebhookRecord = z.infer<typeof webhookRecord.full>;
export type DeliveryRecord = z.infer<typeof deliveryRecord.full>;
export type ReleaseRecord = z.infer<typeof releaseRecord.full>;
export type EventRecord = z.infer<typeof eventRecord.full>;
export type Account = z.infer<typeof accountSchema>;
