// The list of webhooks: search, sorting and bulk actions.
import { webhookRecord } from "../../../contract/extension-records.ts";
import { titlesOf } from "../../../contract/fields.ts";
import { patchWebhook, removeWebhook } from "../../resources/webhooks.ts";
import { type Webhook, listWebhooks } from "../../store/webhooks.ts";
import type { DashboardContext } from "../context.ts";
import { ButtonLink } from "../parts/actions.tsx";
import { ListPart, readListPage, type BulkList } from "../parts/list-page.tsx";
import { Badge, Time } from "../parts/lists.tsx";
import { renderPage } from "../parts/page.tsx";

const TITLES = titlesOf(webhookRecord);

export const WEBHOOKS: BulkList<Webhook> = {
  noun: "webhook",
  search: { label: "Find a webhook", placeholder: "Address or description" },
  filters: {},
  orders: ["created", "oldest", "url"],
  read: ({ var: { records } }, wanted) => listWebhooks(records.reader, records.accountId, wanted),
  nameOf: ({ url }) => url,
  actions: {
    enable: {
      label: "Enable",
      done: "enabled",
      isImmediate: true,
      run: (records, { id }) => patchWebhook(records, id, { enabled: true }),
    },
    disable: {
      label: "Disable",
      done: "disabled",
      isImmediate: true,
      run: (records, { id }) => patchWebhook(records, id, { enabled: false }),
    },
    delete: {
      label: "Delete",
      done: "deleted",
      danger: true,
      consequence: "They no longer receive events. Pending deliveries and the delivery histories are deleted too.",
      run: (records, { id }) => removeWebhook(records, id),
    },
  },
};

export async function showWebhooks(context: DashboardContext): Promise<Response> {
  const webhooks = await readListPage(context, WEBHOOKS);
  const empty = (
    <>
      A webhook notifies another service as soon as a page is published or a form is submitted. There are none yet:{" "}
      <a href="/webhooks/new">add one</a>.
    </>
  );
  return renderPage(
    context,
    { actions: <ButtonLink to="/webhooks/new" label="Add a webhook" /> },
    <ListPart
      of={webhooks}
      empty={empty}
      caption="List of webhooks"
      columns={[
        [TITLES.url, (webhook) => <Address webhook={webhook} />, "words"],
        ["Status", (webhook) => <WebhookState webhook={webhook} />],
        [TITLES.events, ({ events }) => events.join(", "), "words"],
        [TITLES.createdAt, ({ createdAt }) => <Time at={createdAt} to="day" />],
      ]}
    />,
  );
}

function Address({ webhook: { id, url, description } }: { readonly webhook: Webhook }) {
  return (
    <>
      <a href={`/webhooks/${id}`}>{url}</a>
      {description !== null && <p class="note">{description}</p>}
    </>
  );
}

/** Shows whether a webhook receives events. */
export function WebhookState({ webhook: { disabledReason, failingSince } }: { readonly webhook: Webhook }) {
  if (disabledReason !== null) return <Badge variant="bad">off</Badge>;
  return failingSince === null ? <Badge variant="good">on</Badge> : <Badge variant="bad">failing</Badge>;
}
