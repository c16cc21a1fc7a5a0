import { empty, many, one } from "../answers.ts";
import { keyRecord, signInLinkRecord } from "../extension-records.ts";
import * as query from "../queries.ts";
import * as body from "../requests.ts";
import type { Operation } from "../route.ts";

/** API keys and the door of the dashboard (extensions). A key never makes one that may do more than itself. */
export const KEYS_OPERATIONS = {
  "keys.list": {
    scope: "account:write",
    query: query.listQuery,
    answers: { 200: many(keyRecord) },
    problems: [],
  },
  "keys.create": {
    scope: "account:write",
    query: query.noQuery,
    body: { kind: "json", schema: body.keyCreateBody },
    answers: { 201: one(keyRecord) },
    problems: ["limit_reached"],
  },
  "keys.delete": {
    scope: "account:write",
    query: query.noQuery,
    answers: { 204: empty },
    problems: ["key_not_found"],
  },
  // The dashboard may do everything, so a narrowed key can't open it: `insufficient_scope`.
  "signInLinks.create": {
    scope: "account:write",
    query: query.noQuery,
    answers: { 201: one(signInLinkRecord) },
    problems: [],
  },
} as const satisfies Readonly<Record<string, Operation>>;
