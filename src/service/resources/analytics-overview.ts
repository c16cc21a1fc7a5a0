import type { PageAnalytics } from "../../contract/operations/analytics.ts";
import { readScopeHours, readScopeReferrers } from "../store/account-analytics.ts";
import { readVisitorHours } from "../store/page-stats.ts";
import { seriesOf } from "./analytics.ts";
import type { Context } from "./context.ts";
import { DEVICES } from "./device.ts";
import { DAY_MS, parseDayRange, type GivenRange } from "./time-range.ts";

export interface OverviewQuery extends GivenRange {
  readonly siteId?: string | undefined;
}

/** What `analyzePage` tells of one page, summed up over all pages of the account or of one site. */
export type Overview = Pick<PageAnalytics, "series" | "referrers" | "devices">;

export async function overviewPages(context: Context, query: OverviewQuery): Promise<Overview> {
  const { database, accountId, now } = context;
  const { siteId } = query;
  const span = parseDayRange(query, now);
  const scope = { accountId, siteId };
  const hours = await readScopeHours(database, scope, span);
  const visitors = await readVisitorHours(database, siteId ?? accountId, span);
  const [mobile, tablet, desktop] = DEVICES.map((device) =>
    hours.reduce((sum, hour) => sum + (hour.device === device ? hour.views : 0), 0),
  );
  return {
    series: seriesOf(span, { stepMs: DAY_MS, views: hours, visitors }),
    referrers: [...(await readScopeReferrers(database, scope, span))],
    devices: { mobile: mobile ?? 0, tablet: tablet ?? 0, desktop: desktop ?? 0 },
  };
}
