import { titlesOf } from "../../../contract/fields.ts";
import { domainRecord, type DomainRecord } from "../../../contract/records.ts";
import { domainCreateBody, domainPatchBody } from "../../../contract/operations/visitors.ts";
import { addDomain, checkDomain, getDomain, patchDomain, removeDomain, viewDomains } from "../../resources/domains.ts";
import { type Domain, listDomains } from "../../store/domains.ts";
import { paramOf, readSiteNames, write, type DashboardApp, type DashboardContext } from "../context.ts";
import { parseFields, valuesOf, type Fields, type FormState } from "../forms.ts";
import { Action, ButtonLink } from "../parts/actions.tsx";
import { registerBulk } from "../parts/bulk.tsx";
import { FieldsForm } from "../parts/fields.tsx";
import { choiceFilter, ListPart, readListPage, type BulkList } from "../parts/list-page.tsx";
import { Badge, Facts, Table, Time, type Variant } from "../parts/lists.tsx";
import { renderPage, Section } from "../parts/page.tsx";
import { resourcePages } from "../parts/resource-pages.tsx";
import { domainTitle, searchedInDomains } from "../parts/titles.ts";

const TITLES = titlesOf(domainRecord);

const NEW_FIELDS: Fields = {
  domain: { label: TITLES.domain, required: true, hint: "Such as www.bakery.example." },
  siteId: { label: TITLES.siteId, kind: "choice" },
};

const FIELDS: Fields = {
  siteId: { label: TITLES.siteId, kind: "choice" },
  redirectTo: {
    label: TITLES.redirectTo,
    hint: "Another domain, such as www.bakery.example. Leave empty to show the site chosen above.",
  },
};

const STATES: Readonly<Record<DomainRecord["status"], readonly [variant: Variant, text: string]>> = {
  pending: ["soft", "waiting for DNS"],
  verified: ["soft", "verified, points elsewhere"],
  active: ["good", "active"],
  failed: ["bad", "failed"],
};

const STATUSES = ["pending", "verified", "active", "failed"] as const satisfies readonly DomainRecord["status"][];

const LIST: BulkList<Domain> = {
  noun: "domain",
  search: { label: "Find a domain", placeholder: "Part of its name" },
  filters: {
    status: choiceFilter(
      TITLES.status,
      STATUSES.map((status) => [status, STATES[status][1]]),
    ),
  },
  orders: ["created", "oldest", "name"],
  read: ({ var: { records } }, { filters, text, ...wanted }) => {
    const status = STATUSES.find((each) => each === filters["status"]);
    const name = text === undefined ? undefined : searchedInDomains(text);
    return listDomains(records.reader, records.accountId, { ...wanted, text: name, status });
  },
  nameOf: ({ name }) => domainTitle(name),
  actions: {
    remove: {
      label: "Remove",
      done: "removed",
      danger: true,
      consequence:
        "Visitors can no longer reach sites by these names, and their certificates are deleted. Pages are kept.",
      run: (records, { id }) => removeDomain(records, id),
    },
  },
};

/** Registers the list of custom domains, and a domain with its DNS records. */
export function registerDomainPages(app: DashboardApp): void {
  registerBulk(app, "/domains", LIST);
  resourcePages(app, {
    section: "/domains",
    route: "/domains/:domain",
    find: (context) => getDomain(context.var.records, paramOf(context, "domain")),
    list: showDomains,
    create: {
      render: showDomains,
      async save(context, values) {
        const body = parseFields(domainCreateBody, { fields: NEW_FIELDS, values });
        const { domain } = await write(context, (records) => addDomain(records, body));
        context.var.records.domains.wake();
        return `/domains/${domain.id}?notice=domain-added`;
      },
    },
    edit: {
      render: showDomain,
      values: (domain) => valuesOf(FIELDS, domain),
      async save(context, { id }, values) {
        const patch = parseFields(domainPatchBody, { fields: FIELDS, values });
        await write(context, (records) => patchDomain(records, id, patch));
        return `/domains/${id}?notice=saved`;
      },
    },
    actions: {
      async check(context) {
        const { id, status } = await checkDomain(context.var.records, paramOf(context, "domain"));
        return `/domains/${id}?notice=domain-${status === "active" ? "active" : "checked"}`;
      },
    },
    questions: {
      delete: {
        ask: (_, { id, name }) => ({
          title: `Remove ${domainTitle(name)}?`,
          parent: { title: domainTitle(name), path: `/domains/${id}` },
          button: "Remove domain",
          main: (
            <p>
              Visitors can no longer reach the site by this name, and its certificate is deleted. Pages are kept. Adding
              the domain again requires a new verification at the DNS host.
            </p>
          ),
        }),
        async answer(context) {
          await write(context, (records) => removeDomain(records, paramOf(context, "domain")));
          return "/domains?notice=domain-removed";
        },
      },
    },
  });
}

