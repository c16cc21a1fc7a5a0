import { domainCreateBody } from "../../../../contract/requests.ts";
import type { DomainRecord } from "../../../../contract/records.ts";
import { addDomain } from "../../../resources/domains.ts";
import { viewDomains } from "../../../api/views.ts";
import { listDomains } from "../../../store/domains.ts";
import { freshForm, type FormState } from "../../form-state.ts";
import { attempt, parseInput, readForm, textOrNull } from "../../forms.ts";
import { ChoiceField, FormProblem, TextField } from "../../parts/fields.tsx";
import { Empty, Older, Table, windowOf } from "../../parts/lists.tsx";
import { renderShell } from "../../parts/shell.tsx";
import { Time } from "../../parts/values.tsx";
import { write, type DashboardApp, type DashboardContext } from "../../scene.ts";
import { readSiteNames, siteChoices } from "../../site-names.ts";
import { DomainState, readableName } from "./state.tsx";

export function registerDomainList(app: DashboardApp): void {
  app.get("/domains", async (context) => await renderDomains(context, freshForm()));

  app.post("/domains", async (context) => {
    const { scene } = context.var;
    const { values } = await readForm(context);
    return await attempt({
      values,
      async accept() {
        const domain = (values["domain"] ?? "").trim();
        const body = parseInput(domainCreateBody, { domain, siteId: textOrNull(values["siteId"]) ?? undefined });
        const added = await write(scene, (records) => addDomain(records, body));
        scene.records.domains.wake();
        return context.redirect(`/domains/${added.domain.id}?notice=domain-added`, 303);
      },
      again: async (state) => await renderDomains(context, state),
    });
  });
}

async function renderDomains(context: DashboardContext, state: FormState): Promise<Response> {
  const { scene } = context.var;
  const { database, accountId } = scene.records;
  const { items, next } = await listDomains(database, accountId, windowOf(context));
  const domains = await viewDomains(scene.records, items);
  const sites = await readSiteNames(scene.records);
  const notice = state.status === 200 ? context.req.query("notice") : undefined;
  return renderShell(
    scene,
    { title: "Domains", section: "/domains", notice, status: state.status },
    <>
      {domains.length === 0 ? (
        <Empty>
          <p>
            With a domain of your own, visitors reach a site at its name, such as <code>www.bakery.example</code>. Add
            it here; then you are shown what to set at your DNS host.
          </p>
        </Empty>
      ) : (
        <DomainTable domains={domains} sites={sites} />
      )}
      <Older next={next} />
      <section aria-labelledby="add">
        <h2 id="add">Add a domain</h2>
        <form method="post" action="/domains">
          <FormProblem state={state} />
          <TextField state={state} name="domain" label="Domain" required hint="Such as www.bakery.example." />
          <ChoiceField state={state} name="siteId" label="Leads to" options={siteChoices(sites, "All pages")} />
          <button type="submit">Add the domain</button>
        </form>
      </section>
    </>,
  );
}

interface DomainTableProps {
  readonly domains: readonly DomainRecord[];
  readonly sites: ReadonlyMap<string, string>;
}

function DomainTable({ domains, sites }: DomainTableProps) {
  return (
    <Table caption="Domains, newest first" columns={["Domain", "Leads to", "State", "Checked"]}>
      {domains.map((domain) => (
        <tr>
          <th scope="row">
            <a href={`/domains/${domain.id}`}>{readableName(domain.domain)}</a>
          </th>
          <td>{domain.redirectTo ?? (domain.siteId === null ? "All pages" : sites.get(domain.siteId))}</td>
          <td>
            <DomainState status={domain.status} />
          </td>
          <td>
            <Time at={domain.lastCheckedAt === null ? null : new Date(domain.lastCheckedAt)} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
