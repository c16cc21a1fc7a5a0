import { setImmediate as nextTurn } from "node:timers/promises";
import { recordAssetUses } from "../store/asset-uses.ts";
import { deletePage, recordMove, type Page } from "../store/pages.ts";
import { findPendingPage, listPendingPages, markEdited, markWritten } from "../store/release-pages.ts";
import { changeRelease, findUnsettled, type ReleaseKey, type ReleasePageTable } from "../store/releases.ts";
import { deleteRows, findRow, putRow } from "../store/rows.ts";
import { holdName } from "../store/transactions.ts";
import { findAssetIds } from "./asset-uses.ts";
import { inTransaction, TURN_MS, type Context } from "./context.ts";
import { recordPageRemoval, recordPageWrite } from "./events.ts";
import { closeForms, syncForms } from "./forms.ts";

// A release is published atomically for readers. Everything else that belongs to a page (its record, events, forms,
// file uses) is written afterwards, a few pages at a time, so that no one waits long. Before that, reads get the page
// from the release, and writes settle it first.

const MAX_PAGES = 50;

/** Writes some pages of a published release. Returns whether more are left. */
export async function settleStep(context: Context, { id }: ReleaseKey): Promise<boolean> {
  return await inTransaction(
    context,
    async (transaction) => {
      const started = performance.now();
      const pages = await listPendingPages(transaction.database, { releaseId: id, limit: MAX_PAGES });
      for (const page of pages) {
        await settleRow(transaction, page);
        if (performance.now() - started > TURN_MS) return true;
      }
      if (pages.length === MAX_PAGES) return true;
      await changeRelease(transaction.database, { accountId: transaction.accountId, id }, { settledAt: context.now });
      return false;
    },
    "shared",
  );
}

const running = new WeakMap<Context["blobs"], Map<string, Promise<void>>>();

/** Waits until all pages of published releases are written. Concurrent callers share the work. */
export async function settleAll(context: Context): Promise<void> {
  const { database, blobs, accountId } = context;
  while ((await findUnsettled(database, accountId)) !== undefined) {
    const accounts = running.get(blobs) ?? new Map<string, Promise<void>>();
    running.set(blobs, accounts);
    const settling = accounts.get(accountId) ?? settleNext(context).finally(() => accounts.delete(accountId));
    accounts.set(accountId, settling);
    await settling;
  }
}

async function settleNext(context: Context): Promise<void> {
  const release = await findUnsettled(context.database, context.accountId);
  if (release === undefined) return;
  while (await settleStep(context, release)) await nextTurn();
}

/** Writes these pages, before a request that needs only them. */
export async function settlePages(context: Context, slugs: readonly string[]): Promise<void> {
  if ((await findUnsettled(context.database, context.accountId)) === undefined) return;
  for (const slug of new Set(slugs)) {
    await inTransaction(context, (transaction) => settlePage(transaction, slug), "shared");
  }
}

/** Writes a page of a published release. Must run in a transaction. */
export async function settlePage(context: Context, slug: string): Promise<void> {
  const { database, accountId } = context;
  await settleFound(context, await findPendingPage(database, { accountId, slug }));
}

/** Like `settlePage`, for the page with this id. */
export async function settlePageById(context: Context, pageId: string): Promise<void> {
  const { database, accountId } = context;
  await settleFound(context, await findPendingPage(database, { accountId, pageId }));
}

async function settleFound(context: Context, page: ReleasePageTable | undefined): Promise<void> {
  if (page !== undefined) await settleRow(context, page);
}

type PendingPage = Pick<ReleasePageTable, "releaseId" | "slug">;

async function settleRow(context: Context, { releaseId, slug }: PendingPage): Promise<void> {
  const { database, accountId } = context;
  await holdName(database, `page ${accountId} ${slug}`);
  // Another process may have written it meanwhile.
  const staged = await findRow(database, "releasePage", { releaseId, slug });
  if (staged === undefined || !staged.pending) return;
  const before = await findRow(database, "page", { accountId, slug });
  await markWritten(database, { releaseId, slug });
  if ((before?.version ?? 0) !== staged.baseVersion) await keepEdited(context, staged);
  else if (staged.contentHash !== null)
    await writePage(context, { ...staged, contentHash: staged.contentHash }, before);
  else if (before !== undefined) await removePage(context, before);
}

async function keepEdited({ database, accountId }: Context, staged: ReleasePageTable): Promise<void> {
  const { releaseId, slug } = staged;
  await markEdited(database, { accountId, slug }, staged.baseVersion);
  await holdName(database, `release ${releaseId}`);
  const release = await findRow(database, "release", { id: releaseId });
  if (release === undefined || release.kept.includes(slug)) return;
  await changeRelease(database, { accountId, id: releaseId }, { kept: [...release.kept, slug] });
}

async function removePage(context: Context, page: Page): Promise<void> {
  const { database, accountId, now } = context;
  await deletePage(database, { ...page, accountId }, now);
  await closeForms(context, page.slug);
  await recordPageRemoval(context, page);
}

type WrittenPage = ReleasePageTable & { readonly contentHash: string };

async function writePage(context: Context, staged: WrittenPage, before: Page | undefined): Promise<void> {
  const { database, accountId, now } = context;
  const { slug, title, description, contentHash, bytes, version } = staged;
  const release = await findRow(database, "release", { id: staged.releaseId });
  const content = await findRow(database, "content", { accountId, hash: contentHash });
  if (release === undefined || content === undefined) throw new Error(`The content of the page "${slug}" is missing.`);
  const publishedAt = before?.publishedAt ?? release.publishedAt ?? now;
  const page: Page = {
    id: staged.pageId,
    slug,
    title,
    status: "published",
    siteId: release.siteId,
    description,
    contentHash,
    bytes,
    version,
    createdAt: before?.createdAt ?? publishedAt,
    updatedAt: release.publishedAt ?? now,
    publishedAt,
  };
  const { id, slug: _, createdAt, ...set } = page;
  await putRow(database, "page", {
    key: { id },
    first: { accountId, slug, createdAt },
    set: { ...set, releaseVersion: version },
  });
  await recordMove(database, before, page);
  if (before !== undefined) await deleteRows(database, "pageHtml", { pageId: page.id });
  else await deleteRows(database, "deletedPage", { accountId, slug });
  const assetIds = [...content.assetIds, ...findAssetIds([description])];
  const user = { kind: "page", id: page.id, accountId } as const;
  if (before !== undefined || assetIds.length > 0) await recordAssetUses(database, user, assetIds);
  if (content.hasForms) await syncForms(context, page, Buffer.from(content.body).toString());
  else if (before !== undefined) await closeForms(context, slug);
  await recordPageWrite(context, before, page);
}
