import { empty, many, one } from "../answers.ts";
import * as query from "../queries.ts";
import { domainRecord } from "../records.ts";
import * as body from "../requests.ts";
import type { Operation } from "../route.ts";

/** Custom domains. */
export const DOMAINS_OPERATIONS = {
  "domains.list": {
    scope: "domains:read",
    query: query.listQuery,
    answers: { 200: many(domainRecord) },
    problems: [],
  },
  "domains.create": {
    scope: "domains:write",
    query: query.noQuery,
    body: { kind: "json", schema: body.domainCreateBody },
    answers: { 200: one(domainRecord), 201: one(domainRecord) },
    problems: ["domain_taken", "invalid_domain", "site_not_found", "limit_reached"],
  },
  "domains.patch": {
    scope: "domains:write",
    query: query.noQuery,
    body: { kind: "json", schema: body.domainPatchBody },
    answers: { 200: one(domainRecord) },
    problems: ["domain_not_found", "domain_taken", "site_not_found", "invalid_domain"],
  },
  "domains.delete": {
    scope: "domains:write",
    query: query.noQuery,
    answers: { 204: empty },
    problems: ["domain_not_found"],
  },
} as const satisfies Readonly<Record<string, Operation>>;
