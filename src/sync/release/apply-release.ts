import { ImprintError } from "../../base/error.ts";
import { isAreaRefusal, type Outcome } from "../../base/outcome.ts";
import type { ImprintApi, Page } from "../../client/api.ts";
import type { Release } from "../../client/records/release-records.ts";
import { failureOf, outcomeOf } from "../../client/transport/outcome.ts";
import type { Proven } from "../apply.ts";
import { applyAssets, summary as assetSummary, type Addresses } from "../apply/assets.ts";
import { findOnHold, hasUnpublished, MAY_BE_REPLACED } from "../apply/on-hold.ts";
import { AFTER_FAILURE, applyDeletes } from "../apply/deletes.ts";
import { applyPages, sendPage, type Write } from "../apply/pages.ts";
import { summary } from "../apply/seal-page.ts";
import type { AssetChange, PageChange, Plan } from "../changes.ts";
import { seenAfter } from "../seen.ts";
import {
  announcePages,
  findRemoved,
  isDelete,
  isWrite,
  manifestOf,
  removal,
  type Deletion,
  type DraftPage,
  type Listed,
} from "./contents.ts";
import { fillDraft, sendMissing, type FillContext, type FilledDraft } from "./fill-draft.ts";
import { openDraft, type Draft } from "./open-draft.ts";
import { publishSmall, type PublishedContents } from "./publish-small.ts";

export type ReleaseContext = FillContext;

/**
 * The result of publishing a plan as a release. `outdated`: somebody published in the meantime, so it has to be planned
 * again. `unserved`: pages could not load its files, and were planned without them. `refused`: the service or a proxy
 * doesn't accept the release; the pages can be published one by one.
 */
export type Released =
  | { readonly kind: "published"; readonly addresses: Addresses; readonly release: Release }
  | { readonly kind: "outdated" }
  | { readonly kind: "unserved"; readonly proven: Proven }
  | { readonly kind: "refused"; readonly error: ImprintError };

/** Whether a plan changes a page, so that it needs a release. */
export function needsRelease({ pages }: Plan): boolean {
  return pages.some(({ kind }) => kind === "create" || kind === "update" || kind === "delete");
}

/**
 * Publishes the pages of a plan with their files as one release: readers see either the old site or the new one. Until
 * it is published, nothing is reported, and only the pages in progress are recorded.
 */
export async function applyRelease(plan: Plan, context: ReleaseContext): Promise<Released> {
  const { api } = context;
  const full = findLimit(plan, api);
  if (full !== undefined) return { kind: "refused", error: full };
  let noted: Noted;
  try {
    const published = (await publishSmall(plan, context)) ?? (await publishInSteps(plan, context));
    if ("kind" in published) return published;
    noted = { plan, ...published };
  } catch (error) {
    const isOutdated = /^release_(?:outdated|not_found)$/.test(failureOf(error)?.problemCode ?? "");
    const after = isOutdated ? OUTDATED : isRefused(error) ? ({ kind: "refused", error } as const) : undefined;
    if (after === undefined) throw error;
    for (const { name } of plan.pages.filter(isWrite)) context.store.withdrawPage(name);
    return after;
  }
  await recordRelease(noted, context);
  return { kind: "published", addresses: noted.draft.addresses, release: noted.release };
}

async function publishInSteps(
  plan: Plan,
  context: ReleaseContext,
): Promise<Omit<Noted, "plan"> | Extract<Released, { kind: "unserved" }>> {
  const draft = await openDraft(plan.assets, context);
  // The first release of a site lists all of its pages, so that it can be restored.
  const isListed = context.parent === null ? isWanted : isWrite;
  const filled = await fillDraft(draft, plan.pages.filter<Listed>(isListed), context);
  const proven = context.api.dialect.html === undefined ? await context.probeFiles?.(draft.addresses) : undefined;
  if (proven !== undefined) return { kind: "unserved", proven };
  const waiting = await findWaiting(plan, filled);
  if (waiting !== undefined) throw waiting;
  const removes = findRemoved(plan, draft, filled);
  const release = await publishDraft({ plan, draft, filled, removes }, context);
  return { draft, filled, removes, release };
}

