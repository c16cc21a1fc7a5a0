import { renderOpenApi } from "../../../contract/openapi/document.ts";
import { createSignInLink } from "../../auth/sessions.ts";
import { ProblemError } from "../../http/problem.ts";
import { describeAccount } from "../../resources/account.ts";
import type { Addresses } from "../../resources/addresses.ts";
import { createKey, revokeKey } from "../../resources/keys.ts";
import {
  createWebhook,
  getWebhook,
  patchWebhook,
  removeWebhook,
  retryDelivery,
  testWebhook,
} from "../../resources/webhooks.ts";
import { listApiKeys } from "../../store/api-keys.ts";
import { listDeliveries, listEvents, listWebhooks } from "../../store/webhooks.ts";
import type { Handlers } from "../call.ts";
import { viewDelivery, viewEvent, viewKey, viewWebhook } from "../views.ts";
import { changing, listing, removing, writing } from "./rows.ts";

const VERSION = "1";

type Document = ReturnType<typeof renderOpenApi>;

// Generating a document takes longer than any other response, and anyone may request it.
const documents = new WeakMap<Addresses, Map<string, Document>>();

export const ACCOUNT_HANDLERS = {
  async "account.get"({ context, routeSet }) {
    return { kind: "json", status: 200, body: { ...(await describeAccount(context, routeSet)) } };
  },

  async "openapi.get"({ context: { addresses }, routeSet }) {
    const known = documents.get(addresses) ?? new Map<string, Document>();
    documents.set(addresses, known);
    const options = { serverUrl: `${addresses.appUrl}/${routeSet}`, version: VERSION };
    const body = known.get(routeSet) ?? renderOpenApi(routeSet, options);
    known.set(routeSet, body);
    return { kind: "json", status: 200, body };
  },

  "keys.list": listing((context, _, window) => listApiKeys(context.database, context.accountId, { window }), viewKey),
  "keys.create": writing(async (context, { body }) => {
    const { text, record } = await createKey(context, body);
    const location = "/api/keys";
    return { kind: "record", status: 201, record: viewKey(record), shownOnce: { key: text }, location };
  }),
  "keys.delete": removing((context, { target }) => revokeKey(context, target)),

  "signInLinks.create": writing(async (context, { credential }) => {
    if (credential?.scopes !== null) {
      throw new ProblemError("insufficient_scope", { detail: "Dashboard links require a key with all scopes." });
    }
    const { url, expiresAt } = await createSignInLink(context, { userId: credential.userId ?? undefined });
    return { kind: "record", status: 201, record: { expiresAt: expiresAt.toISOString() }, shownOnce: { url } };
  }),

  "webhooks.list": listing(
    (context, _, window) => listWebhooks(context.database, context.accountId, { window }),
    viewWebhook,
  ),
  "webhooks.create": writing(async (context, { body }) => {
    const webhook = await createWebhook(context, body);
    const location = `/api/webhooks/${webhook.id}`;
    const { secret } = webhook;
    return { kind: "record", status: 201, record: viewWebhook(webhook), shownOnce: { secret }, location };
  }),
  async "webhooks.get"({ context, target }) {
    return { kind: "record", status: 200, record: viewWebhook(await getWebhook(context, target)) };
  },
  "webhooks.patch": writing(async (context, { target, body }) => {
    const webhook = await patchWebhook(context, target, body);
    const record = viewWebhook(webhook);
    if (body.rotateSecret !== true) return { kind: "record", status: 200, record };
    return { kind: "record", status: 200, record, shownOnce: { secret: webhook.secret } };
  }),
  "webhooks.delete": removing((context, { target }) => removeWebhook(context, target)),
  "webhooks.test": writing(async (context, { target }) => {
    const record = viewDelivery(await testWebhook(context, target));
    return { kind: "record", status: 201, record, location: `/api/webhooks/${target}/deliveries` };
  }),

  "deliveries.list": listing(async (context, { query: { status }, target }, window) => {
    const { id } = await getWebhook(context, target);
    return await listDeliveries(context.database, id, { status, window });
  }, viewDelivery),
  "deliveries.retry": changing(async (context, { target }) => viewDelivery(await retryDelivery(context, target))),
  "events.list": listing(
    ({ database, accountId }, { query: { type } }, window) => listEvents(database, accountId, { type, window }),
    viewEvent,
  ),
} as const satisfies Handlers;
