import { attempt } from "../../base/outcome.ts";
import type { Release } from "../../client/records/release-records.ts";
import { failureOf } from "../../client/transport/outcome.ts";
import { knownAddresses } from "../apply/assets.ts";
import { summary } from "../apply/seal-page.ts";
import type { Plan } from "../changes.ts";
import {
  announcePages,
  findRemoved,
  isWrite,
  makePage,
  manifestOf,
  pageEntry,
  removal,
  type Deletion,
  type MadePage,
} from "./contents.ts";
import type { FilledDraft } from "./fill-draft.ts";
import type { Draft, DraftContext } from "./open-draft.ts";

/** What was published as a release. */
export interface PublishedContents {
  readonly draft: Pick<Draft, "addresses" | "files" | "outcomes"> & {
    readonly opened: Pick<Draft["opened"], "assets">;
  };
  readonly filled: FilledDraft;
  readonly removes: readonly Deletion[];
  readonly release: Release;
}

// More is sent faster in compressed bundles.
const MOST_PAGES = 100;
const MOST_BYTES = 256 * 1024;

/**
 * Publishes a few changed pages without new files in one request. Returns `undefined` if there is more to publish, or if
 * the service doesn't publish it at once, as something is missing or another site has a slug.
 */
export async function publishSmall(plan: Plan, context: DraftContext): Promise<PublishedContents | undefined> {
  const { api, parent, siteId, store } = context;
  const writes = plan.pages.filter(isWrite);
  const hasFiles = plan.assets.some(({ kind }) => kind !== "keep" && kind !== "blocked");
  if (parent === null || hasFiles || writes.length > MOST_PAGES) return undefined;
  if (api.dialect.html === undefined || store.ids.filling === true) return undefined;
  const draft = { addresses: knownAddresses(plan.assets), files: [], outcomes: [], opened: { assets: [] } };
  const made: MadePage[] = [];
  let bytes = 0;
  for (const change of writes) {
    const outcome = await attempt({ resource: "page", ...summary(change) }, async () => {
      made.push(await makePage(change, draft, context));
      return {};
    });
    bytes += made.at(-1)?.page.bytes ?? 0;
    if (outcome.status !== "done" || bytes > MOST_BYTES) return undefined;
  }
  const pages = made.map(({ page }) => page);
  const removes = findRemoved(plan, draft, { failed: [], collisions: [] });
  await announcePages(pages, context);
  try {
    const { release, pages: published } = await api.releases.publishSmall({
      siteId,
      parent,
      pages: pages.map(pageEntry),
      removes: removes.map(removal),
      html: made.map(({ content }) => Buffer.from(content.bytes).toString()),
      manifest: manifestOf(plan, pages),
    });
    const records = new Map(published.map((page) => [page.slug, page]));
    return { draft, filled: { pages, failed: [], collisions: [], records }, removes, release };
  } catch (error) {
    if (needsSteps(error)) return undefined;
    throw error;
  }
}

// An earlier version of the service doesn't know the request, and a proxy may limit its size.
function needsSteps(error: unknown): boolean {
  const { problemCode, status } = failureOf(error) ?? {};
  return problemCode === "release_incomplete" || status === 404 || status === 405 || status === 413;
}
