import { listLoggedRequests, type LoggedRequest } from "../../../store/request-log.ts";
import { Empty, Older, Table, windowOf } from "../../parts/lists.tsx";
import { renderShell } from "../../parts/shell.tsx";
import { Badge, Time } from "../../parts/values.tsx";
import type { DashboardApp, DashboardContext } from "../../scene.ts";
import { nameCallers } from "./caller-names.ts";
import { readFilter, RequestsForm } from "./filter.tsx";

/** What programs asked of the service, and how it answered. */
export function registerRequestPages(app: DashboardApp): void {
  app.get("/requests", showRequests);
}

async function showRequests(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const filter = readFilter(context);
  // What was asked a moment ago may wait to be written.
  await scene.core.requests.flush();
  const { items, next } = await listLoggedRequests(scene.records.database, scene.records.accountId, {
    filter,
    window: windowOf(context),
  });
  const names = await nameCallers(scene.records);
  return renderShell(
    scene,
    { title: "Requests", section: "/requests" },
    <>
      <RequestsForm filter={filter} />
      {items.length === 0 ? (
        <Empty>
          <p>
            {Object.values(filter).every((value) => value === undefined)
              ? "Nobody has asked the API for anything yet."
              : "No request fits."}
          </p>
        </Empty>
      ) : (
        <Table caption="Requests, newest first" columns={["When", "Request", "Route set", "Answer", "Took", "By"]}>
          {items.map((request) => (
            <RequestRow request={request} names={names} />
          ))}
        </Table>
      )}
      <Older next={next} query={{ ...filter }} />
    </>,
  );
}

interface RequestRowProps {
  readonly request: LoggedRequest;
  readonly names: ReadonlyMap<string, string>;
}

function RequestRow({ request, names }: RequestRowProps) {
  const { createdAt, method, path, routeSet, operation, status, ms, problem, requestId, keyId, warnings } = request;
  return (
    <tr>
      <td class="number">
        <Time at={createdAt} />
      </td>
      <th scope="row" class="request">
        <code>
          {method} {path}
        </code>
        <p class="note">
          {operation} <code>{requestId}</code>
        </p>
        {warnings.map((warning) => (
          <p class="note">{warning}</p>
        ))}
      </th>
      <td>{routeSet === null ? "–" : routeSet.toUpperCase()}</td>
      <td>
        <Badge mood={status >= 200 && status < 400 ? "good" : "bad"}>{status === 0 ? "none" : String(status)}</Badge>
        {problem !== null && (
          <p class="note">
            <code>{problem}</code>
          </p>
        )}
      </td>
      <td class="number">
        {ms < 10 ? ms.toFixed(1) : Math.round(ms)}
        {"\u00a0"}ms
      </td>
      <td class="words">
        <Caller id={keyId} names={names} />
      </td>
    </tr>
  );
}

// A key that was revoked has no name any more.
function Caller({ id, names }: { readonly id: string | null; readonly names: ReadonlyMap<string, string> }) {
  if (id === null) return <span class="soft">without a key</span>;
  return <>{names.get(id) ?? <code>{id}</code>}</>;
}
