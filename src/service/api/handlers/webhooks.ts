import {
  createWebhook,
  getWebhook,
  patchWebhook,
  removeWebhook,
  retryDelivery,
  testWebhook,
} from "../../resources/webhooks.ts";
import { listDeliveries } from "../../store/deliveries.ts";
import { listEvents } from "../../store/events.ts";
import { listWebhooks } from "../../store/webhooks.ts";
import type { Handlers } from "../call.ts";
import { viewDelivery, viewEvent, viewWebhook } from "../views.ts";
import { listReply, windowOf } from "../reply.ts";

export const WEBHOOK_HANDLERS = {
  async "webhooks.list"({ context, query }) {
    const slice = await listWebhooks(context.database, context.accountId, windowOf(query, context));
    return listReply(slice, { context, view: viewWebhook });
  },

  async "webhooks.create"({ body, write }) {
    return await write(async (context) => {
      const webhook = await createWebhook(context, body);
      const location = `/api/webhooks/${webhook.id}`;
      const { secret } = webhook;
      return { kind: "record", status: 201, record: viewWebhook(webhook), shownOnce: { secret }, location };
    });
  },

  async "webhooks.get"({ context, target }) {
    return { kind: "record", status: 200, record: viewWebhook(await getWebhook(context, target)) };
  },

  async "webhooks.patch"({ target, body, write }) {
    return await write(async (context) => {
      const webhook = await patchWebhook(context, target, body);
      const record = viewWebhook(webhook);
      if (body.rotateSecret !== true) return { kind: "record", status: 200, record };
      return { kind: "record", status: 200, record, shownOnce: { secret: webhook.secret } };
    });
  },

  async "webhooks.delete"({ target, write }) {
    return await write(async (context) => {
      await removeWebhook(context, target);
      return { kind: "empty", status: 204 };
    });
  },

  async "webhooks.test"({ target, write }) {
    return await write(async (context) => {
      const delivery = await testWebhook(context, target);
      return {
        kind: "record",
        status: 201,
        record: viewDelivery(delivery),
        location: `/api/webhooks/${target}/deliveries`,
      };
    });
  },

  async "deliveries.list"({ context, query, target }) {
    const { id } = await getWebhook(context, target);
    const wanted = { status: query.status, window: windowOf(query, context) };
    return listReply(await listDeliveries(context.database, id, wanted), { context, view: viewDelivery });
  },

  async "deliveries.retry"({ target, write }) {
    return await write(async (context) => {
      return { kind: "record", status: 200, record: viewDelivery(await retryDelivery(context, target)) };
    });
  },

  async "events.list"({ context, query }) {
    const slice = await listEvents(context.database, context.accountId, {
      type: query.type,
      window: windowOf(query, context),
    });
    return listReply(slice, { context, view: viewEvent });
  },
} as const satisfies Handlers;
