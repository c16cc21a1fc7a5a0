import { pluralize } from "../../base/pluralize.ts";
import { ProblemError } from "../http/problem.ts";
import {
  findPageOfLine,
  listEditedPages,
  listReviewedPages,
  listSlugsOfLine,
  type ReviewedPage,
} from "../store/release-pages.ts";
import {
  changeRelease,
  findLiveRelease,
  findRelease,
  lastSequence,
  listMissingAssets,
  type Release,
} from "../store/releases.ts";
import { countRows, findRow, updateRows } from "../store/rows.ts";
import { holdName } from "../store/transactions.ts";
import { readReleaseFiles } from "./asset-uses.ts";
import { audit } from "./audit.ts";
import { createTurns, inSlices, inTransaction, type Context } from "./context.ts";
import { recordEvent } from "./events.ts";
import { checkLimit, found } from "./fields.ts";
import { stageChanges, type PageChange } from "./release-pages.ts";
import { settleAll } from "./settle.ts";

export interface Publishing {
  readonly manifest: string | null;
  /** Replaces pages that were edited since. */
  readonly force: boolean;
  readonly author: string | null;
}

const MAX_ATTEMPTS = 20;
const SLICE = 50;

/**
 * Makes an open release live, atomically. Slow work is done beforehand and repeated if something else was published
 * meanwhile.
 */
export async function publishRelease(context: Context, id: string, publishing: Publishing): Promise<Release> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const known = await findRelease(context.database, { accountId: context.accountId, id });
    // The response to the first request was lost.
    if (known?.state === "published" && known.manifest === publishing.manifest) return known;
    const release = await getOpenRelease(context, id);
    await settleAll(context);
    const sequence = await lastSequence(context.database, context.accountId);
    const live = await checkParent(context, release);
    if (release.whole) await removeOthers(context, release, live);
    const edited = await listOtherEdited(context, release, live);
    if (publishing.force) await stageChanges(context, release, edited);
    const { revision } = found(await findRelease(context.database, release), "release_not_found");
    const review = await reviewPages(context, release, publishing);
    await readReleaseFiles(context, id);
    const kept = publishing.force ? review.kept : [...review.kept, ...edited.map(({ slug }) => slug)].toSorted();
    const { manifest, author } = publishing;
    const published = await flip(context, release, { ...review, manifest, author, kept, revision, sequence });
    if (published !== undefined) {
      context.wakeSettler();
      return published;
    }
  }
  throw new ProblemError("unavailable", {
    detail: "Other releases keep being published.",
    headers: { "Retry-After": "1" },
  });
}

/** Returns an open release. Throws `release_outdated` if it has expired or is published. */
export async function getOpenRelease({ database, accountId, now }: Context, id: string): Promise<Release> {
  const release = found(await findRelease(database, { accountId, id }), "release_not_found");
  const isOver = release.expiresAt !== null && release.expiresAt <= now;
  if (release.state === "open" && !isOver) return release;
  const detail =
    release.state === "published" ? "The release is already published." : "The release has expired; open another one.";
  throw new ProblemError("release_outdated", { detail, members: { live: release.live ? id : null } });
}

/** Returns the live release. Throws `release_outdated` if it is no longer the parent. */
async function checkParent({ database }: Context, release: Release): Promise<Release | undefined> {
  const live = await findLiveRelease(database, release);
  if ((live?.id ?? null) === release.parent) return live;
  throw outdated(live);
}

export function outdated(live: Release | undefined): ProblemError {
  const detail = live === undefined ? "Nothing is published yet." : `The live release is ${live.id}.`;
  return new ProblemError("release_outdated", { detail, members: { live: live?.id ?? null } });
}

/** Removes the pages of the live release that a complete list of pages lacks. */
async function removeOthers(context: Context, release: Release, live: Release | undefined): Promise<void> {
  const { database } = context;
  const until = live?.sequence ?? 0;
  const pause = createTurns();
  for (let after = ""; ;) {
    await pause();
    const slugs = await listSlugsOfLine(database, release, { since: 0, until, after, limit: SLICE });
    if (slugs.length === 0) return;
    const removed: { slug: string; to: undefined }[] = [];
    for (const slug of slugs) {
      if ((await findRow(database, "releasePage", { releaseId: release.id, slug })) !== undefined) continue;
      const page = await findPageOfLine(database, { ...release, slug, until });
      if (page !== undefined && page.contentHash !== null) removed.push({ slug, to: undefined });
    }
    await stageChanges(context, release, removed);
    after = slugs.at(-1) ?? after;
  }
}

