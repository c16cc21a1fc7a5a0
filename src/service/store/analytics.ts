import { sql, type RawBuilder } from "kysely";
import { toSlice, type Slice, type Window } from "./keyset.ts";
import type { Page } from "./pages.ts";
import type { Database, Tables } from "./tables.ts";

/** A span of time in milliseconds since 1970, without its end. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/**
 * The pages whose numbers are read: one, in all its layouts or in some, those of a site, or all of an account; `counted`: the
 * id of a site or an account whose pages were summed up when they were viewed.
 */
export type PagesScope =
  | { readonly counted: string }
  | { readonly pageId: string; readonly device?: string | undefined; readonly version?: number | undefined }
  | { readonly accountId: string; readonly siteId: string | undefined };

// What visitors did is counted by page, and by the hour or the day in which they did it.
const TIMES = {
  viewHour: "hour",
  viewDay: "day",
  sourceDay: "day",
  referrerDay: "day",
  scrollDay: "day",
  clickCellDay: "day",
  clickElementDay: "day",
} as const;

type Column<Name extends keyof typeof TIMES> = keyof Tables[Name] & string;

export interface Sums<Sum, By> {
  readonly scope: PagesScope;
  readonly span: Span;
  readonly sum: Sum;
  readonly by: readonly By[];
  /** @default all of them */
  readonly limit?: number;
}

/** Sums up a number of pages for each combination of other columns, the largest sums first. */
export async function readSums<Name extends keyof typeof TIMES, Sum extends Column<Name>, By extends Column<Name>>(
  database: Database,
  name: Name,
  { scope, span, sum, by, limit }: Sums<Sum, By>,
): Promise<readonly Pick<Tables[Name], Sum | By>[]> {
  const time = sql.ref(TIMES[name]);
  const columns = sql.join(by.map((column) => sql.ref(column)));
  const query = sql<Pick<Tables[Name], Sum | By>>`
    select ${columns}, sum(${sql.ref(sum)}) as ${sql.ref(sum)} from ${sql.table(name)}
    where ${isOf(scope)} and ${time} >= ${span.from} and ${time} < ${span.until}
    group by ${columns} having sum(${sql.ref(sum)}) <> 0 order by sum(${sql.ref(sum)}) desc, ${columns} ${limit === undefined ? sql`` : sql`limit ${limit}`}`;
  return (await query.execute(database)).rows;
}

/** Views of a site or an account by device and host, in days; `undefined` until all earlier views are in their sums. */
export async function findCounted(database: Database, scope: PagesScope): Promise<{ counted: string } | undefined> {
  if (!("accountId" in scope)) return undefined;
  const left = await database.selectFrom("uncountedPage").select("pageId").limit(1).executeTakeFirst();
  return left === undefined ? { counted: scope.siteId ?? scope.accountId } : undefined;
}

function isOf(scope: PagesScope): RawBuilder<boolean> {
  if ("counted" in scope) return sql`scope = ${scope.counted}`;
  if ("pageId" in scope) {
    const { pageId, device, version } = scope;
    const ofDevice = device === undefined ? sql`true` : sql`device = ${device}`;
    const ofVersion = version === undefined ? sql`true` : sql`version = ${version}`;
    return sql`page_id = ${pageId} and ${ofDevice} and ${ofVersion}`;
  }
  const ofSite = scope.siteId === undefined ? sql`true` : sql`site_id = ${scope.siteId}`;
  return sql`page_id in (select id from page where account_id = ${scope.accountId} and ${ofSite})`;
}

/** Submissions through forms of some pages, without spam. */
export async function countSubmitted(database: Database, scope: PagesScope, { from, until }: Span): Promise<number> {
  const query = sql<{ readonly count: number }>`select count(*) as count from submission
    where ${isOf(scope)} and spam = ${false} and created_at >= ${from} and created_at < ${until}`;
  return (await query.execute(database)).rows[0]?.count ?? 0;
}

/** The height of a page in pixels where it is highest; 0 when no browser has reported it. */
export async function readHeight(database: Database, scope: PagesScope): Promise<number> {
  const query = sql<{
    readonly height: number | null;
  }>`select max(height) as height from page_layout where ${isOf(scope)}`;
  return (await query.execute(database)).rows[0]?.height ?? 0;
}

