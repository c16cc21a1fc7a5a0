import { getGrant, listGrants, revokeGrant } from "../../resources/grants.ts";
import { paramOf, write, type DashboardApp, type DashboardContext } from "../context.ts";
import { ButtonLink } from "../parts/actions.tsx";
import { TableList, Time, windowOf } from "../parts/lists.tsx";
import { renderPage } from "../parts/page.tsx";
import { resourcePages } from "../parts/resource-pages.tsx";

/** Apps that were given access, and taking it back. */
export function registerClientPages(app: DashboardApp): void {
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
  const grants = await listGrants(context.var.records, windowOf(context));
  const empty = (
    <>
      No app is connected. An assistant that speaks MCP, or <code>imprint login</code>, asks for your permission in this
      browser; the apps you allow are listed here.
    </>
  );
  return renderPage(
    context,
    {},
    <TableList
      of={grants}
      empty={empty}
      caption="Connected apps, newest first"
      columns={[
        // The name is what the app says of itself; the host is where its codes really went.
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
