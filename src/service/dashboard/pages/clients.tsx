import { getGrant, listGrants, revokeGrant } from "../../resources/grants.ts";
import type { StoredGrant } from "../../store/oauth.ts";
import { DangerLink, renderConfirmation } from "../parts/confirm.tsx";
import { Empty, Older, Table, windowOf } from "../parts/lists.tsx";
import { renderShell } from "../parts/shell.tsx";
import { Day } from "../parts/values.tsx";
import { write, type DashboardApp, type DashboardContext } from "../scene.ts";

const SECTION = "/clients";

/** Programs that were let in, and taking that back. */
export function registerClientPages(app: DashboardApp): void {
  app.get(SECTION, showClients);
  app.get(`${SECTION}/:grantId/revoke`, askToRevoke);
  app.post(`${SECTION}/:grantId/revoke`, async (context) => {
    await write(context.var.scene, (records) => revokeGrant(records, context.req.param("grantId")));
    return context.redirect(`${SECTION}?notice=grant-revoked`, 303);
  });
}

async function showClients(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const { items, next } = await listGrants(scene.records, windowOf(context));
  return renderShell(
    scene,
    { title: "Connected apps", section: SECTION, notice: context.req.query("notice") },
    <>
      {items.length === 0 ? (
        <Empty>
          <p>
            No app is connected. An assistant that speaks MCP, or <code>imprint login</code>, asks for your permission
            in this browser; what you allow stands here.
          </p>
        </Empty>
      ) : (
        <Table caption="Connected apps, newest first" columns={["App", "May", "Allowed", "Last used", "Ends", ""]}>
          {items.map((grant) => (
            <GrantRow grant={grant} />
          ))}
        </Table>
      )}
      <Older next={next} />
    </>,
  );
}

// The name is what the app says of itself; the host is where its codes really went.
function GrantRow({ grant }: { readonly grant: StoredGrant }) {
  return (
    <tr>
      <th scope="row">
        {grant.clientName}
        <p class="note">at {grant.redirectHost}</p>
      </th>
      <td class="words">{grant.scopes.join(", ")}</td>
      <td class="number">
        <Day at={grant.createdAt} />
      </td>
      <td class="number">
        <Day at={grant.lastUsedAt} />
      </td>
      <td class="number">
        <Day at={grant.expiresAt} />
      </td>
      <td>
        <DangerLink to={`${SECTION}/${grant.id}/revoke`} label="Disconnect" />
      </td>
    </tr>
  );
}

async function askToRevoke(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const { id, clientName } = await getGrant(scene.records, context.req.param("grantId") ?? "");
  return renderConfirmation(
    scene,
    {
      title: `Disconnect “${clientName}”?`,
      section: SECTION,
      parent: { title: "Connected apps", path: SECTION },
      to: `${SECTION}/${id}/revoke`,
      label: "Disconnect the app",
    },
    <p>Its tokens are refused from then on. It can ask for your permission again.</p>,
  );
}
