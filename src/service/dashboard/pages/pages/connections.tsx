import type { Asset } from "../../../store/assets.ts";
import type { StoredEvent } from "../../../store/events.ts";
import type { Form } from "../../../store/forms.ts";
import { AssetGrid } from "../../parts/assets.tsx";
import { Badge, Time } from "../../parts/values.tsx";

export interface PageConnectionsProps {
  readonly assets: readonly Asset[];
  readonly forms: readonly Form[];
  /** Newest first. */
  readonly events: readonly StoredEvent[];
  readonly pagesUrl: string;
}

/** What a page is connected with: its forms, what it shows of the library, what happened to it. */
export function PageConnections({ assets, forms, events, pagesUrl }: PageConnectionsProps) {
  return (
    <>
      {forms.length > 0 && (
        <section aria-labelledby="forms">
          <h2 id="forms">Forms</h2>
          <ul class="plain-list">
            {forms.map((form) => (
              <li>
                <a href={`/forms/${form.id}`}>{form.name}</a>{" "}
                <span class="soft">{form.fields.map(({ name }) => name).join(", ")}</span>{" "}
                {!form.open && <Badge mood="soft">closed</Badge>}
              </li>
            ))}
          </ul>
        </section>
      )}
      {assets.length > 0 && (
        <section aria-labelledby="assets">
          <h2 id="assets">Files of the library</h2>
          <AssetGrid assets={assets} pagesUrl={pagesUrl} />
        </section>
      )}
      {events.length > 0 && (
        <section aria-labelledby="history">
          <h2 id="history">What happened</h2>
          <ul class="plain-list">
            {events.map((event) => (
              <li>
                <Time at={event.createdAt} /> {describeEvent(event)}
              </li>
            ))}
          </ul>
        </section>
      )}
    </>
  );
}

function describeEvent({ type, data }: StoredEvent): string {
  const version = typeof data["version"] === "number" ? ` as version ${data["version"]}` : "";
  switch (type) {
    case "page.published":
      return `Published${version}`;
    case "page.updated":
      return `Changed${version}`;
    case "page.deleted":
      return data["reason"] === "unpublished" ? "Made a draft" : "Deleted";
    default:
      return type;
  }
}
