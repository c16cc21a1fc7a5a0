import { findPage, type Page } from "../../../store/pages.ts";
import { listSites, type Site } from "../../../store/sites.ts";
import { Empty, Older, windowOf } from "../../parts/lists.tsx";
import { Preview } from "../../parts/preview.tsx";
import { renderShell } from "../../parts/shell.tsx";
import { Count } from "../../parts/values.tsx";
import type { DashboardApp, DashboardContext } from "../../scene.ts";

const CARDS = 24;

export function registerSiteList(app: DashboardApp): void {
  app.get("/sites", showSites);
}

interface SiteWithHome {
  readonly site: Site;
  readonly home: Page | undefined;
}

async function showSites(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const { database, accountId } = scene.records;
  const { items, next } = await listSites(database, accountId, windowOf(context, CARDS));
  const sites: SiteWithHome[] = [];
  for (const site of items) {
    const slug = site.homeSlug;
    sites.push({ site, home: slug === null ? undefined : await findPage(database, { accountId, slug }) });
  }
  const actions = (
    <a class="button" href="/sites/new">
      New site
    </a>
  );
  return renderShell(
    scene,
    { title: "Sites", section: "/sites", notice: context.req.query("notice"), actions },
    <>
      {sites.length === 0 ? (
        <Empty>
          <p>
            A site groups pages, names their home page and gives them a brand kit. Publishing makes one by itself;{" "}
            <a href="/sites/new">or make one here</a>.
          </p>
        </Empty>
      ) : (
        <ul class="grid previews">
          {sites.map((one) => (
            <SiteCard {...one} />
          ))}
        </ul>
      )}
      <Older next={next} />
    </>,
  );
}

function SiteCard({ site, home }: SiteWithHome) {
  return (
    <li class="card">
      {home === undefined ? (
        <div class="picture">
          <span class="kind">No home page</span>
        </div>
      ) : (
        <Preview pageId={home.id} title={home.title} />
      )}
      <div class="text">
        <h2>
          <a href={`/sites/${site.id}`}>{site.name}</a>
        </h2>
        <p class="soft">
          <Count value={site.pageCount} /> {site.pageCount === 1 ? "page" : "pages"}
        </p>
      </div>
    </li>
  );
}
