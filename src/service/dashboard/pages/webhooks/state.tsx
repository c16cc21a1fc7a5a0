import type { Delivery } from "../../../store/deliveries.ts";
import type { Webhook } from "../../../store/webhooks.ts";
import { Badge } from "../../parts/values.tsx";

/** Whether a webhook gets anything. */
export function WebhookState({ webhook }: { readonly webhook: Webhook }) {
  if (webhook.disabledReason !== null) return <Badge mood="bad">off</Badge>;
  return webhook.failingSince === null ? <Badge mood="good">on</Badge> : <Badge mood="bad">failing</Badge>;
}

const MOODS = { pending: "plain", delivered: "good", failed: "bad" } as const;

export function DeliveryState({ delivery }: { readonly delivery: Delivery }) {
  return <Badge mood={isFailing(delivery) ? "bad" : MOODS[delivery.status]}>{delivery.status}</Badge>;
}

/** Whether sending it again means anything: one that waits for its first attempt is sent anyway. */
export function wasSent({ status, attempts }: Delivery): boolean {
  return status !== "pending" || attempts > 0;
}

/** Whether an attempt went wrong and none has gone well since. */
export function isFailing({ status, attempts }: Delivery): boolean {
  return status === "failed" || (status === "pending" && attempts > 0);
}

/** How the last attempt went, in a few words. */
export function AttemptResult({ delivery }: { readonly delivery: Delivery }) {
  const { lastAttempt } = delivery;
  if (lastAttempt === null) return <span class="soft">not sent yet</span>;
  return (
    <>
      {lastAttempt.status ?? lastAttempt.error ?? "no answer"} in {Math.round(lastAttempt.ms)} ms
    </>
  );
}
