import { titlesOf } from "../../../contract/fields.ts";
import { siteRecord } from "../../../contract/records.ts";
import { siteCreateBody } from "../../../contract/operations/content.ts";
import { publicPageUrl } from "../../resources/addresses.ts";
import { createSite, getSite, patchSite, removeSite } from "../../resources/sites.ts";
import { listBrandKits } from "../../store/brand-kits.ts";
import { findPage, listPages, type Page } from "../../store/pages.ts";
import { type Site, listSites } from "../../store/sites.ts";
import { newest, paramOf, write, type DashboardApp, type DashboardContext } from "../context.ts";
import { parseFields, readForm, valuesOf, versionOf, type Fields, type FormState, freshForm } from "../forms.ts";
import { ButtonLink, FormLink } from "../parts/actions.tsx";
import { registerBulk } from "../parts/bulk.tsx";
import { FieldsForm, FieldList } from "../parts/fields.tsx";
import { ListPart, readListPage, type BulkList } from "../parts/list-page.tsx";
import { countOf, Empty, Facts, Pick, Table } from "../parts/lists.tsx";
import { renderPage, Section } from "../parts/page.tsx";
import { pageColumns, Preview, previewPathOf } from "../parts/previews.tsx";
import { resourcePages } from "../parts/resource-pages.tsx";
import { ForChange } from "../parts/rights.tsx";

const TITLES = titlesOf(siteRecord);
const CARDS = 24;
const PAGES = 20;
const OFFERS = 100;

const PAGES_FATE: Fields = {
  pages: {
    label: "Their pages",
    kind: "choice",
    options: [
      ["keep", "Keep them, without a site"],
      ["delete", "Delete them too; visitors see that they are gone"],
    ],
  },
};

const LIST: BulkList<Site> = {
  noun: "site",
  search: { label: "Find a site", placeholder: "Name or slug" },
  filters: {},
  orders: ["created", "changed", "name"],
  read: ({ var: { records } }, wanted) => listSites(records.reader, records.accountId, wanted),
  nameOf: ({ name, pageCount }) => `${name} (${countOf(pageCount, "page")})`,
  actions: {
    delete: {
      label: "Delete",
      done: "deleted",
      danger: true,
      fields: PAGES_FATE,
      run: (records, { id }, { pages }) =>
        removeSite(records, { id, pages: pages === "delete" ? "delete" : "keep", preconditions: {} }),
    },
  },
};

/** Registers sites: they group pages, define their home page and give them a brand. */
export function registerSitePages(app: DashboardApp): void {
  registerBulk(app, "/sites", LIST);
  resourcePages(app, {
    section: "/sites",
    route: "/sites/:siteId",
    find: (context) => getSite(context.var.records, paramOf(context, "siteId")),
    list: showSites,
    create: {
      route: "/sites/new",
      render: showNewSite,
      async save(context, values) {
        const body = parseFields(siteCreateBody, { fields: FIELDS, values });
        const { site } = await write(context, (records) => createSite(records, body));
        return `/sites/${site.id}?notice=site-created`;
      },
    },
    edit: {
      render: showSite,
      values: (site) => valuesOf(FIELDS, site),
      async save(context, { id }, values) {
        const patch = parseFields(siteCreateBody, { fields: FIELDS, values });
        await write(context, (records) => patchSite(records, { id, patch, preconditions: versionOf(values) }));
        return `/sites/${id}?notice=saved`;
      },
    },
    questions: {
      delete: {
        ask: (_, { id, name, pageCount }) => ({
          title: `Delete “${name}”?`,
          parent: { title: name, path: `/sites/${id}` },
          button: "Delete site",
          main:
            pageCount === 0 ? (
              <p>It has no pages.</p>
            ) : (
              <>
                <p>It has {countOf(pageCount, "page")}.</p>
                <FieldList fields={PAGES_FATE} state={freshForm()} />
              </>
            ),
        }),
        async answer(context, { id }) {
          const { values } = await readForm(context);
          const pages = values["pages"] === "delete" ? "delete" : "keep";
          await write(context, (records) => removeSite(records, { id, pages, preconditions: {} }));
          return "/sites?notice=site-deleted";
        },
      },
    },
  });
}

const FIELDS: Fields = {
  name: { label: TITLES.name, required: true },
  slug: {
    label: TITLES.slug,
    hint: "Identifies the site in tools, such as “bakery”. Leave empty to derive it from the name.",
  },
  homeSlug: { label: TITLES.homeSlug, hint: "The slug of the page at the site’s own address." },
  basePath: {
    label: TITLES.basePath,
    hint: "The site’s path on its own host, such as /docs. Old addresses below it redirect to its pages.",
  },
  brandKitId: {
    label: TITLES.brandKitId,
    kind: "choice",
    hint: "The service’s own pages for the site, such as its blog, use its colors and fonts.",
  },
};

