import {
  EVENT_TYPES,
  deliveryRecord,
  eventRecord,
  keyRecord,
  releaseRecord,
  webhookRecord,
  type DeliveryRecord,
  type EventRecord,
  type ReleaseRecord,
  type WebhookRecord,
} from "../../contract/extension-records.ts";
import {
  assetRecord,
  blogRecord,
  brandKitRecord,
  formRecord,
  pageRecord,
  postRecord,
  siteRecord,
  submissionRecord,
  type AssetRecord,
  type BlogRecord,
  type BrandKitRecord,
  type PageRecord,
  type PostRecord,
  type SiteRecord,
  type SubmissionRecord,
} from "../../contract/records.ts";
import { requestRecord, type RequestRecord } from "../../contract/requests.ts";
import { auditRecord, userRecord, type AuditRecord, type UserRecord } from "../../contract/people.ts";
import type { RouteSetName } from "../../contract/route.ts";
import { assetUrl, blogUrl, editPath, postUrl, publicPageUrl } from "../resources/addresses.ts";
import type { Context } from "../resources/context.ts";
import { createView } from "../resources/fields.ts";
import type { StoredApiKey } from "../store/api-keys.ts";
import type { Asset } from "../store/assets.ts";
import type { AuditEntry } from "../store/audit.ts";
import type { LoggedRequest } from "../store/requests.ts";
import type { Blog } from "../store/blogs.ts";
import type { BrandKit } from "../store/brand-kits.ts";
import type { Delivery, StoredEvent, Webhook } from "../store/webhooks.ts";
import type { FormSummary } from "../store/forms.ts";
import type { Page } from "../store/pages.ts";
import type { Post, PostSummary } from "../store/posts.ts";
import type { Release } from "../store/releases.ts";
import type { Site } from "../store/sites.ts";
import type { StoredUser } from "../store/users.ts";
import type { Submission } from "../store/submissions.ts";

// Records as sent in JSON, with all fields of the contract; `strict` mode removes those beyond the specification.
// Optional fields contain secrets and content, and are added by the responses that return them.

const showPage = createView<Page, typeof pageRecord>(pageRecord);
const showSite = createView<Site, typeof siteRecord>(siteRecord);
const showAsset = createView<Asset, typeof assetRecord>(assetRecord);
const showBlog = createView<Blog, typeof blogRecord>(blogRecord);
const showPost = createView<PostSummary, typeof postRecord>(postRecord);
const showBrandKit = createView<BrandKit, typeof brandKitRecord>(brandKitRecord);
const showForm = createView<FormSummary, typeof formRecord>(formRecord);
const showSubmission = createView<Submission, typeof submissionRecord>(submissionRecord);
const showKey = createView<StoredApiKey, typeof keyRecord>(keyRecord);
const showUser = createView<StoredUser, typeof userRecord>(userRecord);
const showRequest = createView<LoggedRequest, typeof requestRecord>(requestRecord);
const showAudit = createView<AuditEntry, typeof auditRecord>(auditRecord);
const showWebhook = createView<Webhook, typeof webhookRecord>(webhookRecord);
const showDelivery = createView<Delivery, typeof deliveryRecord>(deliveryRecord);
const showRelease = createView<Release, typeof releaseRecord>(releaseRecord);
const showEvent = createView<StoredEvent, typeof eventRecord>(eventRecord);

export interface ViewOptions {
  readonly routeSet: RouteSetName;
  readonly context: Context;
}

export function viewPage(page: Page, { routeSet, context: { addresses } }: ViewOptions): PageRecord {
  const [path, publicUrl] = [editPath(page.id), publicPageUrl(addresses, page.slug)];
  return showPage(page, { url: routeSet === "a" ? path : publicUrl, editUrl: `${addresses.appUrl}${path}`, publicUrl });
}

export function viewSite(site: Site, { addresses }: Context): SiteRecord {
  return showSite(site, { url: addresses.pagesUrl });
}

export function viewAsset(asset: Asset, { addresses }: Context): AssetRecord {
  return showAsset(asset, { url: assetUrl(addresses, asset) });
}

export function viewBlog(blog: Blog, { addresses }: Context): BlogRecord {
  return showBlog(blog, { url: blogUrl(addresses, blog.slug) });
}

/** Returns a post without its body. */
export function viewPost(post: PostSummary, blog: Blog, { addresses }: Context): PostRecord {
  return showPost(post, { url: postUrl(addresses, { blogSlug: blog.slug, slug: post.slug }) });
}

/** Returns a post with its body, as it was sent. */
export function viewWholePost(post: Post, blog: Blog, context: Context): PostRecord {
  const record = viewPost(post, blog, context);
  return post.html === null ? { ...record, markdown: post.markdown } : { ...record, html: post.html, markdown: null };
}

export function viewBrandKit(kit: BrandKit): BrandKitRecord {
  return showBrandKit(kit, { kitId: kit.id });
}

export function viewForm(form: FormSummary) {
  return showForm(form, {});
}

export function viewSubmission(submission: Submission): SubmissionRecord {
  const entries = submission.fields.map(
    ([name, value]) => [name, typeof value === "string" ? value : [...value]] as const,
  );
  return showSubmission(submission, { submissionId: submission.id, fields: Object.fromEntries(entries) });
}

export function viewKey(key: StoredApiKey) {
  return showKey(key, {});
}

export function viewUser(user: StoredUser): UserRecord {
  return showUser(user, {});
}

export function viewAuditEntry(entry: AuditEntry): AuditRecord {
  return showAudit(entry, {});
}

export function viewRequest(request: LoggedRequest): RequestRecord {
  return showRequest(request, {});
}

export function viewWebhook(webhook: Webhook): WebhookRecord {
  const events = EVENT_TYPES.filter((type) => webhook.events.includes(type));
  return showWebhook(webhook, { events, enabled: webhook.disabledReason === null });
}

export function viewDelivery(delivery: Delivery): DeliveryRecord {
  const { status, nextAttemptAt, lastAttempt } = delivery;
  return showDelivery(delivery, {
    nextAttemptAt: status === "pending" ? nextAttemptAt.toISOString() : null,
    lastAttempt: lastAttempt && { ...lastAttempt, at: lastAttempt.at.toISOString() },
  });
}

export function viewRelease(release: Release): ReleaseRecord {
  return showRelease(release, {});
}

export function viewEvent(event: StoredEvent): EventRecord {
  const type = EVENT_TYPES.find((known) => known === event.type);
  if (type === undefined) throw new Error(`Unknown event type in the store: ${event.type}.`);
  return showEvent(event, { type });
}
