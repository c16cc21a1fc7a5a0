import { hasPage, noSuchPage } from "./named-page.ts";
import { ImprintError } from "../../base/error.ts";
import { findPreviewName } from "../../contract/slug.ts";
import type { ImprintApi } from "../../client/api.ts";
import type { PageDetails, PageStats } from "../../client/records/visitor-records.ts";
import type { Paint } from "../../sync/report/render-text.ts";
import { printable } from "../terminal.ts";
import { renderTable } from "../table.ts";
import type { AccountResult, AccountRun } from "./account-command.ts";
import { parseRange } from "./forms.ts";

/** `imprint analytics`: statistics of all pages, or the details of one. */
export async function analytics({ args, flags, paint, withApi, signal }: AccountRun): Promise<AccountResult> {
  const [page] = args;
  const asked = { range: parseRange(flags), signal };
  return withApi(async (api) => {
    const hasDetails = api.capabilities.operations.has("analytics.page");
    const details = page === undefined ? undefined : await api.analytics.details(page, asked.range, { signal });
    if (details !== undefined) return { json: details, text: renderDetails(details, paint) };
    if (page !== undefined && hasDetails) {
      throw (await hasPage(api, page, signal)) ? noAnalytics(api, page) : noSuchPage(page);
    }
    const stats = hasDetails ? await readEachPage(api, asked) : await readSummary(api, asked);
    const shown = stats.filter(({ slug }) =>
      page === undefined ? findPreviewName(slug) === undefined : slug === page,
    );
    if (page !== undefined && shown.length === 0) throw noSuchPage(page);
    return { json: shown, text: renderStats(shown, paint) };
  });
}

interface Asked {
  readonly range: ReturnType<typeof parseRange>;
  readonly signal: AbortSignal | undefined;
}

async function readSummary(api: ImprintApi, { range, signal }: Asked): Promise<readonly PageStats[]> {
  const { items } = await api.analytics.summary({ ...range, sort: "views" }, { signal });
  return mostViewedFirst(items);
}

// Route set B reports one page at a time.
const MAX_PAGES = 200;

async function readEachPage(api: ImprintApi, { range, signal }: Asked): Promise<readonly PageStats[]> {
  const { items } = await api.pages.list({}, { signal });
  if (items.length > MAX_PAGES) {
    throw new ImprintError(
      "NOT_SUPPORTED",
      `Route set B reports one page at a time, and the account has ${items.length} pages.`,
      { hint: "Name a page: imprint analytics <page>." },
    );
  }
  const found = await Promise.all(items.map(({ slug, id = slug }) => api.analytics.page(id, range, { signal })));
  const [first] = items;
  if (first !== undefined && found.every((analytics) => analytics === undefined)) throw noAnalytics(api, first.slug);
  return mostViewedFirst(found.flatMap((analytics) => analytics?.totals ?? []));
}

function mostViewedFirst(stats: readonly PageStats[]): readonly PageStats[] {
  return stats.toSorted((left, right) => right.views - left.views);
}

function noAnalytics({ baseUrl }: ImprintApi, page: string): ImprintError {
  return new ImprintError("NOT_SUPPORTED", `${baseUrl} has the page "${page}", and reports no analytics for it.`, {
    hint: "Look for its analytics in the service's dashboard.",
  });
}

const COLUMNS = ["Page", "Views", "Visitors", "Clicks", "Forms", "Avg. scroll", "Avg. time"] as const;

function renderStats(stats: readonly PageStats[], paint: Paint): string {
  if (stats.length === 0) return "There are no pages yet.\n";
  const rows = stats.map((page) => [
    page.slug,
    ...[page.views, page.visitors, page.clicks, page.submissions].map(renderCount),
    page.avgScroll === undefined ? "" : page.views === 0 ? "–" : `${page.avgScroll}%`,
    page.avgSeconds === undefined ? "" : page.views === 0 ? "–" : renderSeconds(page.avgSeconds),
  ]);
  const [head = "", ...lines] = renderTable(alignNumbers([COLUMNS, ...rows])).split("\n");
  return [paint("dim", head), ...lines].join("\n");
}

/** Right-aligns all columns but the first. */
function alignNumbers(rows: readonly (readonly string[])[]): readonly (readonly string[])[] {
  const widths = COLUMNS.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  return rows.map((row) => row.map((cell, index) => (index === 0 ? cell : cell.padStart(widths[index] ?? 0))));
}

function renderDetails(details: PageDetails, paint: Paint): string {
  const { totals, series, referrers, devices, scrollDepth, heatmap } = details;
  if (totals.views === 0) return `${renderStats([totals], paint)}\nNo views in this period.\n`;
  const first = series[0]?.at.toISOString().slice(0, 10) ?? "";
  const last = series.at(-1)?.at.toISOString().slice(0, 10) ?? "";
  const curve = series.length === 0 ? "" : `\n  ${first}  ${drawBars(series.map(({ views }) => views))}  ${last}\n`;
  const ten = <Item>(items: readonly Item[]) => items.slice(0, 10);
  const blocks = [
    { title: "Referrers", rows: ten(referrers).map(({ host, views }) => [String(views), host]) },
    { title: "Devices", rows: Object.entries(devices).map(([name, views]) => [String(views), name]) },
    {
      title: "Scroll depth",
      rows: scrollDepth.buckets
        .filter(({ depth }) => depth % 25 === 0)
        .map(({ depth, share }) => [`${Math.round(share * 100)}%`, `to ${depth}% of the page`]),
    },
    { title: "Clicks", rows: ten(heatmap.elements).map(({ selector, count }) => [String(count), selector]) },
  ];
  const parts = blocks
    .filter(({ rows }) => rows.length > 0)
    .map(({ title, rows }) => {
      const width = Math.max(...rows.map(([count = ""]) => count.length));
      const lines = rows.map(([count = "", name = ""]) => [count.padStart(width), printable(name)]);
      return `\n${paint("strong", title)}\n${renderTable(lines)}`;
    });
  return `${renderStats([totals], paint)}${curve}${parts.join("")}`;
}

const BARS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"] as const;

function drawBars(values: readonly number[]): string {
  const highest = Math.max(1, ...values);
  return values.map((value) => BARS[Math.round((value / highest) * (BARS.length - 1))] ?? "").join("");
}

function renderCount(count: number | undefined): string {
  return count === undefined ? "" : count.toLocaleString("en-US");
}

function renderSeconds(seconds: number): string {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`;
}