/** Returns why the account can't accept a release, which the service would report only after everything is sent. */
function findLimit({ pages }: Plan, { capabilities: { account, limits } }: ImprintApi): ImprintError | undefined {
  const { maxPages = Number.POSITIVE_INFINITY } = limits;
  if (account === undefined) return undefined;
  const count = account.usage.pages + pages.filter(({ kind }) => kind === "create").length;
  if (count <= maxPages) return undefined;
  return new ImprintError("AREA_REFUSED", `The account can have at most ${maxPages} pages, but would have ${count}.`);
}

/** Whether pages can still be published one by one, perhaps except those whose files disappeared in the meantime. */
function isRefused(error: unknown): error is ImprintError {
  const isOurs = error instanceof ImprintError && (error.code === "ASSET_MISSING" || error.code === "NOT_LIVE");
  return isAreaRefusal(error) || isOurs;
}

/** Returns why a renamed page can't be in the release; it is then sent before pages that link to it. */
async function findWaiting({ pages }: Plan, { failed, collisions }: FilledDraft): Promise<ImprintError | undefined> {
  const missing = new Map([
    ...failed.map(({ name, error, reason }) => [name, error?.message ?? reason] as const),
    ...collisions.map(({ slug, siteId }) => [slug, `${nameHolder(siteId)} has a page with this slug`] as const),
  ]);
  const [held] = (await findOnHold(pages.filter(isUpdate), missing)).values();
  return held && new ImprintError("NOT_LIVE", `A page can't be published with the others: ${held.reason}.`);
}

function isUpdate(change: PageChange): change is Extract<PageChange, { kind: "update" }> {
  return change.kind === "update";
}

const OUTDATED = { kind: "outdated" } as const;

function isWanted(change: PageChange): change is Listed {
  return isWrite(change) || change.kind === "keep";
}

interface Filled {
  readonly plan: Plan;
  readonly draft: Draft;
  readonly filled: FilledDraft;
  readonly removes: readonly Deletion[];
}

const ROUNDS = 3;

async function publishDraft({ plan, draft, filled, removes }: Filled, context: ReleaseContext): Promise<Release> {
  const { api, parent } = context;
  const { id } = draft.opened;
  if (removes.length > 0) await api.releases.pages(id, { pages: [], removes: removes.map(removal) });
  await announcePages(filled.pages, context);
  const manifest = manifestOf(plan, filled.pages);
  for (let round = 1; ; round++) {
    try {
      return await api.releases.publish(id, { manifest, parent });
    } catch (error) {
      const published = await findPublished(id, error, context);
      if (published !== undefined) return published;
      const isLast = round === ROUNDS;
      if (failureOf(error)?.problemCode === "release_incomplete" && !isLast) {
        await sendMissing({ draft, filled }, context);
      } else if (isLast || !mayBeUnheard(error)) throw error;
    }
  }
}

// After a lost response, the release itself shows whether it was published. Publishing it again is harmless.
async function findPublished(id: string, error: unknown, { api }: ReleaseContext): Promise<Release | undefined> {
  if (outcomeOf(error) !== "ambiguous") return undefined;
  const release = await api.releases.get(id);
  return release?.state === "published" ? release : undefined;
}

function mayBeUnheard(error: unknown): boolean {
  const failure = failureOf(error);
  return outcomeOf(error) === "ambiguous" && (failure?.status === undefined || failure.status >= 500);
}

interface Noted extends PublishedContents {
  readonly plan: Plan;
}

