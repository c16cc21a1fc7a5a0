import { deliveryRecord } from "../../../contract/extension-records.ts";
import { titlesOf } from "../../../contract/fields.ts";
import { ProblemError } from "../../http/problem.ts";
import { getDelivery, getWebhook } from "../../resources/webhooks.ts";
import type { Delivery } from "../../store/webhooks.ts";
import { paramOf, type DashboardContext } from "../context.ts";
import { Action } from "../parts/actions.tsx";
import { Badge, Facts, Table, Time } from "../parts/lists.tsx";
import { renderPage } from "../parts/page.tsx";

const TITLES = titlesOf(deliveryRecord);

/** Deliveries of a webhook; `canRetry`: whether they can be sent again. */
export function DeliveryTable({
  deliveries,
  canRetry,
}: {
  readonly deliveries: readonly Delivery[];
  readonly canRetry: boolean;
}) {
  return (
    <Table
      caption="Deliveries, newest first"
      rows={deliveries}
      columns={[
        [TITLES.type, (delivery) => <a href={pathOf(delivery)}>{delivery.type}</a>],
        [TITLES.status, (delivery) => <DeliveryState delivery={delivery} />],
        [TITLES.attempts, ({ attempts }) => attempts],
        ["Response", (delivery) => <AttemptResult delivery={delivery} />, "cell"],
        ["Created, next attempt", (delivery) => <DeliveryTimes delivery={delivery} />],
        ["", (delivery) => canRetry && isFailing(delivery) && <Retry delivery={delivery} />],
      ]}
    />
  );
}

function pathOf({ webhookId, id }: Delivery): string {
  return `/webhooks/${webhookId}/deliveries/${id}`;
}

const VARIANTS = { pending: "plain", delivered: "good", failed: "bad" } as const;

function DeliveryState({ delivery }: { readonly delivery: Delivery }) {
  return <Badge variant={isFailing(delivery) ? "bad" : VARIANTS[delivery.status]}>{delivery.status}</Badge>;
}

function isFailing({ status, attempts }: Delivery): boolean {
  return status === "failed" || (status === "pending" && attempts > 0);
}

// In one column, because the button needs the width of the other.
function DeliveryTimes({ delivery: { status, createdAt, nextAttemptAt } }: { readonly delivery: Delivery }) {
  return (
    <>
      <Time at={createdAt} />
      {status === "pending" && (
        <>
          <br />
          <Time at={nextAttemptAt} />
        </>
      )}
    </>
  );
}

function AttemptResult({ delivery: { lastAttempt } }: { readonly delivery: Delivery }) {
  if (lastAttempt === null) return <span class="soft">not sent yet</span>;
  return (
    <span>
      {lastAttempt.status ?? lastAttempt.error ?? "no response"} in {Math.round(lastAttempt.ms)} ms
    </span>
  );
}

function Retry({ delivery }: { readonly delivery: Delivery }) {
  return <Action to={`${pathOf(delivery)}/retry`} label="Send again" />;
}

export async function showDelivery(context: DashboardContext): Promise<Response> {
  const { records } = context.var;
  const webhook = await getWebhook(records, paramOf(context, "webhookId"));
  const delivery = await getDelivery(records, paramOf(context, "deliveryId"));
  if (delivery.webhookId !== webhook.id) throw new ProblemError("delivery_not_found");
  const { id, type, eventId, createdAt, attempts, status, nextAttemptAt, lastAttempt, payload } = delivery;
  // A delivery before its first attempt is sent anyway.
  const canRetry = webhook.disabledReason === null && (status !== "pending" || attempts > 0);
  return renderPage(
    context,
    {
      title: type,
      parent: { title: new URL(webhook.url).host, path: `/webhooks/${webhook.id}` },
      actions: canRetry && <Retry delivery={delivery} />,
    },
    <>
      <Facts
        rows={[
          [TITLES.status, <DeliveryState delivery={delivery} />],
          ["Message", <code>{id}</code>],
          [TITLES.eventId, eventId !== null && <code>{eventId}</code>],
          [TITLES.createdAt, createdAt],
          [TITLES.attempts, attempts],
          [TITLES.lastAttempt, lastAttempt && [<Time at={lastAttempt.at} />, `, ${Math.round(lastAttempt.ms)} ms`]],
          [TITLES.nextAttemptAt, status === "pending" && <Time at={nextAttemptAt} />],
        ]}
      />
      <h2>Message</h2>
      <pre tabindex={0}>{JSON.stringify(JSON.parse(payload), undefined, 2)}</pre>
      <h2>Response</h2>
      <Reply attempt={lastAttempt} />
    </>,
  );
}

function Reply({ attempt }: { readonly attempt: Delivery["lastAttempt"] }) {
  if (attempt === null) return <p class="soft">Not sent yet.</p>;
  const { status, error, answer } = attempt;
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
