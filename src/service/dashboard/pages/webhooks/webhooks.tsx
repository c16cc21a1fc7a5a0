import { patchWebhook, removeWebhook, retryDelivery, testWebhook } from "../../../resources/webhooks.ts";
import { write, type DashboardApp } from "../../scene.ts";
import { changeWebhook, showChange } from "./change.tsx";
import { makeWebhook, showMake } from "./make.tsx";
import { showDelivery } from "./delivery.tsx";
import { showWebhooks } from "./list.tsx";
import { askToDelete, askToRotate, rotateSecret } from "./questions.tsx";
import { showWebhook } from "./webhook.tsx";

/** Webhooks and what was delivered to them. */
export function registerWebhookPages(app: DashboardApp): void {
  app.get("/webhooks", showWebhooks);
  app.get("/webhooks/new", showMake);
  app.post("/webhooks", makeWebhook);
  app.get("/webhooks/:webhookId", showWebhook);
  app.get("/webhooks/:webhookId/change", showChange);
  app.post("/webhooks/:webhookId", changeWebhook);
  app.get("/webhooks/:webhookId/rotate", askToRotate);
  app.post("/webhooks/:webhookId/rotate", rotateSecret);
  app.get("/webhooks/:webhookId/delete", askToDelete);
  app.get("/webhooks/:webhookId/deliveries/:deliveryId", showDelivery);
  registerActions(app);
}

function registerActions(app: DashboardApp): void {
  app.post("/webhooks/:webhookId/test", async (context) => {
    const id = context.req.param("webhookId");
    await write(context.var.scene, (records) => testWebhook(records, id));
    return context.redirect(`/webhooks/${id}?notice=webhook-tested`, 303);
  });
  app.post("/webhooks/:webhookId/enabled", async (context) => {
    const id = context.req.param("webhookId");
    const { enabled } = await context.req.parseBody();
    const isOn = enabled === "true";
    await write(context.var.scene, (records) => patchWebhook(records, id, { enabled: isOn }));
    return context.redirect(`/webhooks/${id}?notice=webhook-${isOn ? "on" : "off"}`, 303);
  });
  app.post("/webhooks/:webhookId/delete", async (context) => {
    await write(context.var.scene, (records) => removeWebhook(records, context.req.param("webhookId")));
    return context.redirect("/webhooks?notice=webhook-deleted", 303);
  });
  app.post("/webhooks/:webhookId/deliveries/:deliveryId/retry", async (context) => {
    const { webhookId, deliveryId } = context.req.param();
    await write(context.var.scene, (records) => retryDelivery(records, deliveryId));
    return context.redirect(`/webhooks/${webhookId}?notice=delivery-retried`, 303);
  });
}
