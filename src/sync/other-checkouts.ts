import { randomInt } from "node:crypto";
import { listFirstNames } from "../base/list-names.ts";
import { mapPool } from "../base/pool.ts";
import type { ImprintApi, Page } from "../client/api.ts";
import { publishedAddress } from "../client/published-address.ts";
import type { Marker } from "../html/marker.ts";
import type { SiteWarning } from "../site/model.ts";
import type { PageChange } from "./changes.ts";
import type { DesiredPage } from "./desired.ts";
import type { KnownPage, SeenPage } from "./known-pages.ts";
import { isLateHost } from "./lateness.ts";
import { isSameHash, isSameRecord, type LockedTarget } from "./lock.ts";
import { findShownMarker } from "./seen.ts";
import type { PageMemory } from "./page-memory.ts";
import type { State } from "./state.ts";

// A project may be published from several machines, each with its own memory. The latest publish wins, and reports
// which pages of another checkout it replaces.

/** How a page from another checkout compares to the current build. */
export interface Elsewhere {
  /** Whether this checkout published the same content before, so that the other one is probably newer. */
  readonly isNewer: boolean;
  /** Whether the service shows what this checkout published before, with the time of then, as from a backup. */
  readonly isRestored: boolean;
}

type Remembered = Extract<SeenPage, { kind: "remembered" }>;

type Reader = (page: Remembered) => Promise<SeenPage>;

/** Number of pages to read, concurrently, in a run that would send none if lists don't reveal changes. */
const MOST_READ = 20;

/**
 * Reads some of the unchanged pages on hosts whose lists don't reveal changes. If another checkout published one of
 * them, reads all. On late hosts, reads only pages that the host may not have stored.
 */
export async function checkUnchanged(
  seen: readonly SeenPage[],
  { api, read }: { readonly api: ImprintApi; readonly read: Reader },
): Promise<readonly SeenPage[]> {
  const { dialect } = api;
  if (dialect.html === "hidden") return seen;
  // A late host may still show what this checkout published before.
  const isLate = dialect.unshown !== undefined || isLateHost(dialect);
  const doubtful = seen
    .filter((page) => page.kind === "remembered")
    .filter(({ record }) => (isLate ? mayBeUnstored(record, api) : !showsChanges(record)));
  const from = doubtful.length > MOST_READ ? randomInt(doubtful.length) : 0;
  const turned = [...doubtful.slice(from), ...doubtful.slice(0, from)];
  const changed = new Map<string, SeenPage>();
  for (const group of [turned.slice(0, MOST_READ), turned.slice(MOST_READ)]) {
    const found = await mapPool(group, MOST_READ, async (page) => ({ page, now: await read(page) }));
    for (const { page, now } of found) {
      if (isOther(page, now) && (await isPresent(now, { memory: page.memory, api })))
        changed.set(page.record.slug, now);
    }
    if (changed.size === 0) break;
  }
  return seen.map((page) => changed.get(page.record.slug) ?? page);
}

/** Whether an earlier run found that readers weren't shown a page, which the service may not have changed at all. */
function mayBeUnstored({ slug, contentHash }: Page, { dialect: { htmlAt, unshown } }: ImprintApi): boolean {
  // What readers are shown doesn't reveal what the service stored: the new version may wait for approval.
  return contentHash === undefined && htmlAt !== "public" && unshown?.includes(slug) === true;
}

/** Whether the list has pages of ours, but no field that an edit would change. */
export function areEditsUnseen(pages: Iterable<KnownPage>): boolean {
  const own = [...pages].filter(({ origin }) => origin === "ours");
  return own.length > 0 && !own.some(({ record }) => showsChanges(record));
}

function showsChanges({ contentHash, version, updatedAt }: Page): boolean {
  return contentHash !== undefined || version !== undefined || (updatedAt !== undefined && isExact(updatedAt));
}

// Some hosts round to minutes or days, within which several changes have the same time.
function isExact(time: Date): boolean {
  return time.getUTCSeconds() + time.getUTCMilliseconds() > 0;
}

type MarkedPage = Extract<SeenPage, { kind: "read" }> & { readonly marker: Marker };

function isOther({ memory }: Remembered, now: SeenPage): now is MarkedPage {
  return now.kind === "read" && now.marker !== undefined && !isSameHash(now.marker.hash, memory.hash);
}

/** Whether a page is current rather than a cached version, if HTML is read from public pages. */
async function isPresent(
  { record, marker }: MarkedPage,
  { memory, api: { capabilities, visit } }: { readonly memory: PageMemory; readonly api: ImprintApi },
): Promise<boolean> {
  const { pagesAt } = capabilities;
  if (pagesAt === undefined) return true;
  const shown = await visit(publishedAddress(pagesAt, record.slug), { fresh: true });
  // Not every cache can be bypassed.
  if (shown?.cacheAge !== undefined && wasSentBefore(marker, memory)) return false;
  const now = findShownMarker(shown);
  return now === undefined || now.hash === marker.hash;
}

