import { getGrant, revokeGrant, listGrants } from "../../resources/grants.ts";
import type { StoredGrant } from "../../store/oauth.ts";
import { paramOf, write, type DashboardApp, type DashboardContext } from "../context.ts";
import { ButtonLink } from "../parts/actions.tsx";
import { registerBulk } from "../parts/bulk.tsx";
import { ListPart, readListPage, type BulkList } from "../parts/list-page.tsx";
import { Time } from "../parts/lists.tsx";
import { renderPage } from "../parts/page.tsx";
import { resourcePages } from "../parts/resource-pages.tsx";

const LIST: BulkList<StoredGrant> = {
  noun: "app",
  search: { label: "Find an app", placeholder: "Name or host" },
  filters: {},
  orders: ["created", "oldest", "client"],
  read: ({ var: { records } }, wanted) => listGrants(records, wanted),
  nameOf: ({ clientName }) => clientName,
  actions: {
    revoke: {
      label: "Disconnect",
      done: "disconnected",
      danger: true,
      consequence: "Their tokens stop working. They can ask for your permission again.",
      run: (records, { id }) => revokeGrant(records, id),
    },
  },
};

/** Registers connected apps and revoking their access. */
export function registerClientPages(app: DashboardApp): void {
  registerBulk(app, "/clients", LIST);
  resourcePages(app, {
    section: "/clients",
    route: "/clients/:grantId",
    find: (context) => getGrant(context.var.records, paramOf(context, "grantId")),
    list: showClients,
    questions: {
      revoke: {
        ask: (_, { clientName }) => ({
          title: `Disconnect “${clientName}”?`,
          parent: { title: "Connected apps", path: "/clients" },
          button: "Disconnect app",
          main: <p>Its tokens stop working. It can ask for your permission again.</p>,
        }),
        async answer(context) {
          await write(context, (records) => revokeGrant(records, paramOf(context, "grantId")));
          return "/clients?notice=grant-revoked";
        },
      },
    },
  });
}

async function showClients(context: DashboardContext): Promise<Response> {
  const grants = await readListPage(context, LIST);
  const empty = (
    <>
      No app is connected. An assistant that speaks MCP, or <code>imprint login</code>, asks for your permission in this
      browser; the apps you allow are listed here.
    </>
  );
  return renderPage(
    context,
    {},
    <ListPart
      of={grants}
      empty={empty}
      caption="Connected apps"
      columns={[
        // The app chooses its own name; the host is where its codes were sent.
        ["App", ({ clientName, redirectHost }) => [clientName, <p class="note">at {redirectHost}</p>]],
        ["Permissions", ({ scopes }) => scopes.join(", "), "words"],
        ["Allowed", ({ createdAt }) => <Time at={createdAt} to="day" />],
        ["Last used", ({ lastUsedAt }) => <Time at={lastUsedAt} to="day" />],
        ["Expires", ({ expiresAt }) => <Time at={expiresAt} to="day" />],
        ["", ({ id }) => <ButtonLink to={`/clients/${id}/revoke`} variant="danger" label="Disconnect" />],
      ]}
    />,
  );
}
