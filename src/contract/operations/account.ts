import * as z from "zod";
import {
  accountSchema,
  deliveryRecord,
  DELIVERY_STATUSES,
  eventRecord,
  EVENT_TYPES,
  keyRecord,
  signInLinkRecord,
  webhookRecord,
} from "../extension-records.ts";
import { address, bodyOf, listQuery, name, paging } from "../inputs.ts";
import { documentOf, empty, json, many, one, type OperationRows } from "../route.ts";
import { SCOPES } from "../scopes.ts";

export const keyCreateBody = bodyOf(keyRecord, {
  name,
  scopes: z.array(z.enum(SCOPES)).min(1).optional(),
  expiresAt: z.iso.datetime({ offset: true }).nullish(),
});

const webhookFields = {
  url: address.min(1),
  description: z.string().max(1000).nullish(),
  events: z.array(z.enum(EVENT_TYPES)).min(1).max(EVENT_TYPES.length),
};

export const webhookCreateBody = bodyOf(webhookRecord, { ...webhookFields, events: webhookFields.events.optional() });

export const webhookPatchBody = bodyOf(webhookRecord, {
  ...webhookFields,
  enabled: z.boolean(),
  rotateSecret: z.literal(true).describe("Replaces the secret. The old one also signs for another day."),
}).partial();

const tokenSchema = z.looseObject({
  access_token: z.string(),
  token_type: z.literal("Bearer"),
  expires_in: z.int().describe("In seconds."),
  scope: z.string().optional(),
  refresh_token: z.string().optional(),
});

/** An OAuth error in the format of RFC 6749. */
const oauthErrorSchema = z.looseObject({ error: z.string(), error_description: z.string().optional() });

/** Signing in, and the account with its keys and webhooks (the latter are extensions). */
export const ACCOUNT_OPERATIONS = {
  "oauth.authorize": {
    summary: "Approve or refuse an OAuth request",
    description: "Sent by the consent form that the service shows in the browser.",
    scope: undefined,
    body: { kind: "form", schema: z.looseObject({}) },
    answers: {
      200: documentOf("text/html"),
      303: empty,
      400: documentOf("text/html"),
      401: documentOf("text/html"),
      403: documentOf("text/html"),
    },
  },
  "oauth.token": {
    summary: "Get or refresh a token",
    description: "OAuth 2.1 token endpoint: `authorization_code` with PKCE, and `refresh_token`.",
    scope: undefined,
    body: { kind: "form", schema: z.looseObject({ grant_type: z.string() }) },
    answers: { 200: json(tokenSchema), 400: json(oauthErrorSchema), 401: json(oauthErrorSchema) },
  },
  "account.get": {
    summary: "Get the account",
    description: "Plan, limits, usage and what the service can do beyond the specification.",
    scope: "account:read",
    answers: { 200: json(accountSchema) },
  },

  // API keys and dashboard links (extensions). A key can't create one with more permissions than its own.
  "keys.list": {
    summary: "List API keys",
    description: "Keys without their secrets.",
    scope: "account:write",
    query: listQuery,
    answers: { 200: many(keyRecord) },
  },
  "keys.create": {
    summary: "Create an API key",
    description: "Only this response shows the key. It can't have more permissions than the key that creates it.",
    scope: "account:write",
    body: { kind: "json", schema: keyCreateBody },
    answers: { 201: one(keyRecord) },
    problems: ["limit_reached"],
  },
  "keys.delete": {
    summary: "Revoke an API key",
    description: "Effective immediately.",
    scope: "account:write",
    answers: { 204: empty },
    problems: ["key_not_found"],
  },
  // The dashboard has all permissions, so a restricted key can't open it: `insufficient_scope`.
  "signInLinks.create": {
    summary: "Create a dashboard link",
    description:
      "A one-time link that signs a browser in to the dashboard as the key's user. Requires a key with all scopes, and has no fields.",
    scope: "account:write",
    answers: { 201: one(signInLinkRecord) },
    problems: ["invalid_body"],
  },

  // Webhooks, events, and the API's description (extensions). Reading needs the same scope as changing, as events and
  // deliveries contain what visitors sent.
  "webhooks.list": {
    summary: "List webhooks",
    scope: "account:write",
    query: listQuery,
    answers: { 200: many(webhookRecord) },
  },
  "webhooks.create": {
    summary: "Create a webhook",
    description: "Only this response shows the secret that signs the requests.",
    scope: "account:write",
    body: { kind: "json", schema: webhookCreateBody },
    answers: { 201: one(webhookRecord) },
    problems: ["limit_reached"],
  },
  "webhooks.get": {
    summary: "Get a webhook",
    scope: "account:write",
    answers: { 200: one(webhookRecord) },
    problems: ["webhook_not_found"],
  },
  "webhooks.patch": {
    summary: "Change a webhook",
    description: "Changes the given fields; `rotateSecret` returns a new secret.",
    scope: "account:write",
    body: { kind: "json", schema: webhookPatchBody },
    answers: { 200: one(webhookRecord) },
    problems: ["webhook_not_found"],
  },
  "webhooks.delete": {
    summary: "Delete a webhook",
    description: "Pending deliveries are canceled.",
    scope: "account:write",
    answers: { 204: empty },
    problems: ["webhook_not_found"],
  },
  "webhooks.test": {
    summary: "Send a test delivery",
    scope: "account:write",
    answers: { 201: one(deliveryRecord) },
    problems: ["webhook_not_found"],
  },
  "deliveries.list": {
    summary: "List deliveries of a webhook",
    description: "Newest first, with the result of the last attempt.",
    scope: "account:write",
    query: z.strictObject({
      ...paging,
      status: z.enum(DELIVERY_STATUSES).optional().describe("Only deliveries with this status."),
    }),
    answers: { 200: many(deliveryRecord) },
    problems: ["webhook_not_found"],
  },
  "deliveries.retry": {
    summary: "Retry a delivery",
    scope: "account:write",
    answers: { 200: one(deliveryRecord) },
    problems: ["delivery_not_found", "webhook_disabled"],
  },
  "events.list": {
    summary: "List events",
    description: "What happened to pages and forms, newest first.",
    scope: "account:write",
    query: z.strictObject({
      ...paging,
      type: z.enum(EVENT_TYPES).optional().describe("Only events of this type."),
    }),
    answers: { 200: many(eventRecord) },
  },
  "openapi.get": {
    summary: "Get this document",
    scope: undefined,
    answers: { 200: json(z.looseObject({ openapi: z.string() })) },
  },
} as const satisfies OperationRows;

export type KeyCreateBody = z.infer<typeof keyCreateBody>;
export type WebhookCreateBody = z.infer<typeof webhookCreateBody>;
export type WebhookPatchBody = z.infer<typeof webhookPatchBody>;
