import {
  EVENT_TYPES,
  deliveryRecord,
  eventRecord,
  keyRecord,
  releaseRecord,
  webhookRecord,
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
  type PostRecord,
} from "../../contract/records.ts";
import { requestRecord } from "../../contract/requests.ts";
import { auditRecord, userRecord } from "../../contract/people.ts";
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
import { isPublic, type Post, type PostSummary } from "../store/posts.ts";
import type { Release } from "../store/releases.ts";
import type { Site } from "../store/sites.ts";
import type { StoredUser } from "../store/users.ts";
import type { Submission } from "../store/submissions.ts";

// Records as sent in JSON, with all fields of the contract; `strict` mode removes those beyond the specification.
// Optional fields contain secrets and content, and are added by the responses that return them.

const asStored =
  <Stored>(): ((stored: Stored) => object) =>
  () => ({});

export const viewForm = createView(formRecord, asStored<FormSummary>());
export const viewKey = createView(keyRecord, asStored<StoredApiKey>());
export const viewUser = createView(userRecord, asStored<StoredUser>());
export const viewAuditEntry = createView(auditRecord, asStored<AuditEntry>());
export const viewRequest = createView(requestRecord, asStored<LoggedRequest>());
export const viewRelease = createView(releaseRecord, asStored<Release>());
export const viewBrandKit = createView(brandKitRecord, ({ id }: BrandKit) => ({ kitId: id }));

export interface ViewOptions {
  readonly routeSet: RouteSetName;
  readonly context: Context;
}

export const viewPage = createView(
  pageRecord,
  ({ id, slug }: Page, { routeSet, context: { addresses } }: ViewOptions) => {
    const [path, publicUrl] = [editPath(id), publicPageUrl(addresses, slug)];
    return { url: routeSet === "a" ? path : publicUrl, editUrl: `${addresses.appUrl}${path}`, publicUrl };
  },
);

export const viewSite = createView(siteRecord, (_: Site, { addresses }: Context) => ({ url: addresses.pagesUrl }));

export const viewAsset = createView(assetRecord, (asset: Asset, { addresses }: Context) => ({
  url: assetUrl(addresses, asset),
}));

export const viewBlog = createView(blogRecord, ({ slug }: Blog, { addresses }: Context) => ({
  url: blogUrl(addresses, slug),
}));

/** Returns a post without its body. */
export const viewPost = createView(postRecord, (post: PostSummary, blog: Blog, { addresses, now }: Context) => ({
  url: postUrl(addresses, { blogSlug: blog.slug, slug: post.slug }),
  scheduled: post.status === "published" && !isPublic(post, now),
}));

/** Returns a post with its body, as it was sent. */
export function viewWholePost(post: Post, blog: Blog, context: Context): PostRecord {
  const record = viewPost(post, blog, context);
  return post.html === null ? { ...record, markdown: post.markdown } : { ...record, html: post.html, markdown: null };
}

export const viewSubmission = createView(submissionRecord, ({ id, fields }: Submission) => ({
  submissionId: id,
  fields: Object.fromEntries(fields.map(([name, value]) => [name, typeof value === "string" ? value : [...value]])),
}));

export const viewWebhook = createView(webhookRecord, ({ events, disabledReason }: Webhook) => ({
  events: EVENT_TYPES.filter((type) => events.includes(type)),
  enabled: disabledReason === null,
}));

export const viewDelivery = createView(deliveryRecord, ({ status, nextAttemptAt, lastAttempt }: Delivery) => ({
  nextAttemptAt: status === "pending" ? nextAttemptAt.toISOString() : null,
  lastAttempt: lastAttempt && { ...lastAttempt, at: lastAttempt.at.toISOString() },
}));

export const viewEvent = createView(eventRecord, asStored<StoredEvent>());
