import type {
  AssetRecord,
  BlogRecord,
  BrandKitRecord,
  PageRecord,
  PostRecord,
  SiteRecord,
  FormRecord,
  SubmissionRecord,
  DomainRecord,
} from "../../contract/records.ts";
import type { RouteSetName } from "../../contract/route.ts";
import type { Context } from "../resources/context.ts";
import { assetUrl, blogUrl, editPath, postUrl, publicPageUrl } from "../resources/addresses.ts";
import type { Asset } from "../store/assets.ts";
import type { Blog } from "../store/blogs.ts";
import type { BrandKit } from "../store/brand-kits.ts";
import type { Page } from "../store/pages.ts";
import type { Post, PostSummary } from "../store/posts.ts";
import type { Site } from "../store/sites.ts";
import type { FormSummary } from "../store/forms.ts";
import type { Submission } from "../store/submissions.ts";
import { EVENT_TYPES } from "../../contract/events.ts";
import type { DeliveryRecord, EventRecord, KeyRecord, WebhookRecord } from "../../contract/extension-records.ts";
import type { StoredApiKey } from "../store/api-keys.ts";
import type { Delivery } from "../store/deliveries.ts";
import type { StoredEvent } from "../store/events.ts";
import type { Webhook } from "../store/webhooks.ts";
import { isApex, routingRecords, verificationRecord, type DomainTarget } from "../resources/domain-name.ts";
import { findCertificates, type StoredCertificate } from "../store/certificates.ts";
import type { Domain } from "../store/domains.ts";

// Records as the wire shows them, with all fields; `strict` mode takes away what the specification does not show.

export interface ViewOptions {
  readonly routeSet: RouteSetName;
  readonly context: Context;
}

export function viewPage(page: Page, { routeSet, context }: ViewOptions): PageRecord {
  const { addresses } = context;
  const publicUrl = publicPageUrl(addresses, page.slug);
  return {
    id: page.id,
    slug: page.slug,
    url: routeSet === "a" ? editPath(page.id) : publicUrl,
    title: page.title,
    status: page.status,
    createdAt: page.createdAt.toISOString(),
    updatedAt: page.updatedAt.toISOString(),
    publishedAt: page.publishedAt?.toISOString() ?? null,
    version: page.version,
    contentHash: page.contentHash,
    bytes: page.bytes,
    siteId: page.siteId,
    editUrl: `${addresses.appUrl}${editPath(page.id)}`,
    publicUrl,
    description: page.description,
  };
}

export function viewSite(site: Site, { addresses }: Context): SiteRecord {
  return {
    id: site.id,
    name: site.name,
    createdAt: site.createdAt.toISOString(),
    slug: site.slug,
    url: addresses.pagesUrl,
    homeSlug: site.homeSlug,
    brandKitId: site.brandKitId,
    domain: site.domain,
    pageCount: site.pageCount,
    version: site.version,
    updatedAt: site.updatedAt.toISOString(),
  };
}

export function viewAsset(asset: Asset, { addresses }: Context): AssetRecord {
  return {
    id: asset.id,
    name: asset.name,
    url: assetUrl(addresses, asset),
    contentType: asset.contentType,
    size: asset.size,
    createdAt: asset.createdAt.toISOString(),
    width: asset.width,
    height: asset.height,
    alt: asset.alt,
    tags: [...asset.tags],
    hash: asset.hash,
    usedBy: asset.usedBy,
  };
}

export function viewBlog(blog: Blog, { addresses }: Context): BlogRecord {
  return {
    id: blog.id,
    name: blog.name,
    slug: blog.slug,
    url: blogUrl(addresses, blog.slug),
    createdAt: blog.createdAt.toISOString(),
    description: blog.description,
    siteId: blog.siteId,
    postCount: blog.postCount,
    updatedAt: blog.updatedAt.toISOString(),
  };
}

/** A post without its body. */
export function viewPost(post: PostSummary, blog: Blog, { addresses }: Context): PostRecord {
  return {
    id: post.id,
    blogId: post.blogId,
    slug: post.slug,
    title: post.title,
    url: postUrl(addresses, { blogSlug: blog.slug, slug: post.slug }),
    status: post.status,
    publishedAt: post.publishedAt?.toISOString() ?? null,
    createdAt: post.createdAt.toISOString(),
    updatedAt: post.updatedAt.toISOString(),
    excerpt: post.excerpt,
    coverImage: post.coverImage,
    tags: [...post.tags],
    author: post.author,
    canonicalUrl: post.canonicalUrl,
    version: post.version,
    contentHash: post.contentHash,
  };
}

/** A post with its body, as it was sent. */
export function viewWholePost(post: Post, blog: Blog, context: Context): PostRecord {
  const record = viewPost(post, blog, context);
  return post.html === null ? { ...record, markdown: post.markdown } : { ...record, html: post.html, markdown: null };
}

export function viewBrandKit(kit: BrandKit): BrandKitRecord {
  return {
    kitId: kit.id,
    id: kit.id,
    name: kit.name,
    colors: [...kit.colors],
    fonts: [...kit.fonts],
    logos: [...kit.logos],
    createdAt: kit.createdAt.toISOString(),
    sourceUrl: kit.sourceUrl,
    version: kit.version,
    updatedAt: kit.updatedAt.toISOString(),
  };
}

