import * as z from "zod";
import { empty, json, many, one } from "../answers.ts";
import { deliveryRecord, eventRecord, webhookRecord } from "../extension-records.ts";
import * as query from "../queries.ts";
import * as body from "../requests.ts";
import type { Operation } from "../route.ts";

/**
 * Webhooks, what happened, and the description of it all (extensions). Reading takes the same scope as changing:
 * events and deliveries hold what visitors sent.
 */
export const WEBHOOKS_OPERATIONS = {
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
