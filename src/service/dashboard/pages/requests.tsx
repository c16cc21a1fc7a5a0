import { REQUEST_OUTCOMES } from "../../../contract/requests.ts";
import type { Context } from "../../resources/context.ts";
import { listGrants } from "../../resources/grants.ts";
import { listApiKeys } from "../../store/api-keys.ts";
import { type LoggedRequest, listLoggedRequests } from "../../store/requests.ts";
import { newest, type DashboardApp, type DashboardContext } from "../context.ts";
import { choiceFilter, ListPart, readListPage, type ListPage } from "../parts/list-page.tsx";
import { Badge } from "../parts/lists.tsx";
import { renderPage } from "../parts/page.tsx";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const ROUTE_SETS = ["a", "b"] as const;
const CALLERS = 1000;

const LIST: ListPage<LoggedRequest> = {
  noun: "request",
  search: { label: "Find a request", placeholder: "Path, request ID, operation or problem" },
  filters: {
    outcome: choiceFilter("Result", REQUEST_OUTCOMES),
    method: choiceFilter("Method", METHODS),
    routeSet: choiceFilter(
      "Route set",
      ROUTE_SETS.map((each) => [each, each.toUpperCase()]),
    ),
  },
  orders: ["created", "oldest", "slowest"],
  async read({ var: { core, records } }, { filters, ...wanted }) {
    // Recent requests may not be written yet.
    await core.requests.flush();
    const filter = {
      outcome: REQUEST_OUTCOMES.find((each) => each === filters["outcome"]),
      method: METHODS.find((each) => each === filters["method"]),
      routeSet: ROUTE_SETS.find((each) => each === filters["routeSet"]),
    };
    return await listLoggedRequests(records.reader, records.accountId, { ...wanted, filter });
  },
};

/** Registers the log of API requests. */
export function registerRequestPages(app: DashboardApp): void {
  app.get("/requests", showRequests);
}

async function showRequests(context: DashboardContext): Promise<Response> {
  const requests = await readListPage(context, LIST);
  const names = await nameCallers(context.var.records);
  return renderPage(
    context,
    {},
    <ListPart
      of={requests}
      empty="There have been no API requests yet."
      caption="Requests"
      headerColumn={1}
      columns={[
        ["Time", ({ createdAt }) => createdAt],
        ["Request", (request) => <Asked request={request} />, "request"],
        ["Route set", (request) => request.routeSet?.toUpperCase() ?? "–"],
        ["Result", (request) => <Result request={request} />],
        ["Duration", ({ ms }) => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)}\u00a0ms`, "number"],
        ["Caller", ({ keyId }) => <Caller id={keyId} names={names} />, "words"],
      ]}
    />,
  );
}

/** Returns the names of keys and apps by their ids in the log. */
async function nameCallers(context: Context): Promise<ReadonlyMap<string, string>> {
  const keys = await listApiKeys(context.database, context.accountId, newest(CALLERS));
  const grants = await listGrants(context, newest(CALLERS));
  return new Map([
    ["handle", "this service"],
    ...keys.items.map(({ id, name }) => [id, name] as const),
    ...grants.items.map(({ id, clientName }) => [id, clientName] as const),
  ]);
}

function Asked({ request }: { readonly request: LoggedRequest }) {
  const { method, path, operation, requestId, warnings } = request;
  return (
    <>
      <code>
        {method} {path}
      </code>
      <p class="note">
        {operation} <code>{requestId}</code>
      </p>
      {warnings.map((warning) => (
        <p class="note">{warning}</p>
      ))}
    </>
  );
}

function Result({ request: { status, problem } }: { readonly request: LoggedRequest }) {
  return (
    <>
      <Badge variant={status >= 200 && status < 400 ? "good" : "bad"}>{status === 0 ? "none" : String(status)}</Badge>
      {problem !== null && (
        <p class="note">
          <code>{problem}</code>
        </p>
      )}
    </>
  );
}

// A revoked key no longer has a name.
function Caller({ id, names }: { readonly id: string | null; readonly names: ReadonlyMap<string, string> }) {
  if (id === null) return <span class="soft">without a key</span>;
  return <>{names.get(id) ?? <code>{id}</code>}</>;
}
