import { webhookPatchBody } from "../../../../contract/requests.ts";
import { getWebhook, patchWebhook } from "../../../resources/webhooks.ts";
import type { Webhook } from "../../../store/webhooks.ts";
import { freshForm, type FormState } from "../../form-state.ts";
import { attempt, parseInput, readForm } from "../../forms.ts";
import { renderShell } from "../../parts/shell.tsx";
import { write, type DashboardContext, type Scene } from "../../scene.ts";
import { bodyOf, valuesOf, WebhookForm } from "./webhook-form.tsx";

/** `/webhooks/:webhookId/change` */
export async function showChange(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const webhook = await getWebhook(scene.records, context.req.param("webhookId") ?? "");
  return renderChange(scene, webhook, freshForm(valuesOf(webhook, webhook.events)));
}

export async function changeWebhook(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const webhook = await getWebhook(scene.records, context.req.param("webhookId") ?? "");
  const { values } = await readForm(context);
  return await attempt({
    values: { ...values, events: "" },
    async accept() {
      const body = parseInput(webhookPatchBody, bodyOf(values));
      await write(scene, (records) => patchWebhook(records, webhook.id, body));
      return context.redirect(`/webhooks/${webhook.id}?notice=saved`, 303);
    },
    again: (state) => renderChange(scene, webhook, state),
  });
}

function renderChange(scene: Scene, { id, url }: Webhook, state: FormState): Response {
  const path = `/webhooks/${id}`;
  return renderShell(
    scene,
    { title: "Change the webhook", section: "/webhooks", parent: { title: url, path }, status: state.status },
    <WebhookForm state={state} to={path} label="Save" />,
  );
}
