import { titlesOf } from "../../../contract/fields.ts";
import { EVENT_TYPES, type EventType, DELIVERY_STATUSES, webhookRecord } from "../../../contract/extension-records.ts";
import { webhookCreateBody, webhookPatchBody } from "../../../contract/operations/account.ts";
import {
  createWebhook,
  getWebhook,
  patchWebhook,
  removeWebhook,
  retryDelivery,
  testWebhook,
} from "../../resources/webhooks.ts";
import { listDeliveries, type Webhook } from "../../store/webhooks.ts";
import { paramOf, write, type DashboardApp, type DashboardContext } from "../context.ts";
import { parseInput, textOrNull, valuesOf, type Fields, type FormState, type FormValues, readForm } from "../forms.ts";
import { Action, ButtonLink, renderSecret, type SecretPage } from "../parts/actions.tsx";
import { registerBulk } from "../parts/bulk.tsx";
import { Choices, FieldsForm } from "../parts/fields.tsx";
import { Facts, List, searchOf, Tabs, Time, windowOf } from "../parts/lists.tsx";
import { renderPage } from "../parts/page.tsx";
import { resourcePages } from "../parts/resource-pages.tsx";
import type { Link } from "../paths.ts";
import { DeliveryTable, showDelivery } from "./deliveries.tsx";
import { showWebhooks, WEBHOOKS, WebhookState } from "./webhook-list.tsx";

const TITLES = titlesOf(webhookRecord);
const SHOWN = 25;

const FIELDS: Fields = {
  url: { label: TITLES.url, kind: "url", required: true, hint: "Receives a POST request for each event." },
  description: { label: TITLES.description, hint: "A note for yourself." },
};

export function registerWebhookPages(app: DashboardApp): void {
  registerBulk(app, "/webhooks", WEBHOOKS);
  resourcePages(app, {
    section: "/webhooks",
    route: "/webhooks/:webhookId",
    find: (context) => getWebhook(context.var.records, paramOf(context, "webhookId")),
    list: showWebhooks,
    create: {
      route: "/webhooks/new",
      render: showNewWebhook,
      values: Object.fromEntries(EVENT_TYPES.map((type) => [fieldOf(type), "on"])),
      groups: ["events"],
      async save(context, values) {
        const body = parseInput(webhookCreateBody, bodyOf(values));
        const webhook = await write(context, (records) => createWebhook(records, body));
        return showSecret(context, webhook, { title: "Webhook added", status: 201 });
      },
    },
    show: showWebhook,
    edit: {
      route: "/webhooks/:webhookId/change",
      render: showChange,
      values: (webhook) => ({
        ...valuesOf(FIELDS, webhook),
        ...Object.fromEntries(webhook.events.map((type) => [fieldOf(type), "on"])),
      }),
      groups: ["events"],
      async save(context, { id }, values) {
        const patch = parseInput(webhookPatchBody, bodyOf(values));
        await write(context, (records) => patchWebhook(records, id, patch));
        return `/webhooks/${id}?notice=saved`;
      },
    },
    actions: { test: sendTest, enabled: setEnabled, "deliveries/:deliveryId/retry": retry },
    questions: {
      rotate: {
        ask: (_, webhook) => ({
          title: "Create a new secret?",
          parent: linkTo(webhook),
          button: "Create new secret",
          main: (
            <p>
              For one day, deliveries are signed with both secrets, so that you can update the receiver. After that the
              old secret is invalid.
            </p>
          ),
        }),
        async answer(context, { id }) {
          const webhook = await write(context, (records) => patchWebhook(records, id, { rotateSecret: true }));
          return showSecret(context, webhook, { title: "New secret", status: 200 });
        },
      },
      delete: {
        ask: (_, webhook) => ({
          title: "Delete this webhook?",
          parent: linkTo(webhook),
          button: "Delete webhook",
          main: (
            <p>
              <code>{webhook.url}</code> no longer receives events. Pending deliveries and the delivery history are
              deleted too.
            </p>
          ),
        }),
        async answer(context, { id }) {
          await write(context, (records) => removeWebhook(records, id));
          return "/webhooks?notice=webhook-deleted";
        },
      },
    },
  });
  app.get("/webhooks/:webhookId/deliveries/:deliveryId", showDelivery);
}

function linkTo({ id, url }: Webhook): Link {
  return { title: url, path: `/webhooks/${id}` };
}

async function sendTest(context: DashboardContext): Promise<string> {
  const id = paramOf(context, "webhookId");
  await write(context, (records) => testWebhook(records, id));
  return `/webhooks/${id}?notice=webhook-tested`;
}

async function setEnabled(context: DashboardContext): Promise<string> {
  const id = paramOf(context, "webhookId");
  const enabled = (await readForm(context)).values["enabled"] === "true";
  await write(context, (records) => patchWebhook(records, id, { enabled }));
  return `/webhooks/${id}?notice=webhook-${enabled ? "on" : "off"}`;
}

async function retry(context: DashboardContext): Promise<string> {
  await write(context, (records) => retryDelivery(records, paramOf(context, "deliveryId")));
  return `/webhooks/${paramOf(context, "webhookId")}?notice=delivery-retried`;
}

function showNewWebhook(context: DashboardContext, form: FormState): Response {
  return renderPage(
    context,
    { title: "Add a webhook", form },
    <WebhookForm state={form} to="/webhooks" button="Add webhook" />,
  );
}

