import type { Account } from "../../../../contract/extension-records.ts";
import { overviewPages, summarize } from "../../../resources/analytics.ts";
import { DAY_MS, formatDay, startOfDay } from "../../../resources/time-range.ts";
import { listPages } from "../../../store/pages.ts";
import { listSubmissions } from "../../../store/submissions.ts";
import { renderShell } from "../../parts/shell.tsx";
import { Count } from "../../parts/values.tsx";
import { ViewsChart } from "../../parts/views-chart.tsx";
import type { Scene } from "../../scene.ts";
import { PageCards } from "../pages/cards.tsx";
import { Attention, findTroubles } from "./attention.tsx";
import { LatestSubmissions } from "./submissions.tsx";

const DAYS = 7;
const PAGES = 3;
const SUBMISSIONS = 5;

/** What there is, what happened lately, and what needs somebody. */
export async function renderOverview(scene: Scene, usage: Account["usage"]): Promise<Response> {
  const { records } = scene;
  const { database, accountId } = records;
  const { items: pages } = await listPages(database, accountId, { filter: {}, window: newest(PAGES) });
  const { items: submissions } = await listSubmissions(database, accountId, {
    filter: { spam: false },
    window: newest(SUBMISSIONS),
  });
  const from = formatDay(startOfDay(records.now) - (DAYS - 1) * DAY_MS);
  const { totals } = await summarize(records, { from }, newest(1));
  const { series } = await overviewPages(records, { from });
  const troubles = await findTroubles(records);
  return renderShell(
    scene,
    { title: "Overview", section: "/" },
    <>
      <Attention troubles={troubles} />
      <ul class="stats">
        <Stat path="/pages" value={usage.pages} name="pages" />
        <Stat path="/blogs" value={usage.posts} name="posts" />
        <Stat path="/library" value={usage.assets} name="library files" />
        <Stat path="/analytics" value={totals.views} name="views in 7 days" />
        <Stat path="/forms" value={totals.submissions} name="messages in 7 days" />
      </ul>
      {totals.views > 0 && <ViewsChart title="Views in the last 7 days" steps={series} />}
      {pages.length > 0 && (
        <section aria-labelledby="newest">
          <h2 id="newest">Newest pages</h2>
          <PageCards pages={pages} level="h3" />
        </section>
      )}
      <LatestSubmissions submissions={submissions} />
    </>,
  );
}

function newest(limit: number) {
  return { after: undefined, limit, visibleUntil: Infinity };
}

function Stat({ path, value, name }: { readonly path: string; readonly value: number; readonly name: string }) {
  return (
    <li>
      <a href={path}>
        <strong>
          <Count value={value} />
        </strong>
        <span>{name}</span>
      </a>
    </li>
  );
}
