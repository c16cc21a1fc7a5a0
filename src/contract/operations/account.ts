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

/** How a client signs in, and what its account may do (the latter an extension). */
export const ACCOUNT_OPERATIONS = {
  "oauth.authorize": {
    scope: undefined,
    body: { kind: "form", schema: z.looseObject({}) },
    answers: { 200: documentOf("text/html"), 303: empty },
  },
  "oauth.token": {
    scope: undefined,
    body: { kind: "form", schema: z.looseObject({ grant_type: z.string() }) },
    answers: { 200: json(z.looseObject({})) },
  },
  "account.get": {
    scope: "account:read",
    answers: { 200: json(accountSchema) },
  },

  // API keys and the door of the dashboard (extensions). A key never makes one that may do more than itself.
  "keys.list": {
    scope: "account:write",
    query: listQuery,
    answers: { 200: many(keyRecord) },
  },
  "keys.create": {
    scope: "account:write",
    body: { kind: "json", schema: keyCreateBody },
    answers: { 201: one(keyRecord) },
    problems: ["limit_reached"],
  },
  "keys.delete": {
    scope: "account:write",
    answers: { 204: empty },
    problems: ["key_not_found"],
  },
  // The dashboard may do everything, so a narrowed key can't open it: `insufficient_scope`.
  "signInLinks.create": {
    scope: "account:write",
    answers: { 201: one(signInLinkRecord) },
  },

  // Webhooks, what happened, and the description of it all (extensions). Reading takes the same scope as changing:
  // events and deliveries hold what visitors sent.
  "webhooks.list": {
    scope: "account:write",
    query: listQuery,
    answers: { 200: many(webhookRecord) },
  },
  "webhooks.create": {
    scope: "account:write",
    body: { kind: "json", schema: webhookCreateBody },
    answers: { 201: one(webhookRecord) },
    problems: ["limit_reached"],
  },
  "webhooks.get": {
    scope: "account:write",
    answers: { 200: one(webhookRecord) },
    problems: ["webhook_not_found"],
  },
  "webhooks.patch": {
    scope: "account:write",
    body: { kind: "json", schema: webhookPatchBody },
    answers: { 200: one(webhookRecord) },
    problems: ["webhook_not_found"],
  },
  "webhooks.delete": {
    scope: "account:write",
    answers: { 204: empty },
    problems: ["webhook_not_found"],
  },
  "webhooks.test": {
    scope: "account:write",
    answers: { 201: one(deliveryRecord) },
    problems: ["webhook_not_found"],
  },
  "deliveries.list": {
    scope: "account:write",
    query: z.strictObject({
      ...paging,
      status: z.enum(DELIVERY_STATUSES).optional().describe("Only deliveries with this status."),
    }),
    answers: { 200: many(deliveryRecord) },
    problems: ["webhook_not_found"],
  },
  "deliveries.retry": {
    scope: "account:write",
    answers: { 200: one(deliveryRecord) },
    problems: ["delivery_not_found", "webhook_disabled"],
  },
  "events.list": {
    scope: "account:write",
    query: z.strictObject({
      ...paging,
      type: z.enum(EVENT_TYPES).optional().describe("Only events of this type."),
    }),
    answers: { 200: many(eventRecord) },
  },
  "openapi.get": {
    scope: undefined,
    answers: { 200: json(z.looseObject({ openapi: z.string() })) },
  },
} as const satisfies OperationRows;

export type KeyCreateBody = z.infer<typeof keyCreateBody>;
export type WebhookCreateBody = z.infer<typeof webhookCreateBody>;
export type WebhookPatchBody = z.infer<typeof webhookPatchBody>;
