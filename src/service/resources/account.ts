import type { Account } from "../../contract/extension-records.ts";
import type { RouteSetName } from "../../contract/route.ts";
import { countRecords, readChanges, type RecordChanges } from "../store/accounts.ts";
import { hasUnreadTexts } from "../store/asset-uses.ts";
import { findRow } from "../store/rows.ts";
import type { Context } from "./context.ts";

/** Returns the account's plan, limits and usage. */
export async function describeAccount(context: Context, routeSet: RouteSetName): Promise<Account> {
  const { database, reader, accountId, plan, limits, addresses } = context;
  // Read before the counts, so that concurrent writes are reported as a change next time.
  const changes = await readChanges(database, accountId);
  const account = await findRow(database, "account", { id: accountId });
  return {
    id: accountId,
    name: account?.name ?? "",
    plan,
    routeSet,
    pagesUrl: addresses.pagesUrl,
    limits: { ...limits },
    usage: await countRecords(reader, accountId),
    changes: {
      sites: showChanges(changes.sites),
      blogs: showChanges(changes.blogs),
      brandKits: showChanges(changes.brandKits),
    },
    capabilities: {
      "pages.update": true,
      "pages.analytics": true,
      "analytics.visits": true,
      "posts.update": true,
      "posts.delete": true,
      "posts.previewLinks": true,
      "assets.types": routeSet === "a" ? "any" : "images",
      "sites.basePath": true,
      "assets.uses": !(await hasUnreadTexts(database)),
      releases: true,
      keys: true,
      webhooks: true,
      users: true,
      requests: true,
      dashboard: true,
    },
  };
}

function showChanges({ count, latest }: RecordChanges) {
  return { count, latest: latest?.toISOString() ?? null };
}
