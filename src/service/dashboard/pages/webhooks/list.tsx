import { listWebhooks, type Webhook } from "../../../store/webhooks.ts";
import { Empty, Older, Table, windowOf } from "../../parts/lists.tsx";
import { renderShell } from "../../parts/shell.tsx";
import { Day } from "../../parts/values.tsx";
import type { DashboardContext } from "../../scene.ts";
import { WebhookState } from "./state.tsx";

/** `/webhooks` */
export async function showWebhooks(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const { items, next } = await listWebhooks(scene.records.database, scene.records.accountId, windowOf(context));
  return renderShell(
    scene,
    {
      title: "Webhooks",
      section: "/webhooks",
      notice: context.req.query("notice"),
      actions: (
        <a class="button" href="/webhooks/new">
          Add a webhook
        </a>
      ),
    },
    <>
      {items.length === 0 ? (
        <Empty>
          <p>A webhook tells another service at once when a page is published or a form is sent. There is none yet.</p>
        </Empty>
      ) : (
        <Table caption="Webhooks, newest first" columns={["Address", "State", "Listens to", "Since"]}>
          {items.map((webhook) => (
            <WebhookRow webhook={webhook} />
          ))}
        </Table>
      )}
      <Older next={next} />
    </>,
  );
}

function WebhookRow({ webhook }: { readonly webhook: Webhook }) {
  return (
    <tr>
      <th scope="row" class="words">
        <a href={`/webhooks/${webhook.id}`}>{webhook.url}</a>
        {webhook.description !== null && <p class="note">{webhook.description}</p>}
      </th>
      <td>
        <WebhookState webhook={webhook} />
      </td>
      <td class="words">{webhook.events.join(", ")}</td>
      <td class="number">
        <Day at={webhook.createdAt} />
      </td>
    </tr>
  );
}
