import type { Context } from "../../../resources/context.ts";
import { listWebhooks } from "../../../store/webhooks.ts";

/** Something that does not work until somebody looks after it. */
export interface Trouble {
  readonly text: string;
  /** Where it can be looked after. */
  readonly path: string;
}

const ALL = { after: undefined, limit: 100, visibleUntil: Infinity };

/** What needs somebody. */
export async function findTroubles({ database, accountId }: Context): Promise<readonly Trouble[]> {
  const { items: webhooks } = await listWebhooks(database, accountId, ALL);
  return webhooks.flatMap(({ id, url, disabledReason, failingSince }) => {
    const path = `/webhooks/${id}`;
    const { host } = new URL(url);
    switch (disabledReason) {
      case "gone":
        return [{ path, text: `The webhook to ${host} was switched off: its receiver says that it is gone.` }];
      case "failing":
        return [{ path, text: `The webhook to ${host} was switched off: nothing arrived there for five days.` }];
      case "switched-off":
        return [];
      case null:
        return failingSince === null ? [] : [{ path, text: `The webhook to ${host} fails and is tried again.` }];
    }
  });
}

/** The troubles as a list of ways to look after them. */
export function Attention({ troubles }: { readonly troubles: readonly Trouble[] }) {
  if (troubles.length === 0) return <></>;
  return (
    <section class="warning" aria-labelledby="attention">
      <h2 id="attention">This needs you</h2>
      <ul>
        {troubles.map(({ text, path }) => (
          <li>
            <a href={path}>{text}</a>
          </li>
        ))}
      </ul>
    </section>
  );
}
