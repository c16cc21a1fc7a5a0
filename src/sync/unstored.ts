import { ImprintError } from "../base/error.ts";
import { pollUntil } from "../base/poll-until.ts";
import { mapPool } from "../base/pool.ts";
import type { ImprintApi } from "../client/api.ts";
import type { Waiting } from "./lateness.ts";
import { isSameHash } from "./lock.ts";
import { readMarker } from "./seen.ts";
import type { StateStore } from "./state-store.ts";
import type { State } from "./state.ts";

interface UnstoredContext extends Pick<Waiting, "clock"> {
  readonly signal?: AbortSignal | undefined;
  readonly api: ImprintApi;
  readonly project: string;
  readonly store: StateStore;
  /** The state at the start of the run. */
  readonly state: Pick<State, "pages">;
  /** How long to wait for a page that the service still has in an earlier version. */
  readonly pausesMs: readonly number[];
}

const READS_AT_ONCE = 8;

/**
 * Finds pages that the service acknowledged but still has in an earlier version. Their new version is forgotten, so
 * that the next run sends it again.
 *
 * @param pages Pages that the service may not have stored, with the hash of what was built
 * @returns an error to report for each, by slug
 */
export async function forgetUnstored(
  pages: readonly { readonly slug: string; readonly hash: string }[],
  { api, project, store, state, clock, signal, pausesMs }: UnstoredContext,
): Promise<ReadonlyMap<string, ImprintError>> {
  const readEarlier = async () =>
    await mapPool(pages, READS_AT_ONCE, async ({ slug, hash }) => {
      const marker = await readMarker(slug, api);
      return marker?.project === project && !isSameHash(marker.hash, hash) ? [{ slug, hash }] : [];
    });
  const found = await pollUntil(readEarlier, {
    isEnough: (earlier) => api.dialect.htmlAt === "public" || earlier.flat().length === 0,
    pausesMs,
    sleep: (ms) => clock.sleep(ms, signal),
  });
  // What readers are shown doesn't reveal what the service stored: the new version may wait for approval.
  if (api.dialect.htmlAt === "public") return new Map();
  return new Map(
    found.flat().map(({ slug, hash }) => {
      forgetVersion({ slug, hash }, { store, state });
      const message = `The service confirmed the change to the page ${slug}, but still has the old version.`;
      return [slug, new ImprintError("NOT_LIVE", message)];
    }),
  );
}

/** Remembers what was known of a page before this version of it was sent, so that the next run reads or sends it. */
export function forgetVersion(
  { slug, hash }: { readonly slug: string; readonly hash: string },
  { store, state }: Pick<UnstoredContext, "state" | "store">,
): void {
  const former = state.pages[slug];
  if (former === undefined || isSameHash(former.hash, hash)) store.forgetPage(slug);
  else store.rememberPage(slug, former);
}
