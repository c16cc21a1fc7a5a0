import { pluralize } from "../../base/pluralize.ts";
import { maxBundledBytes } from "../../contract/limits.ts";
import type { ReleaseDiff, ReleaseOpenBody, ReleaseOpened } from "../../contract/operations/releases.ts";
import { ProblemError } from "../http/problem.ts";
import { findAsset } from "../store/assets.ts";
import { findPageOfLine, listReviewedPages, listSlugsOfLine } from "../store/release-pages.ts";
import {
  changeRelease,
  findLiveRelease,
  findNamedAsset,
  findRelease,
  lineOf,
  listMissingAssets,
  type Release,
  type ReleasePageTable,
} from "../store/releases.ts";
import { findRow, insertRow } from "../store/rows.ts";
import { holdName } from "../store/transactions.ts";
import { assetUrl } from "./addresses.ts";
import { createTurns, inSlices, inTransaction, type Context } from "./context.ts";
import { checkSite, checkSlug, found } from "./fields.ts";
import { toSafeName } from "./library.ts";
import { getOpenRelease, outdated, publishRelease } from "./publish-release.ts";
import { stageChanges, type PageChange } from "./release-pages.ts";
import { settleAll } from "./settle.ts";
import { DAY_MS } from "./time-range.ts";

export async function getRelease({ database, accountId }: Context, id: string): Promise<Release> {
  return found(await findRelease(database, { accountId, id }), "release_not_found");
}

/**
 * Opens a release and assigns URLs to its files. A file always gets the same URL, whoever refers to it. Throws
 * `release_outdated` if its parent isn't the live release.
 */
export async function openRelease(context: Context, body: ReleaseOpenBody): Promise<ReleaseOpened> {
  const { limits } = context;
  const maxBytes = maxBundledBytes(limits);
  for (const [index, { name, bytes }] of body.assets.entries()) {
    if (bytes <= maxBytes) continue;
    throw new ProblemError("asset_too_large", {
      detail: `${toSafeName(name)} has ${bytes} bytes; the maximum is ${maxBytes}.`,
      errors: [{ pointer: `/body/assets/${index}/bytes`, detail: "is too large" }],
    });
  }
  await settleAll(context);
  const release = body.id === undefined ? await addRelease(context, body) : await getOpenRelease(context, body.id);
  const assets = new Map<string, ReleaseOpened["assets"][number]>();
  // Sorted, so that concurrent requests with the same files can't deadlock.
  const named = body.assets.toSorted((one, other) => (one.hash < other.hash ? -1 : 1));
  await inSlices(context, named, async (transaction, asset) => {
    assets.set(asset.hash, await nameAsset(transaction, release, asset));
  });
  return {
    id: release.id,
    state: "open",
    maxBundleBytes: limits.maxBundleBytes,
    assets: body.assets.flatMap(({ hash }) => assets.get(hash) ?? []),
    expiresAt: (release.expiresAt ?? context.now).toISOString(),
  };
}

async function addRelease(
  context: Context,
  { siteId = null, preview = null, parent }: Pick<ReleaseOpenBody, "siteId" | "preview" | "parent">,
  rollbackOf: string | null = null,
): Promise<Release> {
  await checkSite(context, siteId);
  if (preview !== null) checkSlug(preview, "/body/preview");
  return await inTransaction(
    context,
    async ({ database, accountId, newId, now }) => {
      const line = lineOf({ siteId, preview });
      const live = await findLiveRelease(database, { accountId, line });
      if (parent !== null && live?.id !== parent) throw outdated(live);
      const release = {
        id: newId("rel"),
        accountId,
        siteId,
        preview,
        line,
        state: "open",
        sequence: null,
        parent: live?.id ?? null,
        whole: parent === null,
        revision: 0,
        manifest: null,
        rollbackOf,
        author: null,
        pages: 0,
        removes: 0,
        kept: [],
        createdAt: now,
        publishedAt: null,
        expiresAt: new Date(now.getTime() + DAY_MS),
        settledAt: null,
      } as const;
      await insertRow(database, "release", release);
      return { ...release, live: false };
    },
    "shared",
  );
}

async function nameAsset(
  { database, accountId, newId, addresses }: Context,
  { id: releaseId }: Release,
  { hash, name }: ReleaseOpenBody["assets"][number],
): Promise<ReleaseOpened["assets"][number]> {
  await holdName(database, `asset ${accountId} ${hash}`);
  const asset = await findAsset(database, { accountId, hash });
  const known = asset === undefined ? await findNamedAsset(database, { accountId, hash }) : undefined;
  const given = asset ?? { id: known?.assetId ?? newId("as"), name: known?.name ?? toSafeName(name) };
  if ((await findRow(database, "releaseAsset", { releaseId, hash })) === undefined) {
    await insertRow(database, "releaseAsset", { releaseId, hash, accountId, assetId: given.id, name: given.name });
  }
  return { hash, id: given.id, url: assetUrl(addresses, given), missing: asset === undefined };
}

/** A page in both compared releases; `undefined` if it doesn't exist there. */
interface ComparedPage {
  readonly slug: string;
  readonly from: ReleasePageTable | undefined;
  readonly to: ReleasePageTable | undefined;
}

interface Comparison {
  /** A sequence number; 0 for an empty site. */
  readonly from: number;
  readonly to: Release;
  readonly after: string;
  readonly limit: number;
}

