import { getWebhook, patchWebhook } from "../../../resources/webhooks.ts";
import { renderConfirmation } from "../../parts/confirm.tsx";
import { write, type DashboardContext } from "../../scene.ts";
import { showSecret } from "./show-secret.tsx";

export async function askToDelete(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const { id, url } = await getWebhook(scene.records, context.req.param("webhookId") ?? "");
  return renderConfirmation(
    scene,
    {
      title: "Delete this webhook?",
      section: "/webhooks",
      parent: { title: url, path: `/webhooks/${id}` },
      to: `/webhooks/${id}/delete`,
      label: "Delete the webhook",
    },
    <p>
      <code>{url}</code> is told nothing any more. What was still to be delivered, and the list of what was, goes with
      it.
    </p>,
  );
}

export async function askToRotate(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const { id, url } = await getWebhook(scene.records, context.req.param("webhookId") ?? "");
  return renderConfirmation(
    scene,
    {
      title: "Make a new secret?",
      section: "/webhooks",
      parent: { title: url, path: `/webhooks/${id}` },
      to: `/webhooks/${id}/rotate`,
      label: "Make a new secret",
    },
    <p>
      For a day deliveries are signed with both, so that the receiver has the time to learn the new one. After that the
      old secret is worth nothing.
    </p>,
  );
}

export async function rotateSecret(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const id = context.req.param("webhookId") ?? "";
  const webhook = await write(scene, (records) => patchWebhook(records, id, { rotateSecret: true }));
  return showSecret(scene, webhook, { title: "The new secret", status: 200 });
}
