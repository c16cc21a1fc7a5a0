import * as z from "zod";
import { documentOf, empty, json } from "../answers.ts";
import * as query from "../queries.ts";
import { accountSchema } from "../extension-records.ts";
import type { Operation } from "../route.ts";

/** How a client gets in, and what its account may do (the latter an extension). */
export const ACCESS_OPERATIONS = {
  "oauth.authorize": {
    scope: undefined,
    query: query.noQuery,
    body: { kind: "form", schema: z.looseObject({}) },
    answers: { 200: documentOf("text/html"), 303: empty },
    problems: [],
  },
  "oauth.token": {
    scope: undefined,
    query: query.noQuery,
    body: { kind: "form", schema: z.looseObject({ grant_type: z.string() }) },
    answers: { 200: json(z.looseObject({})) },
    problems: [],
  },
  "account.get": {
    scope: "account:read",
    query: query.noQuery,
    answers: { 200: json(accountSchema) },
    problems: [],
  },
} as const satisfies Readonly<Record<string, Operation>>;