/** What visitors did on a page during a span of time. */
export interface PageStats {
  readonly views: number;
  readonly visitors: number;
  readonly clicks: number;
  readonly submissions: number;
  /** Views that reported how they were read. */
  readonly reads: number;
  /** Sum over them, in per cent. */
  readonly depth: number;
  /** Sum over them. */
  readonly seconds: number;
}

const NO_STATS: PageStats = { views: 0, visitors: 0, clicks: 0, submissions: 0, reads: 0, depth: 0, seconds: 0 };

/** The numbers of some pages, one for each id in the order of the ids. */
export async function readPageStats(
  database: Database,
  pageIds: readonly string[],
  span: Span,
): Promise<readonly PageStats[]> {
  if (pageIds.length === 0) return [];
  const views = await database
    .selectFrom("viewHour")
    .select(({ fn }) => [
      "pageId as id",
      fn.sum<number>("views").as("views"),
      fn.sum<number>("clicks").as("clicks"),
      fn.sum<number>("reads").as("reads"),
      fn.sum<number>("depth").as("depth"),
      fn.sum<number>("seconds").as("seconds"),
    ])
    .where("pageId", "in", pageIds)
    .where("hour", ">=", span.from)
    .where("hour", "<", span.until)
    .groupBy("pageId")
    .execute();
  const submissions = await database
    .selectFrom("submission")
    .select(({ fn }) => ["pageId as id", fn.countAll<number>().as("submissions")])
    .where("pageId", "in", pageIds)
    .where("spam", "=", false)
    .where("createdAt", ">=", new Date(span.from))
    .where("createdAt", "<", new Date(span.until))
    .groupBy("pageId")
    .execute();
  const byId = new Map<string, PageStats>();
  for (const { id, ...numbers } of [...views, ...submissions])
    byId.set(id, { ...NO_STATS, ...byId.get(id), ...numbers });
  const visitors = await countVisitors(database, pageIds, span);
  return pageIds.map((id) => ({ ...(byId.get(id) ?? NO_STATS), visitors: visitors.get(id) ?? 0 }));
}

/** How many visitors pages, sites or accounts had; who came on several days counts for each. */
export async function countVisitors(
  database: Database,
  scopes: readonly string[],
  span: Span,
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const scope of scopes) {
    const hours = await readVisitorHours(database, scope, span);
    const total = hours.reduce((sum, { visitors }) => sum + visitors, 0);
    counts.set(scope, total);
  }
  return counts;
}

/** In which hours visitors came for the first time on their day. */
export async function readVisitorHours(
  database: Database,
  scope: string,
  { from, until }: Span,
): Promise<readonly { readonly hour: number; readonly visitors: number }[]> {
  const counted = await database
    .selectFrom("visitorCount")
    .select(["hour", "visitors"])
    .where("scope", "=", scope)
    .where("hour", ">=", from)
    .where("hour", "<", until)
    .execute();
  const seen = await database
    .selectFrom("visitorSeen")
    .select(({ fn }) => ["hour", fn.countAll<number>().as("visitors")])
    .where("scope", "=", scope)
    .where("day", ">=", from)
    .where("day", "<", until)
    .groupBy("hour")
    .execute();
  return [...counted, ...seen];
}

/** What names a page beside its numbers. */
export type PageName = Pick<Page, "id" | "slug" | "title" | "createdAt">;

/** Pages with the most views first. The position in this list is a number of views, where that of others is a time. */
export async function listPagesByViews(
  database: Database,
  accountId: string,
  { siteId, span, window }: { readonly siteId: string | undefined; readonly span: Span; readonly window: Window },
): Promise<Slice<PageName>> {
  const views = sql<number>`coalesce((select sum(views) from view_hour where view_hour.page_id = page.id and view_hour.hour >= ${span.from} and view_hour.hour < ${span.until}), 0)`;
  let ranked = database
    .selectFrom("page")
    .select(["id", "slug", "title", views.as("views")])
    .where("accountId", "=", accountId);
  if (siteId !== undefined) ranked = ranked.where("siteId", "=", siteId);
  let query = database.selectFrom(ranked.as("ranked")).selectAll();
  const { after } = window;
  if (after !== undefined) query = query.where(sql<boolean>`(views, id) < (${after.createdAt}, ${after.id})`);
  const rows = await query
    .orderBy("views", "desc")
    .orderBy("id", "desc")
    .limit(window.limit + 1)
    .execute();
  const ordered = rows.map(({ id, slug, title, views }) => ({ id, slug, title, createdAt: new Date(views) }));
  return toSlice(ordered, window.limit);
}
