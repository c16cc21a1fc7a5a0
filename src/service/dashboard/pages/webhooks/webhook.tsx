import { DELIVERY_STATUSES } from "../../../../contract/extension-records.ts";
import { getWebhook } from "../../../resources/webhooks.ts";
import { listDeliveries } from "../../../store/deliveries.ts";
import type { Webhook } from "../../../store/webhooks.ts";
import { DangerLink } from "../../parts/confirm.tsx";
import { Action } from "../../parts/forms.tsx";
import { Empty, Older, windowOf } from "../../parts/lists.tsx";
import { renderShell } from "../../parts/shell.tsx";
import { Time } from "../../parts/values.tsx";
import type { DashboardContext } from "../../scene.ts";
import { DeliveryTable } from "./delivery-table.tsx";
import { WebhookState } from "./state.tsx";

const SHOWN = 25;

/** `/webhooks/:webhookId`: its state and what was delivered. */
export async function showWebhook(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const webhook = await getWebhook(scene.records, context.req.param("webhookId") ?? "");
  const status = DELIVERY_STATUSES.find((each) => each === context.req.query("status"));
  const wanted = { status, window: windowOf(context, SHOWN) };
  const { items, next } = await listDeliveries(scene.records.database, webhook.id, wanted);
  return renderShell(
    scene,
    {
      title: new URL(webhook.url).host,
      section: "/webhooks",
      parent: { title: "Webhooks", path: "/webhooks" },
      notice: context.req.query("notice"),
      actions: <WebhookActions webhook={webhook} />,
    },
    <>
      {webhook.disabledReason !== null && <p class="warning">{REASONS[webhook.disabledReason]}</p>}
      <WebhookFacts webhook={webhook} now={scene.records.now} />
      <h2>Deliveries</h2>
      <ul class="tabs above">
        {[undefined, ...DELIVERY_STATUSES].map((each) => (
          <li>
            <a
              href={each === undefined ? `/webhooks/${webhook.id}` : `?status=${each}`}
              aria-current={each === status ? "true" : undefined}
            >
              {each ?? "all"}
            </a>
          </li>
        ))}
      </ul>
      {items.length === 0 ? (
        <Empty>
          <p>{status === undefined ? "Nothing was to be delivered yet." : `None is ${status}.`}</p>
        </Empty>
      ) : (
        <DeliveryTable deliveries={items} canRetry={webhook.disabledReason === null} />
      )}
      <Older next={next} query={{ status }} />
    </>,
  );
}

const REASONS: Readonly<Record<NonNullable<Webhook["disabledReason"]>, string>> = {
  "switched-off": "The webhook is switched off: nothing is sent to it.",
  gone: "The address answered that it is gone (410), so the webhook was switched off.",
  failing: "The address took nothing for five days, so the webhook was switched off.",
};

function WebhookActions({ webhook: { id, disabledReason } }: { readonly webhook: Webhook }) {
  const isOn = disabledReason === null;
  return (
    <>
      {isOn && <Action to={`/webhooks/${id}/test`} label="Send a test" />}
      <Action
        to={`/webhooks/${id}/enabled`}
        label={isOn ? "Switch off" : "Switch on"}
        fields={{ enabled: String(!isOn) }}
      />
      <a class="button quiet" href={`/webhooks/${id}/change`}>
        Change
      </a>
      <a class="button quiet" href={`/webhooks/${id}/rotate`}>
        New secret
      </a>
      <DangerLink to={`/webhooks/${id}/delete`} label="Delete" />
    </>
  );
}

function WebhookFacts({ webhook, now }: { readonly webhook: Webhook; readonly now: Date }) {
  const { url, description, events, failingSince, oldSecretUntil } = webhook;
  return (
    <dl>
      <dt>Address</dt>
      <dd>
        <code>{url}</code>
      </dd>
      {description !== null && (
        <>
          <dt>Description</dt>
          <dd>{description}</dd>
        </>
      )}
      <dt>State</dt>
      <dd>
        <WebhookState webhook={webhook} />
        {failingSince !== null && (
          <>
            {" "}
            since <Time at={failingSince} />
          </>
        )}
      </dd>
      <dt>Listens to</dt>
      <dd>{events.join(", ")}</dd>
      {oldSecretUntil !== null && oldSecretUntil > now && (
        <>
          <dt>Old secret</dt>
          <dd>
            signs too until <Time at={oldSecretUntil} />
          </dd>
        </>
      )}
    </dl>
  );
}
