import * as z from "zod";
import { ACCOUNT_OPERATIONS } from "./operations/account.ts";
import { BLOG_OPERATIONS } from "./operations/blogs.ts";
import { CONTENT_OPERATIONS } from "./operations/content.ts";
import { PEOPLE_OPERATIONS } from "./operations/people.ts";
import { LIBRARY_OPERATIONS } from "./operations/library.ts";
import { RELEASE_OPERATIONS } from "./operations/releases.ts";
import { VISITOR_OPERATIONS } from "./operations/visitors.ts";
import type { Method, Operation, Route, RouteSetName } from "./route.ts";

/**
 * Every operation of the two route sets and of our extensions, under one name wherever a set puts it. Requests and
 * responses that the specification does not show are decided in docs/service-api.md.
 */
export const OPERATIONS = {
  ...CONTENT_OPERATIONS,
  ...LIBRARY_OPERATIONS,
  ...BLOG_OPERATIONS,
  ...VISITOR_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
  ...RELEASE_OPERATIONS,
  ...PEOPLE_OPERATIONS,
} as const;

export type OperationName = keyof typeof OPERATIONS;

interface NamedRow {
  readonly operation: OperationName;
  readonly method: Method;
  readonly path: string;
}

/** Route set A, in the order of the specification. */
export const ROUTES_A = [
  { operation: "pages.list", method: "GET", path: "/api/pages" },
  { operation: "pages.get", method: "GET", path: "/api/pages/:slug" },
  { operation: "pages.put", method: "PUT", path: "/api/pages/:slug" },
  { operation: "pages.delete", method: "DELETE", path: "/api/pages/:slug" },
  { operation: "sites.list", method: "GET", path: "/api/sites" },
  { operation: "sites.create", method: "POST", path: "/api/sites" },
  { operation: "sites.get", method: "GET", path: "/api/sites/:siteId" },
  { operation: "sites.patch", method: "PATCH", path: "/api/sites/:siteId" },
  { operation: "sites.delete", method: "DELETE", path: "/api/sites/:siteId" },
  { operation: "assets.list", method: "GET", path: "/api/library" },
  { operation: "assets.upload", method: "POST", path: "/api/library" },
  { operation: "assets.patch", method: "PATCH", path: "/api/library/:assetId" },
  { operation: "assets.delete", method: "DELETE", path: "/api/library/:assetId" },
  { operation: "blogs.list", method: "GET", path: "/api/blogs" },
  { operation: "blogs.create", method: "POST", path: "/api/blogs" },
  { operation: "posts.list", method: "GET", path: "/api/blogs/:blogId/posts" },
  { operation: "posts.create", method: "POST", path: "/api/blogs/:blogId/posts" },
  { operation: "analytics.summary", method: "GET", path: "/api/analytics/pages" },
  { operation: "forms.list", method: "GET", path: "/api/forms" },
  { operation: "submissions.list", method: "GET", path: "/api/forms/:pageSlug" },
  { operation: "submissions.delete", method: "DELETE", path: "/api/forms/:pageSlug/:submissionId" },
  { operation: "domains.list", method: "GET", path: "/api/custom-domains" },
  { operation: "domains.create", method: "POST", path: "/api/custom-domains" },
  { operation: "domains.patch", method: "PATCH", path: "/api/custom-domains/:domain" },
  { operation: "domains.delete", method: "DELETE", path: "/api/custom-domains/:domain" },
  { operation: "brandKits.list", method: "GET", path: "/api/brand-kits" },
  { operation: "brandKits.create", method: "POST", path: "/api/brand-kits" },
  { operation: "brandKits.extract", method: "POST", path: "/api/brand-kits/extract" },
  { operation: "brandKits.get", method: "GET", path: "/api/brand-kits/:kitId" },
  { operation: "brandKits.put", method: "PUT", path: "/api/brand-kits/:kitId" },
  { operation: "brandKits.delete", method: "DELETE", path: "/api/brand-kits/:kitId" },
] as const satisfies readonly NamedRow[];

/** Route set B, in the order of the specification. */
export const ROUTES_B = [
  { operation: "pages.create", method: "POST", path: "/api/pages" },
  { operation: "pages.list", method: "GET", path: "/api/pages" },
  { operation: "pages.put", method: "PUT", path: "/api/pages/:slug" },
  { operation: "pages.delete", method: "DELETE", path: "/api/pages/:slug" },
  { operation: "pages.raw", method: "GET", path: "/api/pages/:slug/raw" },
  { operation: "sites.create", method: "POST", path: "/api/sites" },
  { operation: "sites.list", method: "GET", path: "/api/sites" },
  { operation: "sites.put", method: "PUT", path: "/api/sites/:id" },
  { operation: "assets.uploadImages", method: "POST", path: "/api/assets/upload" },
  { operation: "assets.import", method: "POST", path: "/api/assets/import" },
  { operation: "assets.list", method: "GET", path: "/api/assets" },
  { operation: "blogs.create", method: "POST", path: "/api/blogs" },
  { operation: "posts.create", method: "POST", path: "/api/blogs/:id/posts" },
  { operation: "posts.list", method: "GET", path: "/api/blogs/:id/posts" },
  { operation: "analytics.page", method: "GET", path: "/api/analytics/pages/:id" },
  { operation: "analytics.heatmap", method: "GET", path: "/api/analytics/heatmaps" },
  { operation: "analytics.scrollDepth", method: "GET", path: "/api/analytics/scroll-depth" },
  { operation: "submissions.list", method: "GET", path: "/api/forms/:id/submissions" },
  { operation: "forms.export", method: "POST", path: "/api/forms/export" },
  { operation: "domains.create", method: "POST", path: "/api/custom-domains" },
  { operation: "domains.list", method: "GET", path: "/api/custom-domains" },
  { operation: "domains.delete", method: "DELETE", path: "/api/custom-domains/:id" },
  { operation: "brandKits.create", method: "POST", path: "/api/brand-kits" },
  { operation: "brandKits.extract", method: "POST", path: "/api/brand-kits/extract" },
  { operation: "brandKits.list", method: "GET", path: "/api/brand-kits" },
  { operation: "oauth.authorize", method: "POST", path: "/oauth/authorize" },
  { operation: "oauth.token", method: "POST", path: "/oauth/token" },
] as const satisfies readonly NamedRow[];

