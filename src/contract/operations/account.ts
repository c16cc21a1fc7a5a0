import * as z from "zod";
import { documentOf, empty, json, many, one, type Operation } from "../route.ts";
import {
  accountSchema,
  deliveryRecord,
  eventRecord,
  keyRecord,
  signInLinkRecord,
  webhookRecord,
} from "../extension-records.ts";
import * as query from "../queries.ts";
import * as body from "../requests.ts";

/** How a client gets in, and what its account may do (the latter an extension). */
export const ACCOUNT_OPERATIONS = {
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

  // API keys and the door of the dashboard (extensions). A key never makes one that may do more than itself.
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

  // Webhooks, what happened, and the description of it all (extensions). Reading takes the same scope as changing:
  // events and deliveries hold what visitors sent.
  "webhooks.list": {
    scope: "account:write",
    query: query.listQuery,
    answers: { 200: many(webhookRecord) },
    problems: [],
  },
  "webhooks.create": {
    scope: "account:write",
    query: query.noQuery,
    body: { kind: "json", schema: body.webhookCreateBody },
    answers: { 201: one(webhookRecord) },
    problems: ["limit_reached"],
  },
  "webhooks.get": {
    scope: "account:write",
    query: query.noQuery,
    answers: { 200: one(webhookRecord) },
    problems: ["webhook_not_found"],
  },
  "webhooks.patch": {
    scope: "account:write",
    query: query.noQuery,
    body: { kind: "json", schema: body.webhookPatchBody },
    answers: { 200: one(webhookRecord) },
    problems: ["webhook_not_found"],
  },
  "webhooks.delete": {
    scope: "account:write",
    query: query.noQuery,
    answers: { 204: empty },
    problems: ["webhook_not_found"],
  },
  "webhooks.test": {
    scope: "account:write",
    query: query.noQuery,
    answers: { 201: one(deliveryRecord) },
    problems: ["webhook_not_found"],
  },
  "deliveries.list": {
    scope: "account:write",
    query: query.deliveriesQuery,
    answers: { 200: many(deliveryRecord) },
    problems: ["webhook_not_found"],
  },
  "deliveries.retry": {
    scope: "account:write",
    query: query.noQuery,
    answers: { 200: one(deliveryRecord) },
    problems: ["delivery_not_found", "webhook_disabled"],
  },
  "events.list": {
    scope: "account:write",
    query: query.eventsQuery,
    answers: { 200: many(eventRecord) },
    problems: [],
  },
  "openapi.get": {
    scope: undefined,
    query: query.noQuery,
    answers: { 200: json(z.looseObject({ openapi: z.string() })) },
    problems: [],
  },
} as const satisfies Readonly<Record<string, Operation>>;