function wasSentBefore(marker: Marker, { earlier = [] }: PageMemory): boolean {
  return earlier.some((hash) => isSameHash(hash, marker.hash));
}

interface ElsewhereContext {
  readonly state: Pick<State, "pages" | "sending" | "dialect">;
  readonly locked: Pick<LockedTarget, "pages"> | undefined;
  readonly wanted: ReadonlyMap<string, DesiredPage>;
}

/** Finds out whether another checkout published a page of which this one knows a different version. */
export function findElsewhere(
  { record, marker }: { readonly record: Page; readonly marker: Marker },
  { state, locked, wanted }: ElsewhereContext,
): Elsewhere | undefined {
  const { slug } = record;
  const [own, lock] = [state.pages[slug], locked?.pages[slug]].map((memory) =>
    memory !== undefined && isSameRecord(memory, record) ? memory : undefined,
  );
  // A version that is in the lock file or from an interrupted run isn't from elsewhere.
  if ([own, lock, state.sending[slug]].some((memory) => isSameHash(memory?.hash, marker.hash))) return undefined;
  // A cache of what readers are shown may still have it.
  if (state.dialect?.htmlAt === "public" && own !== undefined && wasSentBefore(marker, own)) return undefined;
  // The service accepted a later version, and may not have stored it.
  const isUnshown = state.dialect?.unshown?.includes(slug) === true;
  if (isUnshown && (own === undefined || wasSentBefore(marker, own))) return undefined;
  const desired = wanted.get(slug)?.hash;
  const isNewer = isSameHash(desired, (own ?? lock)?.hash);
  const isRestored = own !== undefined && wasSentBefore(marker, own) && isBefore(record.updatedAt, own.updatedAt);
  // The lock file alone is often older than the page, as not every publish in CI is committed.
  return own === undefined && !isNewer ? undefined : { isNewer, isRestored };
}

function isBefore(time: Date | undefined, known: string | undefined): boolean {
  return time !== undefined && known !== undefined && time.getTime() < Date.parse(known);
}

const NAMED = 3;

/** Warns about pages from another checkout that a plan replaces or deletes. */
export async function describeElsewhere(
  changes: readonly PageChange[],
  site: ReleasedSite,
): Promise<readonly SiteWarning[]> {
  return [...describeDeleted(changes), ...(await describeReplaced(changes, site))];
}

// Without a cache, a page that a CI job published and didn't commit to the lock file looks like that of a newer
// checkout.
function describeDeleted(changes: readonly PageChange[]): readonly SiteWarning[] {
  const deleted = changes.flatMap((change) =>
    change.kind === "delete" && change.known.isUnrecorded === true ? [change.name] : [],
  );
  if (deleted.length === 0) return [];
  const names = listFirstNames(deleted, NAMED);
  const message = `Another checkout or CI job published ${names}. Neither this build nor imprint.lock.json has that, so \`prune\` deletes it. If the other checkout is newer, publish from there again, and commit its imprint.lock.json.`;
  return [{ code: "other-checkout", file: "service", message }];
}

async function describeReplaced(changes: readonly PageChange[], site: ReleasedSite): Promise<readonly SiteWarning[]> {
  const replaced = changes.flatMap((change) =>
    change.kind === "update" && change.known.elsewhere !== undefined ? [change.known] : [],
  );
  if (replaced.length === 0) return [];
  const names = listFirstNames(
    replaced.map(({ slug }) => slug),
    NAMED,
  );
  const times = replaced.flatMap(({ record: { updatedAt } }) => (updatedAt === undefined ? [] : [updatedAt.getTime()]));
  const when = times.length === 0 ? "" : ` (${new Date(Math.max(...times)).toISOString()})`;
  const isNewer = replaced.some(({ elsewhere }) => elsewhere?.isNewer === true);
  const which = isNewer
    ? "This build replaces that version, and equals what this checkout published before. If the other checkout is newer, publish from there again."
    : "This build replaces that version.";
  const rollback = await findRollback(site);
  if (rollback !== undefined) {
    const message = `The release ${rollback.rollbackOf} was restored after this checkout published ${names}. This build replaces the restored version.`;
    return [{ code: "rolled-back", file: "service", message }];
  }
  if (replaced.every(({ elsewhere }) => elsewhere?.isRestored === true)) {
    const message = `The service shows older versions of ${names}${when} than this checkout published, for example because a backup was restored. This build replaces them.`;
    return [{ code: "restored-service", file: "service", message }];
  }
  const message = `Another checkout published ${names} after this one did${when}. ${which}`;
  return [{ code: "other-checkout", file: "service", message, ...(isNewer ? {} : { isNotice: true as const }) }];
}

interface ReleasedSite {
  readonly api: ImprintApi;
  readonly siteId: string | undefined;
}

/** The live release, if it restored an earlier one: then no other checkout has published since. */
async function findRollback({ api, siteId }: ReleasedSite) {
  if (!api.capabilities.operations.has("releases.list")) return undefined;
  const releases = await api.releases.list({ siteId, isLive: true });
  return releases.find(({ rollbackOf }) => rollbackOf !== null);
}
