import * as z from "zod";
import { signInLinkRecord } from "../extension-records.ts";
import { bodyOf, listQuery, name, paging, text } from "../inputs.ts";
import { AUDIT_ACTIONS, auditRecord, KEY_FATES, ROLES, userRecord } from "../people.ts";
import { REQUEST_OUTCOMES, requestRecord } from "../requests.ts";
import { empty, many, one, type OperationRows } from "../route.ts";

const fields = {
  name,
  email: z.string().trim().toLowerCase().max(254).pipe(z.email("must be an email address")),
  role: z.enum(ROLES),
};

export const userCreateBody = bodyOf(userRecord, { ...fields, name: name.optional() });

export const userPatchBody = bodyOf(userRecord, { ...fields, formMails: z.boolean() }).partial();

/** The users of an account (extensions). Nobody can assign a role with more permissions than their own. */
export const PEOPLE_OPERATIONS = {
  "users.list": {
    summary: "List users",
    description: "The people who use the service, newest first.",
    scope: "account:write",
    query: listQuery,
    answers: { 200: many(userRecord) },
  },
  "users.create": {
    summary: "Invite a user",
    description:
      "The new user gets a one-time link that signs them in; the response contains it if the service sends no mail.",
    scope: "account:write",
    body: { kind: "json", schema: userCreateBody },
    answers: { 201: one(userRecord) },
    problems: ["email_taken", "limit_reached"],
  },
  "users.get": {
    summary: "Get a user",
    scope: "account:write",
    answers: { 200: one(userRecord) },
    problems: ["user_not_found"],
  },
  "users.patch": {
    summary: "Change a user",
    description: "Changes the given fields. An account keeps at least one owner.",
    scope: "account:write",
    body: { kind: "json", schema: userPatchBody },
    answers: { 200: one(userRecord) },
    problems: ["user_not_found", "email_taken", "last_owner"],
  },
  "users.delete": {
    summary: "Remove a user",
    description: "Signs the user out everywhere. Their API keys are revoked unless `keys` is `keep`.",
    scope: "account:write",
    query: z.strictObject({
      keys: z
        .enum(KEY_FATES)
        .optional()
        .describe("Whether the user's API keys are revoked or kept by whoever removes the user. Default: revoke."),
    }),
    answers: { 204: empty },
    problems: ["user_not_found", "last_owner"],
  },
  "users.invite": {
    summary: "Create a new invitation",
    description: "A new one-time link for a user, valid for 7 days.",
    scope: "account:write",
    answers: { 201: one(signInLinkRecord) },
    problems: ["user_not_found", "invalid_body"],
  },
  "audit.list": {
    summary: "List audit entries",
    description: "Sign-ins, changes to users, keys and apps, and deletions; newest first.",
    scope: "account:write",
    query: z.strictObject({
      ...paging,
      action: z.enum(AUDIT_ACTIONS).optional().describe("Only entries of this action."),
    }),
    answers: { 200: many(auditRecord) },
  },
  "requests.list": {
    summary: "List requests",
    description:
      "Requests to the API and their results, newest first. A request appears one second after its response.",
    scope: "account:write",
    query: z.strictObject({
      ...paging,
      outcome: z.enum(REQUEST_OUTCOMES).optional().describe("Only those with this result."),
      path: text.describe("Only those whose path contains this."),
    }),
    answers: { 200: many(requestRecord) },
  },
} as const satisfies OperationRows;

export type UserCreateBody = z.infer<typeof userCreateBody>;
export type UserPatchBody = z.infer<typeof userPatchBody>;
