import type { AnalyticsSummary } from "../../../../contract/operations/analytics.ts";
import { overviewPages, summarize, type SummaryPart } from "../../../resources/analytics.ts";
import { listSites, type Site } from "../../../store/sites.ts";
import { Empty, Older, Table, windowOf } from "../../parts/lists.tsx";
import { ShareBar, Shares } from "../../parts/shares.tsx";
import { renderShell } from "../../parts/shell.tsx";
import { Count } from "../../parts/values.tsx";
import { ViewsChart } from "../../parts/views-chart.tsx";
import type { DashboardContext } from "../../scene.ts";
import { RangePicker, rangeQuery, readRange, type ChosenRange } from "./range.tsx";
import { Duration } from "./duration.tsx";

const MAX_SITES = 100;
const TOP_PAGES = 25;

/** `/analytics`: all pages, or those of a site. */
export async function showOverview(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const { database, accountId } = scene.records;
  const range = readRange(context);
  const everything = { after: undefined, limit: MAX_SITES, visibleUntil: Infinity };
  const { items: sites } = await listSites(database, accountId, everything);
  const site = sites.find(({ id }) => id === context.req.query("site"));
  const query = { from: range.from, to: range.to, siteId: site?.id };
  const pages = await summarize(scene.records, { ...query, sort: "views" }, windowOf(context, TOP_PAGES));
  const overview = await overviewPages(scene.records, query);
  const kept = { ...rangeQuery(range), site: site?.id };
  return renderShell(
    scene,
    {
      title: "Analytics",
      section: "/analytics",
      actions: <ExportLink path="/analytics/pages.csv" query={kept} />,
    },
    <>
      <SitePicker sites={sites} chosen={site} range={range} />
      <RangePicker range={range} kept={{ site: site?.id }} />
      <Totals totals={pages.totals} />
      {pages.data.length === 0 ? (
        <Empty>
          <p>No page is published yet. As soon as one is, its visits are counted here, without cookies.</p>
        </Empty>
      ) : (
        <>
          <ViewsChart steps={overview.series} title="Views by day" />
          <div class="halves">
            <section>
              <h2>Where visitors came from</h2>
              <Shares
                rows={overview.referrers.map(({ host, views }) => ({ name: host, count: views }))}
                empty="Nobody came by a link on another site."
              />
            </section>
            <section>
              <h2>Devices</h2>
              <Shares rows={deviceRows(overview.devices)} empty="Nobody came." />
            </section>
          </div>
          <h2>Pages</h2>
          <PageTable data={pages.data} query={rangeQuery(range)} />
          <Older next={pages.next} query={kept} />
        </>
      )}
    </>,
  );
}

/** Kinds of devices with their views, those without any left out. */
export function deviceRows(devices: Readonly<Record<string, number>>): readonly { name: string; count: number }[] {
  return Object.entries(devices)
    .map(([name, count]) => ({ name, count }))
    .filter(({ count }) => count > 0)
    .sort((one, other) => other.count - one.count);
}

interface ExportLinkProps {
  readonly path: string;
  readonly query: Readonly<Record<string, string | undefined>>;
}

export function ExportLink({ path, query }: ExportLinkProps) {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return (
    <a class="button quiet" href={`${path}?${new URLSearchParams(given)}`} download>
      Export as CSV
    </a>
  );
}

interface SitePickerProps {
  readonly sites: readonly Site[];
  readonly chosen: Site | undefined;
  readonly range: ChosenRange;
}

// With one site there is nothing to choose.
function SitePicker({ sites, chosen, range }: SitePickerProps) {
  if (sites.length < 2) return <></>;
  return (
    <form method="get" class="filter">
      {Object.entries(rangeQuery(range)).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <div>
        <label for="site">Site</label>
        <select id="site" name="site">
          <option value="">All pages</option>
          {sites.map(({ id, name }) => (
            <option value={id} selected={id === chosen?.id}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <button type="submit" class="quiet">
        Show
      </button>
    </form>
  );
}

function Totals({ totals }: { readonly totals: SummaryPart["totals"] }) {
  return (
    <ul class="stats">
      <li>
        <strong>
          <Count value={totals.views} />
        </strong>
        <span>views</span>
      </li>
      <li>
        <strong>
          <Count value={totals.visitors} />
        </strong>
        <span>visitors a day, summed up</span>
      </li>
      <li>
        <strong>
          <Count value={totals.submissions} />
        </strong>
        <span>forms sent</span>
      </li>
    </ul>
  );
}

interface PageTableProps {
  readonly data: AnalyticsSummary["data"];
  readonly query: Readonly<Record<string, string>>;
}

function PageTable({ data, query }: PageTableProps) {
  const top = Math.max(1, ...data.map(({ views }) => views));
  const search = new URLSearchParams({ ...query });
  return (
    <Table
      caption="Pages, the most viewed first"
      columns={["Page", "Views", "Visitors", "Clicks", "Forms sent", "Read to", "Time"]}
    >
      {data.map((page) => (
        <tr>
          <th scope="row">
            <a href={`/analytics/${page.id}?${search}`}>{page.title}</a>
          </th>
          <td>
            <Count value={page.views} />
            <ShareBar share={page.views / top} />
          </td>
          <td>
            <Count value={page.visitors} />
          </td>
          <td>
            <Count value={page.clicks} />
          </td>
          <td>
            <Count value={page.submissions} />
          </td>
          <td class="number">{page.views === 0 ? "–" : `${Math.round(page.avgScroll)} %`}</td>
          <td>
            <Duration seconds={page.views === 0 ? undefined : page.avgSeconds} />
          </td>
        </tr>
      ))}
    </Table>
  );
}
