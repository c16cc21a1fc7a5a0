import { attempt, type Outcome } from "../../base/outcome.ts";
import { encodingFor, type ReleaseContent } from "../../client/releases/bundle.ts";
import type { StagedPages } from "../../client/records/release-records.ts";
import { summary } from "../apply/seal-page.ts";
import type { OnStep } from "../run.ts";
import { TAR_END } from "../../client/releases/tar.ts";
import { createBundles, formOf, type Bundles } from "./bundles.ts";
import { makePage, pageEntry, type DraftPage, type Listed, type MadePage } from "./contents.ts";
import { openWith, type Draft, type DraftContext, type DraftFile } from "./open-draft.ts";

export interface FillContext extends DraftContext {
  readonly onStep?: OnStep | undefined;
}

/** What was sent for a release. */
export interface FilledDraft {
  readonly pages: readonly DraftPage[];
  /** Pages that could not be rendered, which the release leaves unchanged. */
  readonly failed: readonly Outcome[];
  /** Pages that it omits because other sites have their slugs. */
  readonly collisions: StagedPages["collisions"];
  /** ID and version of pages on the service, by slug. */
  readonly records: ReadonlyMap<string, { readonly id: string; readonly version: number }>;
}

const MEBIBYTE = 1024 * 1024;
const SLOW_MS = 150;
const PAGES_A_LIST = 1000;
const MOST_HELD_BYTES = 8 * MEBIBYTE;

/** Sends the files and pages of a release and, concurrently, the list of its pages. */
export async function fillDraft(draft: Draft, changes: readonly Listed[], context: FillContext): Promise<FilledDraft> {
  const { onStep, store } = context;
  const bundles = openBundles(draft, context);
  const missing = new Set(draft.opened.assets.filter((asset) => asset.missing).map(({ hash }) => hash));
  const pages: DraftPage[] = [];
  const failed: Outcome[] = [];
  const lists: Promise<StagedPages>[] = [];
  const isResumed = store.ids.filling === true;
  let unlisted: DraftPage[] = [];
  // Content that is only sent if the service reports it as missing.
  let held: ReleaseContent[] = [];
  let heldBytes = 0;
  store.rememberIds({ filling: true });

  async function list(): Promise<void> {
    const contents = held;
    const listing = sendList(unlisted, draft, context);
    [unlisted, held, heldBytes] = [[], [], 0];
    // An error is thrown after everything is sent.
    listing.catch(() => {});
    lists.push(listing);
    if (contents.length === 0) return;
    const asked = new Set((await listing).missing);
    for (const content of contents) if (asked.delete(content.hash)) await bundles.add(content, "text");
  }

  for (const file of draft.files) if (missing.delete(file.hash)) await sendFile(file, bundles);
  for (const [done, change] of changes.entries()) {
    if (done % 100 === 0) onStep?.({ kind: "release", count: { done, total: changes.length } });
    let made: MadePage | undefined;
    const outcome = await attempt({ resource: "page", ...summary(change) }, async () => {
      made = await makePage(change, draft, context);
      return {};
    });
    if (made === undefined) {
      failed.push(outcome);
      continue;
    }
    pages.push(made.page);
    unlisted.push(made.page);
    if (isResumed) {
      held.push(made.content);
      heldBytes += made.page.bytes;
    } else await bundles.add(made.content, "text");
    if (unlisted.length === PAGES_A_LIST || heldBytes > MOST_HELD_BYTES) await list();
  }
  if (unlisted.length > 0) await list();
  const [staged] = await Promise.all([Promise.all(lists), bundles.finish()]);
  const records = new Map(staged.flatMap(({ pages: given = [] }) => given.map((page) => [page.slug, page] as const)));
  return { pages, failed, collisions: staged.flatMap(({ collisions }) => collisions), records };
}

/** Finds out which content a release is still missing, and sends it. */
export async function sendMissing(
  { draft, filled }: { readonly draft: Draft; readonly filled: FilledDraft },
  context: FillContext,
): Promise<void> {
  const { assets } = await openWith(draft.files, context, draft.opened.id);
  const missing = new Set(assets.filter((asset) => asset.missing).map(({ hash }) => hash));
  for (let at = 0; at < filled.pages.length; at += PAGES_A_LIST) {
    const staged = await sendList(filled.pages.slice(at, at + PAGES_A_LIST), draft, context);
    for (const hash of staged.missing) missing.add(hash);
  }
  const bundles = openBundles(draft, context);
  for (const file of draft.files) if (missing.delete(file.hash)) await sendFile(file, bundles);
  for (const { change, hash } of filled.pages) {
    if (missing.delete(hash)) await bundles.add((await makePage(change, draft, context)).content, "text");
  }
  await bundles.finish();
}

function sendList(pages: readonly DraftPage[], { opened }: Draft, { api }: FillContext): Promise<StagedPages> {
  return api.releases.pages(opened.id, { pages: pages.map(pageEntry), removes: [] });
}

// With a high latency, more and larger concurrent uploads save time.
function openBundles({ opened, roundTripMs }: Draft, { api }: FillContext): Bundles {
  const [bundleBytes, inFlight] = roundTripMs < SLOW_MS ? [2 * MEBIBYTE, 4] : [4 * MEBIBYTE, 8];
  const encoding = encodingFor(api.baseUrl);
  return createBundles({
    bundleBytes: Math.min(bundleBytes, opened.maxBundleBytes) - TAR_END,
    inFlight,
    send: ({ contents, tar }, form) =>
      api.releases.content(opened.id, tar?.end() ?? contents, { encoding: form === "text" ? encoding : "identity" }),
  });
}

async function sendFile({ hash, contentType, read }: DraftFile, bundles: Bundles): Promise<void> {
  await bundles.add({ hash, bytes: await read() }, formOf(contentType));
}