/** Returns the options of the fields; pages are those of the site, or the newest of all. */
async function readOffers({ var: { records } }: DashboardContext, siteId?: string) {
  const { database, accountId } = records;
  const { items: kits } = await listBrandKits(database, accountId, newest(OFFERS));
  const { items: pages } = await listPages(database, accountId, { filter: { siteId }, ...newest(OFFERS) });
  return {
    homeSlug: pages.map(({ slug, title }) => [slug, title] as const),
    brandKitId: [["", "None"] as const, ...kits.map(({ id, name }) => [id, name] as const)],
  };
}

async function showSites(context: DashboardContext): Promise<Response> {
  const sites = await readListPage(context, LIST, { limit: CARDS });
  const cards = await Promise.all(
    sites.items.map(async (site) => (
      <SiteCard site={site} home={await findHome(context, site)} isPickable={sites.bulk !== undefined} />
    )),
  );
  return renderPage(
    context,
    { actions: <FormLink to="/sites/new" label="New site" /> },
    <ListPart
      of={sites}
      empty={
        <>
          A site groups pages, names their home page and gives them a brand kit. Publishing creates one automatically.
          <ForChange to="/sites">
            {" "}
            You can also <a href="/sites/new">create one here</a>.
          </ForChange>
        </>
      }
    >
      <ul class="grid previews">{cards}</ul>
    </ListPart>,
  );
}

async function findHome({ var: { records } }: DashboardContext, { homeSlug: slug }: Site): Promise<Page | undefined> {
  const { database, accountId } = records;
  return slug === null ? undefined : await findPage(database, { accountId, slug });
}

interface SiteWithHome {
  readonly site: Site;
  readonly home: Page | undefined;
}

function SiteCard({ site, home, isPickable }: SiteWithHome & { readonly isPickable: boolean }) {
  return (
    <li class="card">
      {isPickable && <Pick id={site.id} name={site.name} />}
      {home === undefined ? (
        <div class="picture">
          <span class="kind">No home page</span>
        </div>
      ) : (
        <Preview path={previewPathOf(home)} title={home.title} />
      )}
      <div class="text">
        <h2>
          <a href={`/sites/${site.id}`}>{site.name}</a>
        </h2>
        <p class="soft">{countOf(site.pageCount, "page")}</p>
      </div>
    </li>
  );
}

async function showNewSite(context: DashboardContext, form: FormState): Promise<Response> {
  const offers = await readOffers(context);
  return renderPage(
    context,
    { title: "New site", form },
    <FieldsForm to="/sites" fields={FIELDS} offers={offers} state={form} button="Create site" />,
  );
}

async function showSite(context: DashboardContext, site: Site, form: FormState): Promise<Response> {
  const { database, accountId, addresses } = context.var.records;
  const path = `/sites/${site.id}`;
  const home = await findHome(context, site);
  const { items: pages } = await listPages(database, accountId, { filter: { siteId: site.id }, ...newest(PAGES) });
  const offers = await readOffers(context, site.id);
  const actions = (
    <>
      {home?.status === "published" && <ButtonLink to={publicPageUrl(addresses, home.slug)} label="Open the site" />}
      <ButtonLink to={`${path}/delete`} variant="danger" label="Delete" />
    </>
  );
  return renderPage(
    context,
    { title: site.name, form, actions },
    <>
      <div class="columns">
        <Section id="details" title="Details">
          <FieldsForm to={path} fields={FIELDS} offers={offers} state={form} button="Save" />
        </Section>
        <Home site={site} home={home} />
      </div>
      <Pages site={site} pages={pages} />
    </>,
  );
}

function Home({ site, home }: SiteWithHome) {
  const { homeSlug, domain, createdAt, updatedAt } = site;
  return (
    <Section id="home" title="Home page">
      {home === undefined ? (
        <Empty>{homeSlug === null ? "The site has no home page yet." : `There is no page “${homeSlug}” yet.`}</Empty>
      ) : (
        <>
          <Preview path={previewPathOf(home)} title={home.title} />
          <p>
            <a href={`/edit/${home.id}`}>{home.title}</a>
          </p>
        </>
      )}
      <Facts
        rows={[
          [
            TITLES.domain,
            domain === null ? <a href="/domains">Add one</a> : <a href={`/domains/${domain}`}>{domain}</a>,
          ],
          [TITLES.createdAt, createdAt],
          [TITLES.updatedAt, updatedAt],
        ]}
      />
    </Section>
  );
}

function Pages({ site, pages }: { readonly site: Site; readonly pages: readonly Page[] }) {
  return (
    <Section id="pages" title="Pages">
      {pages.length === 0 ? (
        <Empty>This site has no pages yet. Assign pages to it in their details, or publish them to it.</Empty>
      ) : (
        <Table caption="List of pages" rows={pages} columns={pageColumns()} />
      )}
      {site.pageCount > pages.length && (
        <p class="older">
          <ButtonLink to={`/pages?site=${site.id}`} variant="quiet" label={`All ${site.pageCount} pages`} />
        </p>
      )}
    </Section>
  );
}
