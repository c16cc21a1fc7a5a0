import type { Context } from "../../../resources/context.ts";
import { listDomains, type Domain } from "../../../store/domains.ts";
import { listWebhooks, type Webhook } from "../../../store/webhooks.ts";

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
  const { items: domains } = await listDomains(database, accountId, ALL);
  return [...findWebhookTroubles(webhooks), ...findDomainTroubles(domains)];
}

function findDomainTroubles(domains: readonly Domain[]): readonly Trouble[] {
  return domains.flatMap(({ id, name, status, missingSince }) => {
    const path = `/domains/${id}`;
    if (status === "failed")
      return [{ path, text: `The domain ${name} was given up: its proof was not found in DNS.` }];
    return missingSince === null ? [] : [{ path, text: `The proof of the domain ${name} is gone from DNS.` }];
  });
}

function findWebhookTroubles(webhooks: readonly Webhook[]): readonly Trouble[] {
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
