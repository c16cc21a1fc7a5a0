import type { DomainRecord } from "../../../../contract/records.ts";
import { viewDomains } from "../../../api/views.ts";
import type { Domain } from "../../../store/domains.ts";
import type { FormState } from "../../form-state.ts";
import { DangerLink } from "../../parts/confirm.tsx";
import { ChoiceField, FormProblem, TextField } from "../../parts/fields.tsx";
import { Action } from "../../parts/forms.tsx";
import { Table } from "../../parts/lists.tsx";
import { renderShell } from "../../parts/shell.tsx";
import { Time } from "../../parts/values.tsx";
import type { DashboardContext } from "../../scene.ts";
import { readSiteNames, siteChoices } from "../../site-names.ts";
import { DomainState, readableName } from "./state.tsx";

/** One domain: what has to be set at the DNS host, how it stands, and where it leads. */
export async function renderDomainView(context: DashboardContext, domain: Domain, state: FormState): Promise<Response> {
  const { scene } = context.var;
  const sites = await readSiteNames(scene.records);
  const [record] = await viewDomains(scene.records, [domain]);
  return renderShell(
    scene,
    {
      title: readableName(domain.name),
      section: "/domains",
      parent: { title: "Domains", path: "/domains" },
      notice: state.status === 200 ? context.req.query("notice") : undefined,
      status: state.status,
      actions: (
        <>
          {domain.status === "active" && (
            <a class="button" href={`http://${domain.name}/`} rel="noopener noreferrer">
              Open the domain
            </a>
          )}
          <Action to={`/domains/${domain.id}/check`} label="Check now" />
          <DangerLink to={`/domains/${domain.id}/delete`} label="Remove" />
        </>
      ),
    },
    <>
      <FormProblem state={state} />
      {record !== undefined && (
        <>
          <DomainFacts record={record} />
          <DnsSetup record={record} />
        </>
      )}
      <section aria-labelledby="leads">
        <h2 id="leads">Where it leads</h2>
        <form method="post" action={`/domains/${domain.id}`}>
          <ChoiceField state={state} name="siteId" label="Shows" options={siteChoices(sites, "All pages")} />
          <TextField
            state={state}
            name="redirectTo"
            label="Or sends visitors on to"
            hint="Another domain, such as www.bakery.example. Empty: it shows what is chosen above."
          />
          <button type="submit">Save</button>
        </form>
      </section>
    </>,
  );
}

const CERTIFICATES: Readonly<Record<DomainRecord["ssl"]["status"], string>> = {
  off: "not from this service; a proxy in front of it may have one",
  pending: "being fetched",
  active: "in force",
  failed: "could not be fetched",
};

function DomainFacts({ record }: { readonly record: DomainRecord }) {
  const { domain, status, ssl, error, lastCheckedAt, nextCheckAt } = record;
  return (
    <>
      {error !== null && (
        <p class="warning" role="status">
          {error}
        </p>
      )}
      <dl>
        <dt>State</dt>
        <dd>
          <DomainState status={status} />
        </dd>
        {readableName(domain) !== domain && (
          <>
            <dt>In DNS</dt>
            <dd>
              <code>{domain}</code>
            </dd>
          </>
        )}
        <dt>Certificate</dt>
        <dd>
          {CERTIFICATES[ssl.status]}
          {ssl.issuer !== null && `, from ${ssl.issuer}`}
          {ssl.expiresAt !== null && `, until ${ssl.expiresAt.slice(0, 10)}`}
        </dd>
        <dt>Checked</dt>
        <dd>
          <Time at={dateOf(lastCheckedAt)} />
        </dd>
        <dt>Next check</dt>
        <dd>{nextCheckAt === null ? "when you ask for it" : <Time at={dateOf(nextCheckAt)} />}</dd>
      </dl>
    </>
  );
}

function DnsSetup({ record }: { readonly record: DomainRecord }) {
  const { verification, dns } = record;
  const isAlias = dns.some(({ type }) => type === "ALIAS");
  return (
    <section aria-labelledby="dns">
      <h2 id="dns">What to set at the DNS host</h2>
      <p>
        The first record proves that the domain is yours, the others lead visitors here. Copy them as they stand; a
        change may take an hour to be seen everywhere. The domain is checked by itself, more rarely with time.
      </p>
      <Table caption="DNS records" columns={["Type", "Name", "Value"]}>
        {[verification, ...dns].map(({ type, name, value }) => (
          <tr>
            <td>
              <code>{type}</code>
            </td>
            <td>
              <code class="whole">{name}</code>
            </td>
            <td>
              <code class="whole">{value}</code>
            </td>
          </tr>
        ))}
      </Table>
      {isAlias && (
        <p class="hint">
          Your DNS host may call ALIAS “ANAME” or “flattened CNAME”. If it has neither, use a name below the domain,
          such as <code>www</code>.
        </p>
      )}
    </section>
  );
}

function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
