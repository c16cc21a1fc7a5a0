import type { RequestLogEntry } from "../../../development/request-log.ts";
import { Empty, Table } from "../../parts/lists.tsx";
import { renderShell } from "../../parts/shell.tsx";
import { Badge, Time } from "../../parts/values.tsx";
import type { DashboardApp, DashboardContext } from "../../scene.ts";
import { findRequests } from "./find-requests.ts";
import type { RequestsFilter } from "./find-requests.ts";
import { RequestsForm, readFilter } from "./filter.tsx";

/** What programs asked of the service, and how it answered. */
export function registerRequestPages(app: DashboardApp): void {
  app.get("/requests", showRequests);
}

const SHOWN = 50;

function showRequests(context: DashboardContext): Response {
  const { scene } = context.var;
  const filter = readFilter(context);
  const skip = Math.max(0, Math.trunc(Number(context.req.query("skip") ?? 0)) || 0);
  const { items, next } = findRequests(scene, filter, { skip, limit: SHOWN });
  return renderShell(
    scene,
    { title: "Requests", section: "/requests" },
    <>
      <RequestsForm filter={filter} />
      {items.length === 0 ? (
        <Empty>
          <p>{Object.values(filter).every((value) => value === undefined) ? NOTHING : "No request fits."}</p>
        </Empty>
      ) : (
        <Table caption="Requests, newest first" columns={["When", "Request", "Route set", "Answer", "Took"]}>
          {items.map((entry) => (
            <RequestRow entry={entry} />
          ))}
        </Table>
      )}
      <Further next={next} filter={filter} />
    </>,
  );
}

const NOTHING = "Nobody has asked the API for anything since the service was started.";

function RequestRow({ entry }: { readonly entry: RequestLogEntry }) {
  const { at, method, path, routeSet, operation, status, ms, warnings } = entry;
  return (
    <tr>
      <td class="number">
        <Time at={at} />
      </td>
      <th scope="row" class="request">
        <code>
          {method} {path}
        </code>
        {operation !== undefined && <p class="note">{operation}</p>}
        {warnings.map((warning) => (
          <p class="note">{warning}</p>
        ))}
      </th>
      <td>{routeSet === undefined ? "–" : routeSet.toUpperCase()}</td>
      <td>
        <Badge mood={status >= 200 && status < 400 ? "good" : "bad"}>{status === 0 ? "none" : String(status)}</Badge>
      </td>
      <td class="number">{ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms</td>
    </tr>
  );
}

function Further({ next, filter }: { readonly next: number | undefined; readonly filter: RequestsFilter }) {
  if (next === undefined) return <></>;
  const search = new URLSearchParams({ skip: String(next) });
  for (const [name, value] of Object.entries(filter)) if (value !== undefined) search.set(name, value);
  return (
    <p class="older">
      <a class="button quiet" href={`?${search}`}>
        Older
      </a>
    </p>
  );
}
