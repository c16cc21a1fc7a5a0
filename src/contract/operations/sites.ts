import { empty, many, one } from "../answers.ts";
import * as query from "../queries.ts";
import { siteRecord } from "../records.ts";
import * as body from "../requests.ts";
import type { Operation } from "../route.ts";

/** Sites, which group pages. */
export const SITES_OPERATIONS = {
  "sites.list": {
    scope: "sites:read",
    query: query.listQuery,
    answers: { 200: many(siteRecord) },
    problems: [],
  },
  "sites.create": {
    scope: "sites:write",
    query: query.noQuery,
    body: { kind: "json", schema: body.siteCreateBody },
    answers: { 200: one(siteRecord), 201: one(siteRecord) },
    problems: ["slug_taken", "invalid_slug", "kit_not_found", "limit_reached"],
  },
  "sites.get": {
    scope: "sites:read",
    query: query.noQuery,
    answers: { 200: one(siteRecord) },
    problems: ["site_not_found"],
  },
  "sites.patch": {
    scope: "sites:write",
    query: query.noQuery,
    body: { kind: "json", schema: body.sitePatchBody },
    answers: { 200: one(siteRecord) },
    problems: ["site_not_found", "slug_taken", "version_mismatch", "invalid_slug", "kit_not_found"],
  },
  "sites.put": {
    scope: "sites:write",
    query: query.noQuery,
    body: { kind: "json", schema: body.siteCreateBody },
    answers: { 200: one(siteRecord) },
    problems: ["site_not_found", "slug_taken", "version_mismatch", "invalid_slug", "kit_not_found"],
  },
  "sites.delete": {
    scope: "sites:write",
    query: query.siteDeleteQuery,
    answers: { 204: empty },
    problems: ["site_not_found", "site_has_domain", "version_mismatch"],
  },
} as const satisfies Readonly<Record<string, Operation>>;
