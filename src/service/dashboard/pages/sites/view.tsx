import { publicPageUrl } from "../../../resources/addresses.ts";
import { findPage, listPages, type Page } from "../../../store/pages.ts";
import type { Site } from "../../../store/sites.ts";
import type { FormState } from "../../form-state.ts";
import { DangerLink } from "../../parts/confirm.tsx";
import { Empty } from "../../parts/lists.tsx";
import { Preview } from "../../parts/preview.tsx";
import { renderShell } from "../../parts/shell.tsx";
import { Time } from "../../parts/values.tsx";
import type { DashboardContext } from "../../scene.ts";
import { PageTable } from "../pages/table.tsx";
import { readSiteOffers, SiteFields } from "./fields.tsx";

const PAGES = 20;

/** One site with its home page, its pages and the form that changes it. */
export async function renderSiteView(context: DashboardContext, site: Site, state: FormState): Promise<Response> {
  const { scene } = context.var;
  const { database, accountId, addresses } = scene.records;
  const slug = site.homeSlug;
  const home = slug === null ? undefined : await findPage(database, { accountId, slug });
  const window = { after: undefined, limit: PAGES, visibleUntil: Infinity };
  const { items: pages } = await listPages(database, accountId, { filter: { siteId: site.id }, window });
  const offers = await readSiteOffers(scene.records, site.id);
  return renderShell(
    scene,
    {
      title: site.name,
      section: "/sites",
      parent: { title: "Sites", path: "/sites" },
      notice: state.status === 200 ? context.req.query("notice") : undefined,
      status: state.status,
      actions: (
        <>
          {home?.status === "published" && (
            <a class="button" href={publicPageUrl(addresses, home.slug)}>
              Open the site
            </a>
          )}
          <DangerLink to={`/sites/${site.id}/delete`} label="Delete" />
        </>
      ),
    },
    <>
      <div class="columns">
        <section aria-labelledby="details">
          <h2 id="details">Details</h2>
          <form method="post" action={`/sites/${site.id}`}>
            <SiteFields state={state} offers={offers} />
            <input type="hidden" name="version" value={state.values["version"] ?? String(site.version)} />
            <button type="submit">Save</button>
          </form>
        </section>
        <Home site={site} home={home} />
      </div>
      <Pages site={site} pages={pages} />
    </>,
  );
}

function Home({ site, home }: { readonly site: Site; readonly home: Page | undefined }) {
  return (
    <section aria-labelledby="home">
      <h2 id="home">Home page</h2>
      {home === undefined ? (
        <Empty>
          <p>{site.homeSlug === null ? "The site names none yet." : `There is no page “${site.homeSlug}” yet.`}</p>
        </Empty>
      ) : (
        <>
          <Preview pageId={home.id} title={home.title} />
          <p>
            <a href={`/edit/${home.id}`}>{home.title}</a>
          </p>
        </>
      )}
      <dl>
        <dt>Domain</dt>
        <dd>
          {site.domain === null ? (
            <a href="/domains">Add one</a>
          ) : (
            <a href={`/domains/${site.domain}`}>{site.domain}</a>
          )}
        </dd>
        <dt>Made</dt>
        <dd>
          <Time at={site.createdAt} />
        </dd>
        <dt>Changed</dt>
        <dd>
          <Time at={site.updatedAt} />
        </dd>
      </dl>
    </section>
  );
}

function Pages({ site, pages }: { readonly site: Site; readonly pages: readonly Page[] }) {
  return (
    <section aria-labelledby="pages">
      <h2 id="pages">Pages</h2>
      {pages.length === 0 ? (
        <Empty>
          <p>No page belongs to this site yet. A page joins it in its own details, or by being published to it.</p>
        </Empty>
      ) : (
        <PageTable pages={pages} />
      )}
      {site.pageCount > pages.length && (
        <p class="older">
          <a class="button quiet" href={`/pages?site=${site.id}`}>
            All {site.pageCount} pages
          </a>
        </p>
      )}
    </section>
  );
}