/**
 * Routes of our service that the specification does not list, the same in both sets and off in `strict` mode. A
 * client learns of them from `GET /api/account`; it never assumes them.
 */
export const EXTENSION_ROUTES = [
  { operation: "account.get", method: "GET", path: "/api/account" },
  { operation: "pages.patch", method: "PATCH", path: "/api/pages/:slug" },
  { operation: "pages.analytics", method: "GET", path: "/api/pages/:slug/analytics" },
  { operation: "submissions.patch", method: "PATCH", path: "/api/submissions/:submissionId" },
  { operation: "analytics.visits", method: "GET", path: "/api/analytics/visits" },
  { operation: "pages.edit", method: "PATCH", path: "/api/pages/:slug/html" },
  { operation: "posts.patch", method: "PATCH", path: "/api/blogs/:blogId/posts/:slug" },
  { operation: "posts.delete", method: "DELETE", path: "/api/blogs/:blogId/posts/:slug" },
  { operation: "previewLinks.create", method: "POST", path: "/api/blogs/:blogId/posts/:slug/preview-links" },
  { operation: "keys.list", method: "GET", path: "/api/keys" },
  { operation: "keys.create", method: "POST", path: "/api/keys" },
  { operation: "keys.delete", method: "DELETE", path: "/api/keys/:id" },
  { operation: "signInLinks.create", method: "POST", path: "/api/sign-in-links" },
  { operation: "audit.list", method: "GET", path: "/api/audit" },
  { operation: "requests.list", method: "GET", path: "/api/requests" },
  { operation: "users.list", method: "GET", path: "/api/users" },
  { operation: "users.create", method: "POST", path: "/api/users" },
  { operation: "users.get", method: "GET", path: "/api/users/:id" },
  { operation: "users.patch", method: "PATCH", path: "/api/users/:id" },
  { operation: "users.delete", method: "DELETE", path: "/api/users/:id" },
  { operation: "users.invite", method: "POST", path: "/api/users/:id/invitations" },
  { operation: "webhooks.list", method: "GET", path: "/api/webhooks" },
  { operation: "webhooks.create", method: "POST", path: "/api/webhooks" },
  { operation: "webhooks.get", method: "GET", path: "/api/webhooks/:id" },
  { operation: "webhooks.patch", method: "PATCH", path: "/api/webhooks/:id" },
  { operation: "webhooks.delete", method: "DELETE", path: "/api/webhooks/:id" },
  { operation: "webhooks.test", method: "POST", path: "/api/webhooks/:id/test" },
  { operation: "deliveries.list", method: "GET", path: "/api/webhooks/:id/deliveries" },
  { operation: "deliveries.retry", method: "POST", path: "/api/webhooks/deliveries/:id/retry" },
  { operation: "events.list", method: "GET", path: "/api/events" },
  { operation: "releases.open", method: "POST", path: "/api/releases" },
  { operation: "releases.list", method: "GET", path: "/api/releases" },
  { operation: "releases.get", method: "GET", path: "/api/releases/:id" },
  { operation: "releases.putPages", method: "PUT", path: "/api/releases/:id/pages" },
  { operation: "releases.putContent", method: "PUT", path: "/api/releases/:id/content" },
  { operation: "releases.publish", method: "POST", path: "/api/releases/:id/publish" },
  { operation: "releases.diff", method: "GET", path: "/api/releases/:id/diff" },
  { operation: "releases.rollback", method: "POST", path: "/api/releases/:id/rollback" },
  { operation: "openapi.get", method: "GET", path: "/openapi.json" },
] as const satisfies readonly NamedRow[];

/** The rows of one route set, each with what its operation takes and answers. */
export function routesOf(routeSet: RouteSetName): readonly Route[] {
  return joinRows(routeSet === "a" ? ROUTES_A : ROUTES_B);
}

export function extensionRoutes(): readonly Route[] {
  return joinRows(EXTENSION_ROUTES);
}

function joinRows(rows: readonly NamedRow[]): readonly Route[] {
  return rows.map((row) => ({ ...row, ...operationOf(row.operation) }));
}

const noQuery = z.strictObject({});

/** What an operation takes and answers. */
export function operationOf(name: OperationName): Operation {
  return { query: noQuery, problems: [], ...OPERATIONS[name] };
}