export function viewForm(form: FormSummary): FormRecord {
  return {
    id: form.id,
    name: form.name,
    pageId: form.pageId,
    pageSlug: form.pageSlug,
    fields: form.fields.map((field) => ({ ...field })),
    submissionCount: form.submissionCount,
    createdAt: form.createdAt.toISOString(),
    lastSubmissionAt: form.lastSubmissionAt?.toISOString() ?? null,
  };
}

export function viewSubmission(submission: Submission): SubmissionRecord {
  const fields = submission.fields.map(
    ([name, value]) => [name, typeof value === "string" ? value : [...value]] as const,
  );
  return {
    submissionId: submission.id,
    formId: submission.formId,
    pageId: submission.pageId,
    pageSlug: submission.pageSlug,
    fields: Object.fromEntries(fields),
    createdAt: submission.createdAt.toISOString(),
    email: submission.email,
    lead: submission.lead,
    spam: submission.spam,
  };
}

// Records of extensions as the wire shows them: never a secret, which the answer that makes it adds.

export function viewKey(key: StoredApiKey): KeyRecord {
  return {
    id: key.id,
    name: key.name,
    environment: key.environment,
    lastFour: key.lastFour,
    scopes: key.scopes === null ? null : [...key.scopes],
    createdAt: key.createdAt.toISOString(),
    lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
    expiresAt: key.expiresAt?.toISOString() ?? null,
  };
}

export function viewWebhook(webhook: Webhook): WebhookRecord {
  return {
    id: webhook.id,
    url: webhook.url,
    description: webhook.description,
    events: EVENT_TYPES.filter((type) => webhook.events.includes(type)),
    enabled: webhook.disabledReason === null,
    disabledReason: webhook.disabledReason,
    failingSince: webhook.failingSince?.toISOString() ?? null,
    oldSecretUntil: webhook.oldSecretUntil?.toISOString() ?? null,
    createdAt: webhook.createdAt.toISOString(),
    updatedAt: webhook.updatedAt.toISOString(),
  };
}

export function viewDelivery(delivery: Delivery): DeliveryRecord {
  const { lastAttempt } = delivery;
  return {
    id: delivery.id,
    webhookId: delivery.webhookId,
    eventId: delivery.eventId,
    type: delivery.type,
    status: delivery.status,
    attempts: delivery.attempts,
    nextAttemptAt: delivery.status === "pending" ? delivery.nextAttemptAt.toISOString() : null,
    createdAt: delivery.createdAt.toISOString(),
    finishedAt: delivery.finishedAt?.toISOString() ?? null,
    lastAttempt: lastAttempt && { ...lastAttempt, at: lastAttempt.at.toISOString() },
  };
}

export function viewEvent(event: StoredEvent): EventRecord {
  const type = EVENT_TYPES.find((known) => known === event.type);
  if (type === undefined) throw new Error(`The store holds an event of the unknown type ${event.type}.`);
  return { id: event.id, type, createdAt: event.createdAt.toISOString(), data: { ...event.data } };
}

/** Domains as the wire shows them: with what has to be set at the DNS host, and how it stands with certificates. */
export async function viewDomains(context: Context, domains: readonly Domain[]): Promise<readonly DomainRecord[]> {
  const ids = domains.map(({ id }) => id);
  const certificates = await findCertificates(context.database, ids);
  const { target, hasCertificates } = context.domains;
  return await Promise.all(
    domains.map((domain) => {
      return viewDomain(domain, { target, hasCertificates, certificate: certificates.get(domain.id) });
    }),
  );
}

interface DomainViewOptions {
  readonly target: DomainTarget;
  /** The service gets certificates. */
  readonly hasCertificates: boolean;
  readonly certificate: StoredCertificate | undefined;
}

async function viewDomain(
  domain: Domain,
  { target, hasCertificates, certificate }: DomainViewOptions,
): Promise<DomainRecord> {
  const { name } = domain;
  return {
    id: domain.id,
    domain: name,
    status: domain.status,
    verification: verificationRecord(domain),
    dns: [...routingRecords({ name, isApex: await isApex(name) }, target)],
    ssl: {
      status: sslStatus(certificate, { hasCertificates }),
      issuer: certificate?.issuer ?? null,
      expiresAt: certificate?.expiresAt?.toISOString() ?? null,
    },
    createdAt: domain.createdAt.toISOString(),
    siteId: domain.siteId,
    redirectTo: domain.redirectTo,
    lastCheckedAt: domain.lastCheckedAt?.toISOString() ?? null,
    nextCheckAt: domain.nextCheckAt?.toISOString() ?? null,
    error: domain.error ?? certificate?.error ?? null,
  };
}

function sslStatus(
  certificate: StoredCertificate | undefined,
  { hasCertificates }: Pick<DomainViewOptions, "hasCertificates">,
): DomainRecord["ssl"]["status"] {
  if (!hasCertificates) return "off";
  if (certificate?.isReady === true) return "active";
  return (certificate?.error ?? null) === null ? "pending" : "failed";
}
