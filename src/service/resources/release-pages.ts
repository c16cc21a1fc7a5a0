import type { ReleasePagesBody, ReleaseStaged } from "../../contract/operations/releases.ts";
import { ProblemError } from "../http/problem.ts";
import { hasContent, saveReleasePage } from "../store/release-pages.ts";
import { changeRelease, type Release, type ReleasePageTable } from "../store/releases.ts";
import { deleteRows, findRow } from "../store/rows.ts";
import type { Database, Tables } from "../store/tables.ts";
import { holdName } from "../store/transactions.ts";
import { inSlices, type Context } from "./context.ts";
import { checkSlug } from "./fields.ts";

/** A change of a page in a release; without content, the page is removed. */
export interface PageChange {
  readonly slug: string;
  /** The expected version of the page; default: the version from the last release. */
  readonly version?: number | undefined;
  readonly to: (Pick<ReleasePageTable, "title" | "description" | "bytes"> & { readonly hash: string }) | undefined;
}

/** Adds pages to an open release; of several changes of a page, the last one counts. */
export async function stagePages(
  context: Context,
  release: Release,
  { pages, removes }: ReleasePagesBody,
): Promise<ReleaseStaged> {
  const { maxPageBytes } = context.limits;
  const changes: PageChange[] = [];
  for (const [index, { slug, version, hash, bytes, title, description = null }] of pages.entries()) {
    checkSlug(slug, `/body/pages/${index}/slug`);
    if (bytes > maxPageBytes) {
      throw new ProblemError("page_too_large", {
        detail: `The page "${slug}" has ${bytes} bytes; the maximum is ${maxPageBytes}.`,
      });
    }
    changes.push({ slug, version, to: { title, description, bytes, hash } });
  }
  for (const [index, removed] of removes.entries()) {
    const { slug, version } = typeof removed === "string" ? { slug: removed } : removed;
    changes.push({ slug: checkSlug(slug, `/body/removes/${index}`), version, to: undefined });
  }
  return await stageChanges(context, release, changes);
}

/** Adds page changes to an open release. */
export async function stageChanges(
  context: Context,
  release: Release,
  changes: readonly PageChange[],
): Promise<ReleaseStaged> {
  const staged = new Map<string, ReleaseStaged["pages"][number]>();
  const missing = new Set<string>();
  const collisions = new Map<string, ReleaseStaged["collisions"][number]>();
  let noted: Database | undefined;
  await inSlices(context, changes, async (transaction, change) => {
    const { slug, to } = change;
    if (noted !== transaction.database) await recordRevision(transaction, release);
    noted = transaction.database;
    const { page, collision, isSame = true } = await stagePage(transaction, release, change);
    staged.delete(slug);
    collisions.delete(slug);
    if (collision !== undefined) collisions.set(slug, collision);
    if (page !== undefined) staged.set(slug, page);
    const { database, accountId } = transaction;
    if (isSame || to === undefined || (await hasContent(database, { accountId, hash: to.hash }))) return;
    missing.add(to.hash);
  });
  return { pages: [...staged.values()], missing: [...missing], collisions: [...collisions.values()] };
}

interface StagedPage {
  readonly page?: ReleaseStaged["pages"][number];
  readonly collision?: ReleaseStaged["collisions"][number];
  /** Publishing won't change the page. */
  readonly isSame?: boolean;
}

async function stagePage(context: Context, release: Release, change: PageChange): Promise<StagedPage> {
  const { database, accountId, newId } = context;
  const { slug, to } = change;
  const place = { releaseId: release.id, slug };
  const before = await findRow(database, "page", { accountId, slug });
  const isForeign = before !== undefined && before.siteId !== release.siteId;
  const isSame = to === undefined ? before === undefined : before !== undefined && isUnchanged(before, change);
  // A complete list includes unchanged pages, so that missing ones can be removed.
  if (isForeign || (isSame && (to === undefined || !release.whole))) {
    await deleteRows(database, "releasePage", place);
    if (isForeign) return { collision: { slug, siteId: before.siteId } };
    return before === undefined ? {} : { page: { slug, id: before.id, version: before.version }, isSame };
  }
  const known = before === undefined ? await findRow(database, "releasePage", place) : undefined;
  const current = before?.version ?? 0;
  const row: ReleasePageTable = {
    ...place,
    accountId,
    pageId: before?.id ?? known?.pageId ?? newId("pg"),
    title: to?.title ?? before?.title ?? "",
    description: to === undefined ? null : to.description,
    contentHash: to?.hash ?? null,
    bytes: to?.bytes ?? 0,
    baseVersion: isSame ? current : baseOf(before, change),
    version: isSame ? current : current + 1,
    pending: !isSame,
  };
  await saveReleasePage(database, row);
  return { page: { slug, id: row.pageId, version: row.version }, isSame };
}

function isUnchanged(before: Tables["page"], { to, version }: PageChange): boolean {
  const isEdited = version === undefined && baseOf(before, { version }) !== before.version;
  return (
    to !== undefined &&
    !isEdited &&
    before.status === "published" &&
    before.contentHash === to.hash &&
    before.title === to.title &&
    before.description === to.description
  );
}

function baseOf(before: Tables["page"] | undefined, { version }: Pick<PageChange, "version">): number {
  return version ?? before?.releaseVersion ?? before?.version ?? 0;
}

/** Increments the revision once per transaction: publishing must not miss concurrent writes to the release. */
async function recordRevision({ database, accountId }: Context, { id }: Release): Promise<void> {
  await holdName(database, `release ${id}`);
  const release = await findRow(database, "release", { accountId, id });
  if (release?.state !== "open")
    throw new ProblemError("release_outdated", { detail: "The release is no longer open." });
  await changeRelease(database, { accountId, id }, { revision: release.revision + 1 });
}