/** Lists pages after a slug that may differ between two releases of a line, or between one and an open one. */
async function comparePages(
  { database }: Context,
  { from, to, after, limit }: Comparison,
): Promise<readonly ComparedPage[]> {
  const [one, other] = [from, to.sequence];
  const slugs =
    other === null
      ? (await listReviewedPages(database, to.id, { after, limit })).map(({ slug }) => slug)
      : await listSlugsOfLine(database, to, {
          since: Math.min(one, other),
          until: Math.max(one, other),
          after,
          limit,
        });
  const pages: ComparedPage[] = [];
  const pause = createTurns();
  for (const slug of slugs) {
    await pause();
    const find = async (until: number) => present(await findPageOfLine(database, { ...to, slug, until }));
    const staged = other === null ? await findRow(database, "releasePage", { releaseId: to.id, slug }) : undefined;
    pages.push({
      slug,
      from: one === 0 ? undefined : await find(one),
      to: other === null ? present(staged) : await find(other),
    });
  }
  return pages;
}

function present(page: ReleasePageTable | undefined): ReleasePageTable | undefined {
  return page === undefined || page.contentHash === null ? undefined : page;
}

function isSame({ from, to }: ComparedPage): boolean {
  const fields = ["contentHash", "title", "description"] as const;
  return fields.every((field) => from?.[field] === to?.[field]);
}

/** Lists the changes of a release compared with its parent or another release. */
export async function diffReleases(
  context: Context,
  {
    id,
    against,
    after = "",
    limit,
  }: {
    readonly id: string;
    readonly against: string | undefined;
    readonly after: string | undefined;
    readonly limit: number;
  },
): Promise<ReleaseDiff> {
  const to = await getRelease(context, id);
  const from = await findCompared(context, to, against);
  // If the parent was deleted, later releases contain its pages.
  const before = to.parent === null ? 0 : (to.sequence ?? 1) - 1;
  const sequence = from?.sequence ?? before;
  const data: ReleaseDiff["data"] = [];
  for (let place = after; ;) {
    const pages = await comparePages(context, { from: sequence, to, after: place, limit });
    for (const page of pages) {
      if (data.length < limit && !isSame(page)) data.push(changeOf(page));
      place = page.slug;
      if (data.length === limit) return { id, against: from?.id ?? null, data, nextCursor: place };
    }
    if (pages.length < limit) return { id, against: from?.id ?? null, data, nextCursor: null };
  }
}

async function findCompared(context: Context, to: Release, against: string | undefined): Promise<Release | undefined> {
  if (against !== undefined) {
    const from = await getRelease(context, against);
    if (from.line !== to.line || from.sequence === null) throw new ProblemError("release_not_found");
    return from;
  }
  const { database, accountId } = context;
  return to.parent === null ? undefined : await findRelease(database, { accountId, id: to.parent });
}

function changeOf({ slug, from, to }: ComparedPage): ReleaseDiff["data"][number] {
  const { title = "", contentHash: hash = null, bytes = 0 } = to ?? from ?? {};
  const change = from === undefined ? "added" : to === undefined ? "removed" : "changed";
  return { slug, change, title, hash, bytes };
}

const SLICE = 100;

/**
 * Publishes the pages of an earlier release again, as a new one. Throws `release_incomplete` if required files are
 * missing, unless forced.
 */
export async function rollBack(
  context: Context,
  { id, force, author }: { readonly id: string; readonly force: boolean; readonly author: string | null },
): Promise<Release> {
  const { database } = context;
  const to = await getRelease(context, id);
  if (to.state !== "published") throw new ProblemError("release_not_found");
  await settleAll(context);
  const live = found(await findLiveRelease(database, to), "release_not_found");
  if (live.id === id) return live;
  const missing = new Set(force ? [] : await listMissingAssets(context.reader, id));
  const release = await addRelease(context, { ...to, parent: live.id }, id);
  try {
    for (let after = ""; ;) {
      const pages = await comparePages(context, { from: live.sequence ?? 0, to, after, limit: SLICE });
      const changes = pages.filter((page) => !isSame(page)).map(changeTo);
      if (!force) for (const hash of await findMissingFiles(context, changes)) missing.add(hash);
      await stageChanges(context, release, changes);
      const last = pages.at(-1);
      if (last === undefined) break;
      after = last.slug;
    }
    if (missing.size > 0) {
      throw new ProblemError("release_incomplete", {
        detail: `The library lacks ${pluralize(missing.size, "file")} that its pages use.`,
        members: { missing: [...missing] },
      });
    }
    return await publishRelease(context, release.id, { manifest: to.manifest, force, author });
  } catch (error) {
    await changeRelease(database, release, { state: "expired" });
    throw error;
  }
}

function changeTo({ slug, to }: ComparedPage): PageChange {
  if (to === undefined || to.contentHash === null) return { slug, to: undefined };
  const { title, description, bytes, contentHash: hash } = to;
  return { slug, to: { title, description, bytes, hash } };
}

/** Lists ids of files that pages refer to and the library no longer has. */
async function findMissingFiles(
  { database, accountId }: Context,
  changes: readonly PageChange[],
): Promise<readonly string[]> {
  const gone = new Set<string>();
  const pause = createTurns();
  for (const { to } of changes) {
    await pause();
    const content = to && (await findRow(database, "content", { accountId, hash: to.hash }));
    for (const id of content?.assetIds ?? []) {
      if ((await findRow(database, "asset", { accountId, id })) === undefined) gone.add(id);
    }
  }
  return [...gone];
}