async function showDomains(context: DashboardContext, form: FormState): Promise<Response> {
  const domains = await readListPage(context, LIST);
  const sites = await readSiteNames(context);
  const empty = (
    <>
      With a domain of your own, visitors reach a site at its name, such as <code>www.bakery.example</code>. Add it here
      to see what to set at your DNS host.
    </>
  );
  return renderPage(
    context,
    { form },
    <>
      <ListPart
        of={domains}
        empty={empty}
        caption="List of domains"
        columns={[
          [TITLES.domain, ({ id, name }) => <a href={`/domains/${id}`}>{domainTitle(name)}</a>],
          [
            TITLES.siteId,
            ({ redirectTo, siteId }) => redirectTo ?? (siteId === null ? "All pages" : sites.get(siteId)),
          ],
          [TITLES.status, ({ status }) => <DomainState status={status} />],
          [TITLES.lastCheckedAt, ({ lastCheckedAt }) => <Time at={lastCheckedAt} />],
        ]}
      />
      <Section id="add" title="Add a domain">
        <FieldsForm
          to="/domains"
          fields={NEW_FIELDS}
          offers={{ siteId: [["", "All pages"], ...sites] }}
          state={form}
          button="Add domain"
        />
      </Section>
    </>,
  );
}

function DomainState({ status }: Pick<DomainRecord, "status">) {
  const [variant, text] = STATES[status];
  return <Badge variant={variant}>{text}</Badge>;
}

async function showDomain(context: DashboardContext, domain: Domain, form: FormState): Promise<Response> {
  const { id, name, status } = domain;
  const sites = await readSiteNames(context);
  const [record] = await viewDomains(context.var.records, [domain]);
  const actions = (
    <>
      {status === "active" && (
        <a class="button" href={`http://${name}/`} rel="noopener noreferrer">
          Open the domain
        </a>
      )}
      <Action to={`/domains/${id}/check`} label="Check now" />
      <ButtonLink to={`/domains/${id}/delete`} variant="danger" label="Remove" />
    </>
  );
  return renderPage(
    context,
    { title: domainTitle(name), form, actions },
    <>
      {record !== undefined && <DomainFacts record={record} />}
      {record !== undefined && <DnsSetup record={record} />}
      <Section id="leads" title="What it shows">
        <FieldsForm
          to={`/domains/${id}`}
          fields={FIELDS}
          offers={{ siteId: [["", "All pages"], ...sites] }}
          state={form}
          button="Save"
        />
      </Section>
    </>,
  );
}

const CERTIFICATES: Readonly<Record<DomainRecord["ssl"]["status"], string>> = {
  off: "not managed by this service; a proxy in front of it may have one",
  pending: "being requested",
  active: "active",
  failed: "request failed",
};

function DomainFacts({ record }: { readonly record: DomainRecord }) {
  const { domain, status, ssl, error, lastCheckedAt, nextCheckAt } = record;
  const issuer = ssl.issuer === null ? "" : `, from ${ssl.issuer}`;
  const expiry = ssl.expiresAt === null ? "" : `, until ${ssl.expiresAt.slice(0, 10)}`;
  return (
    <>
      {error !== null && (
        <p class="warning" role="status">
          {error}
        </p>
      )}
      <Facts
        rows={[
          [TITLES.status, <DomainState status={status} />],
          ["In DNS", domainTitle(domain) !== domain && <code>{domain}</code>],
          [TITLES.ssl, `${CERTIFICATES[ssl.status]}${issuer}${expiry}`],
          [TITLES.lastCheckedAt, <Time at={dateOf(lastCheckedAt)} />],
          [TITLES.nextCheckAt, dateOf(nextCheckAt) ?? "when you request it"],
        ]}
      />
    </>
  );
}

function DnsSetup({ record: { verification, dns } }: { readonly record: DomainRecord }) {
  return (
    <Section id="dns" title="DNS records to set">
      <p>
        The first record proves that the domain is yours, the others lead visitors here. Copy them exactly; a change may
        take an hour to be visible everywhere. The domain is checked automatically, less often over time.
      </p>
      <Table
        caption="DNS records"
        rows={[verification, ...dns]}
        columns={[
          ["Type", ({ type }) => <code>{type}</code>],
          ["Name", ({ name }) => <code class="whole">{name}</code>],
          ["Value", ({ value }) => <code class="whole">{value}</code>],
        ]}
      />
      {dns.some(({ type }) => type === "ALIAS") && (
        <p class="hint">
          Your DNS host may call ALIAS “ANAME” or “flattened CNAME”. If it has neither, use a subdomain such as{" "}
          <code>www</code>.
        </p>
      )}
    </Section>
  );
}

function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text);
}
