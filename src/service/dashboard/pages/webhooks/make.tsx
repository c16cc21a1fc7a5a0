import { EVENT_TYPES } from "../../../../contract/events.ts";
import { webhookCreateBody } from "../../../../contract/requests.ts";
import { createWebhook } from "../../../resources/webhooks.ts";
import { freshForm, type FormState } from "../../form-state.ts";
import { attempt, parseInput, readForm } from "../../forms.ts";
import { renderShell } from "../../parts/shell.tsx";
import { write, type DashboardContext, type Scene } from "../../scene.ts";
import { showSecret } from "./show-secret.tsx";
import { bodyOf, valuesOf, WebhookForm } from "./webhook-form.tsx";

/** `/webhooks/new` */
export function showMake(context: DashboardContext): Response {
  const state = freshForm(valuesOf({ url: "", description: null }, EVENT_TYPES));
  return renderMake(context.var.scene, state);
}

/** Makes a webhook and shows its secret, once. */
export async function makeWebhook(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const { values } = await readForm(context);
  return await attempt({
    values: { ...values, events: "" },
    async accept() {
      const body = parseInput(webhookCreateBody, bodyOf(values));
      const webhook = await write(scene, (records) => createWebhook(records, body));
      return showSecret(scene, webhook, { title: "The webhook is on", status: 201 });
    },
    again: (state) => renderMake(scene, state),
  });
}

function renderMake(scene: Scene, state: FormState): Response {
  const head = { title: "Add a webhook", section: "/webhooks", parent: { title: "Webhooks", path: "/webhooks" } };
  return renderShell(
    scene,
    { ...head, status: state.status },
    <WebhookForm state={state} to="/webhooks" label="Add the webhook" />,
  );
}