/** Reports and records what a release published. */
async function recordRelease({ plan, draft, filled, removes, release }: Noted, context: ReleaseContext): Promise<void> {
  const { store, seen, onOutcome } = context;
  store.rememberIds({ release: release.id, filling: undefined });
  await recordFiles(plan.assets, draft, context);
  for (const outcome of draft.outcomes) onOutcome?.(outcome);
  const pagesContext = { ...context, addresses: draft.addresses };
  await applyPages(
    plan.pages.filter((change) => !isWrite(change)),
    pagesContext,
  );
  const [kept, taken] = [new Set(release.kept), new Map(filled.collisions.map(({ slug, siteId }) => [slug, siteId]))];
  const written: Page[] = [];
  for (const page of filled.pages) {
    const { change } = page;
    if (!isWrite(change)) continue;
    const isLeft = kept.has(change.name) || taken.has(change.name);
    if (isLeft) await sendAlone(change, { ...pagesContext, holder: taken.get(change.name) });
    else written.push(recordPage({ ...page, change }, { release, filled }, context));
  }
  for (const outcome of filled.failed) onOutcome?.(outcome);
  store.rememberIds({ seenAt: seenAfter(written, context) });
  for (const { name, reason } of removes.filter((change) => !kept.has(change.name))) {
    store.forgetDeleted(name);
    onOutcome?.({ resource: "page", kind: "delete", name, reason, status: "done" });
  }
  const left = plan.pages.filter(isDelete).filter((change) => !removes.includes(change) || kept.has(change.name));
  const because = hasUnpublished(plan.pages) ? MAY_BE_REPLACED : removes.length === 0 ? AFTER_FAILURE : undefined;
  await applyDeletes(left, { ...context, because });
  const added = countAdded(draft);
  if (added > 0) context.records.added(added, seen.library);
}

function countAdded({ opened }: Noted["draft"]): number {
  return new Set(opened.assets.filter(({ missing }) => missing).map(({ id }) => id)).size;
}

async function recordFiles(
  assets: readonly AssetChange[],
  { files, opened }: Noted["draft"],
  context: ReleaseContext,
): Promise<void> {
  // Forgets deleted files before their replacements are recorded.
  await applyAssets(
    assets.filter(({ kind }) => kind === "keep" || kind === "blocked"),
    context,
  );
  const stored = new Map(opened.assets.map((asset) => [asset.hash, asset]));
  for (const { change, hash, bytes, bytesBefore } of files) {
    const asset = stored.get(hash);
    if (asset === undefined) continue;
    const { id, url } = asset;
    context.store.rememberAsset(change.asset.hash, { id, url }, context.clock.now());
    context.onOutcome?.({ resource: "asset", ...assetSummary(change), status: "done", url, bytes, bytesBefore });
  }
}

function recordPage(
  { change, hash, bytes }: DraftPage & { readonly change: Write },
  { release: { publishedAt }, filled }: Pick<Noted, "release" | "filled">,
  context: ReleaseContext,
): Page {
  const { slug, title, hash: made } = change.desired;
  const before = change.kind === "update" ? change.known.record.id : undefined;
  const { id = before, version } = filled.records.get(slug) ?? {};
  context.store.rememberPage(slug, { hash: made, sent: hash, id, version, title });
  const url = context.pageUrl(slug);
  context.onOutcome?.({ resource: "page", ...summary(change), status: "done", url, bytes });
  // All pages of a release have its time, so the next run asks for later changes.
  return { slug, updatedAt: publishedAt === null ? undefined : new Date(publishedAt.getTime() + 1) };
}

interface AloneContext extends ReleaseContext {
  readonly addresses: Addresses;
  /** The site whose page is there; `null` for a page without a site. Absent if the page belongs to this site. */
  readonly holder: string | null | undefined;
}

// Sends a page that the release skipped because it belongs to another site or was edited by hand. It may be replaced in
// the version that the plan is based on; any other version is newer.
async function sendAlone(change: Write, context: AloneContext): Promise<void> {
  const { store, holder, onOutcome } = context;
  store.withdrawPage(change.name);
  if (change.kind === "update" && change.known.record.version !== undefined) {
    await sendPage(change, context);
    return;
  }
  const error =
    holder === undefined
      ? new ImprintError(
          "VERSION_MISMATCH",
          `${change.name} was changed on the service during the run, so imprint kept that version.`,
        )
      : new ImprintError("SLUG_HELD", `${change.name}: ${nameHolder(holder)} has a page with this slug.`);
  onOutcome?.(failed(change, error));
}

function nameHolder(siteId: string | null): string {
  return siteId === null ? "somebody else" : `the site ${siteId}`;
}

function failed(change: PageChange, error: ImprintError): Outcome {
  return { resource: "page", ...summary(change), status: "failed", error };
}
