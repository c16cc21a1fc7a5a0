import { ProblemError } from "../../../http/problem.ts";
import { getDelivery, getWebhook } from "../../../resources/webhooks.ts";
import type { Delivery } from "../../../store/deliveries.ts";
import { Action } from "../../parts/forms.tsx";
import { renderShell } from "../../parts/shell.tsx";
import { Time } from "../../parts/values.tsx";
import type { DashboardContext } from "../../scene.ts";
import { DeliveryState, wasSent } from "./state.tsx";

/** `/webhooks/:webhookId/deliveries/:deliveryId`: what was sent and what came back. */
export async function showDelivery(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const webhook = await getWebhook(scene.records, context.req.param("webhookId") ?? "");
  const delivery = await getDelivery(scene.records, context.req.param("deliveryId") ?? "");
  if (delivery.webhookId !== webhook.id) throw new ProblemError("delivery_not_found");
  const path = `/webhooks/${webhook.id}`;
  const canRetry = webhook.disabledReason === null && wasSent(delivery);
  return renderShell(
    scene,
    {
      title: delivery.type,
      section: "/webhooks",
      parent: { title: new URL(webhook.url).host, path },
      actions: canRetry ? <Action to={`${path}/deliveries/${delivery.id}/retry`} label="Send again" /> : undefined,
    },
    <>
      <DeliveryFacts delivery={delivery} />
      <h2>The message</h2>
      <pre tabindex={0}>{indented(delivery.payload)}</pre>
      <h2>What came back</h2>
      <Answer delivery={delivery} />
    </>,
  );
}

function DeliveryFacts({ delivery }: { readonly delivery: Delivery }) {
  const { lastAttempt } = delivery;
  return (
    <dl>
      <dt>State</dt>
      <dd>
        <DeliveryState delivery={delivery} />
      </dd>
      <dt>Message</dt>
      <dd>
        <code>{delivery.id}</code>
      </dd>
      {delivery.eventId !== null && (
        <>
          <dt>Event</dt>
          <dd>
            <code>{delivery.eventId}</code>
          </dd>
        </>
      )}
      <dt>Made</dt>
      <dd>
        <Time at={delivery.createdAt} />
      </dd>
      <dt>Attempts</dt>
      <dd>{delivery.attempts}</dd>
      {lastAttempt !== null && (
        <>
          <dt>Last attempt</dt>
          <dd>
            <Time at={lastAttempt.at} />, {Math.round(lastAttempt.ms)} ms
          </dd>
        </>
      )}
      {delivery.status === "pending" && (
        <>
          <dt>Next attempt</dt>
          <dd>
            <Time at={delivery.nextAttemptAt} />
          </dd>
        </>
      )}
    </dl>
  );
}

function Answer({ delivery: { lastAttempt } }: { readonly delivery: Delivery }) {
  if (lastAttempt === null) return <p class="soft">It was not sent yet.</p>;
  const { status, error, answer } = lastAttempt;
  return (
    <>
      <p>
        {status !== null && <>Status {status}. </>}
        {error}
      </p>
      {answer !== null && answer !== "" && <pre tabindex={0}>{answer}</pre>}
    </>
  );
}

function indented(payload: string): string {
  return JSON.stringify(JSON.parse(payload), undefined, 2);
}
