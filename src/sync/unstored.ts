import { ImprintError } from "../base/error.ts";
import { isWritten, type Outcome } from "../base/outcome.ts";
import { mapPool } from "../base/pool.ts";
import type { ImprintApi } from "../client/api.ts";
import type { PlannedSite } from "./plan-run.ts";
import { readMarker } from "./seen.ts";
import type { StateStore } from "./state-store.ts";
import type { State } from "./state.ts";

interface UnstoredContext {
  readonly api: ImprintApi;
  readonly planned: Pick<PlannedSite, "desired" | "project">;
  readonly store: StateStore;
  /** The state at the start of the run. */
  readonly state: Pick<State, "pages">;
}

const READS_AT_ONCE = 8;

/**
 * Finds pages that the service acknowledged but still has in an earlier version, among those that readers aren't shown
 * as sent. Their new version is forgotten, so that the next run sends it again.
 *
 * @returns the outcomes to report in place of those that were reported
 */
export async function forgetUnstored(
  slugs: readonly string[],
  outcomes: readonly Outcome[],
  { api, planned: { desired, project }, store, state }: UnstoredContext,
): Promise<readonly Outcome[]> {
  const pages = desired.pages.filter(({ slug }) => slugs.includes(slug));
  const found = await mapPool(pages, READS_AT_ONCE, async ({ slug, hash }) => {
    const marker = await readMarker(slug, api);
    return marker?.project === project && marker.hash !== hash ? [{ slug, hash }] : [];
  });
  // What readers are shown doesn't reveal what the service stored: the new version may wait for approval.
  if (api.dialect.htmlAt === "public") return [];
  return found.flat().flatMap(({ slug, hash }) => {
    const former = state.pages[slug];
    if (former === undefined || former.hash === hash) store.forgetPage(slug);
    else store.rememberPage(slug, former);
    const sent = outcomes.find((each) => each.resource === "page" && each.name === slug && isWritten(each));
    const message = `The service answered that it has changed the page ${slug}, and still has the version before.`;
    return sent === undefined ? [] : [{ ...sent, status: "failed", error: new ImprintError("NOT_LIVE", message) }];
  });
}
