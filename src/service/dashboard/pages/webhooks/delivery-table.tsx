import type { Delivery } from "../../../store/deliveries.ts";
import { Action } from "../../parts/forms.tsx";
import { Table } from "../../parts/lists.tsx";
import { Time } from "../../parts/values.tsx";
import { AttemptResult, DeliveryState, isFailing } from "./state.tsx";

export interface DeliveryTableProps {
  readonly deliveries: readonly Delivery[];
  /** Whether something can be sent again. */
  readonly canRetry: boolean;
}

export function DeliveryTable({ deliveries, canRetry }: DeliveryTableProps) {
  return (
    <Table
      caption="Deliveries, newest first"
      columns={["Event", "State", "Attempts", "Answer", "Made", "Next attempt", ""]}
    >
      {deliveries.map((delivery) => (
        <tr>
          <th scope="row">
            <a href={`/webhooks/${delivery.webhookId}/deliveries/${delivery.id}`}>{delivery.type}</a>
          </th>
          <td>
            <DeliveryState delivery={delivery} />
          </td>
          <td class="number">{delivery.attempts}</td>
          <td class="cell">
            <span>
              <AttemptResult delivery={delivery} />
            </span>
          </td>
          <td class="number">
            <Time at={delivery.createdAt} />
          </td>
          <td class="number">{delivery.status === "pending" ? <Time at={delivery.nextAttemptAt} /> : "–"}</td>
          <td>
            {canRetry && isFailing(delivery) && (
              <Action to={`/webhooks/${delivery.webhookId}/deliveries/${delivery.id}/retry`} label="Send again" />
            )}
          </td>
        </tr>
      ))}
    </Table>
  );
}