async function listOtherEdited(
  { database, accountId }: Context,
  release: Release,
  live: Release | undefined,
): Promise<readonly PageChange[]> {
  const edited: PageChange[] = [];
  if (live?.sequence === null || live === undefined) return edited;
  const pause = createTurns();
  for (let after = ""; ;) {
    await pause();
    const pages = await listEditedPages(database, accountId, { after, limit: SLICE });
    for (const { slug, version } of pages) {
      if ((await findRow(database, "releasePage", { releaseId: release.id, slug })) !== undefined) continue;
      const page = await findPageOfLine(database, { ...release, slug, until: live.sequence });
      if (page === undefined || page.contentHash === null) continue;
      const { title, description, bytes, contentHash: hash } = page;
      edited.push({ slug, version, to: { title, description, bytes, hash } });
    }
    const last = pages.at(-1);
    if (last === undefined) return edited;
    after = last.slug;
  }
}

interface Review extends Pick<Release, "pages" | "removes" | "kept"> {}

/**
 * Checks every page of a release. Throws `release_incomplete` for missing content and `limit_reached` for too many
 * pages.
 */
async function reviewPages(context: Context, release: Release, { force }: Publishing): Promise<Review> {
  const { database, accountId, limits } = context;
  const missing = new Set(await listMissingAssets(context.reader, release.id));
  const kept: string[] = [];
  let [pages, removes, added] = [0, 0, 0];
  const pause = createTurns();
  for (let after = ""; ;) {
    await pause();
    const slice = await listReviewedPages(database, release.id, { after, limit: SLICE });
    const isEdited = (page: ReviewedPage) => (page.pageVersion ?? 0) !== page.baseVersion;
    const isForeign = (page: ReviewedPage) => page.pageVersion !== null && page.pageSiteId !== release.siteId;
    const isReplaced = (page: ReviewedPage) => force && !isForeign(page);
    await inSlices(context, force ? slice.filter((page) => isEdited(page) && isReplaced(page)) : [], rebase(release));
    for (const page of slice) {
      const { slug, contentHash, pending, hasContent } = page;
      if (isEdited(page) && !isReplaced(page)) {
        kept.push(slug);
        continue;
      }
      if (!pending && !isEdited(page)) continue;
      if (contentHash !== null && hasContent === 0) missing.add(contentHash);
      if (contentHash === null) removes += 1;
      else pages += 1;
      if (contentHash !== null && page.pageVersion === null) added += 1;
    }
    const last = slice.at(-1);
    if (last === undefined) break;
    after = last.slug;
  }
  if (missing.size > 0) {
    throw new ProblemError("release_incomplete", {
      detail: `The content of ${pluralize(missing.size, "hash", "hashes")} is missing.`,
      members: { missing: [...missing] },
    });
  }
  if (added > 0) checkLimit((await countRows(database, "page", { accountId })) + added - 1, limits.maxPages, "pages");
  return { pages, removes, kept };
}

/** Rebases a release's page on the current version. */
function rebase({ id: releaseId }: Release) {
  return async ({ database }: Context, { slug, pageVersion }: ReviewedPage): Promise<void> => {
    const baseVersion = pageVersion ?? 0;
    const set = { baseVersion, version: baseVersion + 1, pending: true };
    await updateRows(database, "releasePage", { match: { releaseId, slug }, set });
  };
}

interface Flip extends Omit<Publishing, "force">, Review {
  /** State during the review: the release is published only if neither has changed. */
  readonly revision: number;
  readonly sequence: number;
}

/** Publishes in one short transaction; returns `undefined` if something was written meanwhile. */
async function flip(
  context: Context,
  { id, line }: Release,
  { revision, sequence, ...reviewed }: Flip,
): Promise<Release | undefined> {
  return await inTransaction(context, async (transaction) => {
    const { database, accountId, now } = transaction;
    await holdName(database, `releases ${accountId}`);
    const release = await findRelease(database, { accountId, id });
    const isSame = release?.state === "open" && release.revision === revision;
    if (!isSame || (await lastSequence(database, accountId)) !== sequence) return undefined;
    const live = await findLiveRelease(database, { accountId, line });
    if ((live?.id ?? null) !== release.parent) throw outdated(live);
    const set = { ...reviewed, state: "published", sequence: sequence + 1, publishedAt: now, expiresAt: null } as const;
    await changeRelease(database, { accountId, id }, set);
    const { siteId, preview, parent, rollbackOf } = release;
    const { manifest, author, pages, removes } = reviewed;
    const data = { id, siteId, preview, parent, manifest, author, pages, removes };
    await recordEvent(transaction, { type: "release.published", subject: id, data });
    if (rollbackOf !== null) {
      await audit(transaction, { action: "release.rolledBack", subjectId: id, detail: `to ${rollbackOf}` });
    }
    return { ...release, ...set, live: true };
  });
}