function showChange(context: DashboardContext, webhook: Webhook, form: FormState): Response {
  const parent = linkTo(webhook);
  return renderPage(
    context,
    { title: "Edit webhook", parent, form },
    <WebhookForm state={form} to={parent.path} button="Save" />,
  );
}

/** The form for a webhook's URL and event types. */
function WebhookForm({
  state,
  to,
  button,
}: {
  readonly state: FormState;
  readonly to: string;
  readonly button: string;
}) {
  return (
    <FieldsForm to={to} class="panel" fields={FIELDS} state={state} button={button}>
      <fieldset>
        <legend>{TITLES.events}</legend>
        {state.errors["events"] !== undefined && <p class="error">{state.errors["events"]}</p>}
        <Choices values={EVENT_TYPES} nameOf={fieldOf} meanings={MEANINGS} state={state} />
      </fieldset>
    </FieldsForm>
  );
}

const MEANINGS: Readonly<Record<EventType, string>> = {
  "page.published": "a page is available to visitors",
  "page.updated": "a published page has changed",
  "page.deleted": "a page is gone",
  "release.published": "a whole site was published at once",
  "form.submitted": "a visitor submitted a form",
  "lead.captured": "an email address was submitted for the first time",
};

function bodyOf(values: FormValues) {
  return {
    url: values["url"],
    description: textOrNull(values["description"]),
    events: EVENT_TYPES.filter((type) => values[fieldOf(type)] !== undefined),
  };
}

function fieldOf(type: string): string {
  return `on:${type}`;
}

function showSecret(context: DashboardContext, { id, secret }: Webhook, page: Pick<SecretPage, "title" | "status">) {
  return renderSecret(context, {
    title: page.title,
    status: page.status,
    label: "Secret",
    text: secret,
    hint: "The receiver uses it to verify that a message came from here. Copy it now: it isn't shown again.",
    after: (
      <p>
        Deliveries are signed according to{" "}
        <a href="https://www.standardwebhooks.com/" rel="noopener noreferrer">
          Standard Webhooks
        </a>
        ; <code>verifyWebhook</code> of <code>astro-imprint/client</code> checks them.
      </p>
    ),
    done: { title: "Go to the webhook", path: `/webhooks/${id}` },
  });
}

const REASONS: Readonly<Record<NonNullable<Webhook["disabledReason"]>, string>> = {
  "switched-off": "The webhook is disabled: nothing is sent to it.",
  gone: "The address responded that it is gone (410), so the webhook was disabled.",
  failing: "All deliveries failed for five days, so the webhook was disabled.",
};

async function showWebhook(context: DashboardContext, webhook: Webhook): Promise<Response> {
  const path = `/webhooks/${webhook.id}`;
  const status = DELIVERY_STATUSES.find((each) => each === context.req.query("status"));
  const wanted = { status, window: windowOf(context, SHOWN) };
  const deliveries = await listDeliveries(context.var.records.database, webhook.id, wanted);
  const pathOf = (each: string | undefined) => (each === undefined ? path : searchOf({ status: each }));
  return renderPage(
    context,
    { title: new URL(webhook.url).host, actions: <WebhookActions webhook={webhook} /> },
    <>
      {webhook.disabledReason !== null && <p class="warning">{REASONS[webhook.disabledReason]}</p>}
      <WebhookFacts webhook={webhook} now={context.var.records.now} />
      <h2>Deliveries</h2>
      <Tabs
        tabs={[undefined, ...DELIVERY_STATUSES].map((each) => [pathOf(each), each ?? "all"])}
        current={pathOf(status)}
      />
      <List
        of={deliveries}
        query={{ status }}
        empty={status === undefined ? "No deliveries yet." : `No ${status} deliveries.`}
      >
        <DeliveryTable deliveries={deliveries.items} canRetry={webhook.disabledReason === null} />
      </List>
    </>,
  );
}

function WebhookActions({ webhook: { id, disabledReason } }: { readonly webhook: Webhook }) {
  const path = `/webhooks/${id}`;
  const isOn = disabledReason === null;
  return (
    <>
      {isOn && <Action to={`${path}/test`} label="Send a test" />}
      <Action to={`${path}/enabled`} label={isOn ? "Disable" : "Enable"} fields={{ enabled: String(!isOn) }} />
      <ButtonLink to={`${path}/change`} variant="quiet" label="Edit" />
      <ButtonLink to={`${path}/rotate`} variant="quiet" label="New secret" />
      <ButtonLink to={`${path}/delete`} variant="danger" label="Delete" />
    </>
  );
}

function WebhookFacts({ webhook, now }: { readonly webhook: Webhook; readonly now: Date }) {
  const { url, description, events, failingSince, oldSecretUntil } = webhook;
  const state = <WebhookState webhook={webhook} />;
  return (
    <Facts
      rows={[
        [TITLES.url, <code>{url}</code>],
        [TITLES.description, description],
        ["Status", failingSince === null ? state : [state, " since ", <Time at={failingSince} />]],
        [TITLES.events, events.join(", ")],
        [
          "Old secret",
          oldSecretUntil !== null && oldSecretUntil > now && ["valid until ", <Time at={oldSecretUntil} />],
        ],
      ]}
    />
  );
}
