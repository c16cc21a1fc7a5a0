import { documentOf, empty, many, one } from "../answers.ts";
import * as query from "../queries.ts";
import { pageRecord } from "../records.ts";
import * as body from "../requests.ts";
import type { Operation } from "../route.ts";

/** Pages, addressed by slug. */
export const PAGES_OPERATIONS = {
  "pages.list": {
    scope: "pages:read",
    query: query.pagesQuery,
    answers: { 200: many(pageRecord) },
    problems: [],
  },
  "pages.get": {
    scope: "pages:read",
    query: query.pageQuery,
    answers: { 200: one(pageRecord) },
    problems: ["page_not_found"],
  },
  "pages.put": {
    scope: "pages:write",
    query: query.noQuery,
    body: { kind: "json-or-multipart", file: "html", schema: body.pagePutBody },
    answers: { 200: one(pageRecord), 201: one(pageRecord) },
    problems: [
      "invalid_slug",
      "invalid_html",
      "page_too_large",
      "version_mismatch",
      "already_exists",
      "unsupported_media_type",
      "limit_reached",
    ],
  },
  "pages.create": {
    scope: "pages:write",
    query: query.noQuery,
    body: { kind: "multipart", file: "html", schema: body.pageCreateBody },
    answers: { 201: one(pageRecord) },
    problems: [
      "slug_taken",
      "invalid_slug",
      "invalid_html",
      "page_too_large",
      "unsupported_media_type",
      "limit_reached",
    ],
  },
  "pages.delete": {
    scope: "pages:write",
    query: query.noQuery,
    answers: { 204: empty },
    problems: ["page_not_found", "version_mismatch"],
  },
  "pages.raw": {
    scope: undefined,
    query: query.noQuery,
    answers: { 200: documentOf("text/html") },
    problems: ["page_not_found"],
  },
} as const satisfies Readonly<Record<string, Operation>>;
