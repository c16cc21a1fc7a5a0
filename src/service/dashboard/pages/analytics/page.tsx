import type { PageAnalytics } from "../../../../contract/operations/analytics.ts";
import { analyzePage } from "../../../resources/analytics.ts";
import { Shares } from "../../parts/shares.tsx";
import { renderShell } from "../../parts/shell.tsx";
import { Count } from "../../parts/values.tsx";
import { ViewsChart } from "../../parts/views-chart.tsx";
import type { DashboardContext } from "../../scene.ts";
import { Duration } from "./duration.tsx";
import { deviceRows, ExportLink } from "./overview.tsx";
import { RangePicker, rangeQuery, readRange } from "./range.tsx";

/** `/analytics/:pageId`: how often a page was viewed, by whom and how far. */
export async function showPageAnalytics(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const range = readRange(context);
  const pageId = context.req.param("pageId") ?? "";
  const { page, totals, series, referrers, devices } = await analyzePage(scene.records, pageId, {
    from: range.from,
    to: range.to,
  });
  const query = rangeQuery(range);
  return renderShell(
    scene,
    {
      title: page.title,
      section: "/analytics",
      parent: { title: "Analytics", path: `/analytics?${new URLSearchParams({ ...query })}` },
      actions: (
        <>
          <a class="button" href={`/analytics/${page.id}/heatmap?${new URLSearchParams({ ...query })}`}>
            Clicks and scrolling
          </a>
          <ExportLink path={`/analytics/${page.id}/days.csv`} query={query} />
        </>
      ),
    },
    <>
      <p class="soft">
        <a href={`/edit/${page.id}`}>The page</a> <code>{page.slug}</code>
      </p>
      <RangePicker range={range} />
      <Totals totals={totals} />
      <ViewsChart steps={series} title="Views by day" />
      <div class="halves">
        <section>
          <h2>Where visitors came from</h2>
          <Shares
            rows={referrers.map(({ host, views }) => ({ name: host, count: views }))}
            empty="Nobody came by a link on another site."
          />
        </section>
        <section>
          <h2>Devices</h2>
          <Shares rows={deviceRows(devices)} empty="Nobody came." />
        </section>
      </div>
    </>,
  );
}

function Totals({ totals }: { readonly totals: PageAnalytics["totals"] }) {
  const isRead = totals.views > 0;
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
          <Count value={totals.clicks} />
        </strong>
        <span>clicks</span>
      </li>
      <li>
        <strong>
          <Count value={totals.submissions} />
        </strong>
        <span>forms sent</span>
      </li>
      <li>
        <strong class="number">{isRead ? `${Math.round(totals.avgScroll)} %` : "–"}</strong>
        <span>read on average</span>
      </li>
      <li>
        <strong>
          <Duration seconds={isRead ? totals.avgSeconds : undefined} />
        </strong>
        <span>on average</span>
      </li>
    </ul>
  );
}
