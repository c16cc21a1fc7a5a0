import { sha256 } from "../../base/hash.ts";
import { attempt, type Outcome } from "../../base/outcome.ts";
import { encodingFor, type ReleaseContent } from "../../client/releases/bundle.ts";
import type { StagedPages } from "../../client/records/release-records.ts";
import type { ReleasePagesBody } from "../../contract/operations/releases.ts";
import { pageInput, summary, type Write } from "../apply/pages.ts";
import type { OnStep } from "../run.ts";
import { createBundles, formOf, type Bundles } from "./bundles.ts";
import type { Draft, DraftContext, DraftFile } from "./open-draft.ts";

export interface FillContext extends DraftContext {
  readonly onStep?: OnStep | undefined;
}

/** A page of a release. */
export interface DraftPage {
  readonly change: Write;
  /** SHA-256 of the HTML as it is sent. */
  readonly hash: string;
  readonly bytes: number;
}

/** What was sent for a release. */
export interface FilledDraft {
  readonly pages: readonly DraftPage[];
  /** Pages that could not be made, which the release leaves as they are. */
  readonly failed: readonly Outcome[];
  /** Pages that it leaves out, since other sites have their slugs. */
  readonly collisions: StagedPages["collisions"];
  /** Id and version of pages, by slug, as the service gave them. */
  readonly records: ReadonlyMap<string, { readonly id: string; readonly version: number }>;
}

const MEBIBYTE = 1024 * 1024;
const SLOW_MS = 150;
/** The two blocks that end a tar, in bytes. */
export const TAR_END = 1024;
const PAGES_A_LIST = 1000;

/** Sends the files and pages of a release, and the list of its pages beside them. */
export async function fillDraft(draft: Draft, writes: readonly Write[], context: FillContext): Promise<FilledDraft> {
  const { api, onStep } = context;
  const { id, assets } = draft.opened;
  const bundles = openBundles(draft, context);
  const missing = new Set(assets.filter((asset) => asset.missing).map(({ hash }) => hash));
  const pages: DraftPage[] = [];
  const failed: Outcome[] = [];
  const lists: Promise<StagedPages>[] = [];
  let unlisted: DraftPage[] = [];

  function list(): void {
    const body = { pages: unlisted.map(pageEntry), removes: [] };
    unlisted = [];
    const listing = api.releases.pages(id, body);
    // What fails is thrown when all is sent.
    listing.catch(() => {});
    lists.push(listing);
  }

  for (const file of draft.files) if (missing.delete(file.hash)) await sendFile(file, bundles);
  for (const [done, change] of writes.entries()) {
    if (done % 100 === 0) onStep?.({ kind: "release", count: { done, total: writes.length } });
    let made: MadePage | undefined;
    const outcome = await attempt({ resource: "page", ...summary(change) }, async () => {
      made = await makePage(change, draft, context);
      return {};
    });
    if (made === undefined) {
      failed.push(outcome);
      continue;
    }
    await bundles.add(made.content, "text");
    pages.push(made.page);
    unlisted.push(made.page);
    if (unlisted.length === PAGES_A_LIST) list();
  }
  if (unlisted.length > 0) list();
  const [staged] = await Promise.all([Promise.all(lists), bundles.finish()]);
  const records = new Map(staged.flatMap(({ pages: given = [] }) => given.map((page) => [page.slug, page] as const)));
  return { pages, failed, collisions: staged.flatMap(({ collisions }) => collisions), records };
}

/** Sends what a release still misses. */
export async function sendMissing(
  missing: ReadonlySet<string>,
  { draft, filled }: { readonly draft: Draft; readonly filled: FilledDraft },
  context: FillContext,
): Promise<void> {
  const bundles = openBundles(draft, context);
  for (const file of draft.files) if (missing.has(file.hash)) await sendFile(file, bundles);
  for (const { change, hash } of filled.pages) {
    if (missing.has(hash)) await bundles.add((await makePage(change, draft, context)).content, "text");
  }
  await bundles.finish();
}

// The line costs time where an answer takes long; more on the way at once makes up for that.
function openBundles({ opened, roundTripMs }: Draft, { api }: FillContext): Bundles {
  const [bundleBytes, inFlight] = roundTripMs < SLOW_MS ? [2 * MEBIBYTE, 4] : [4 * MEBIBYTE, 8];
  const encoding = encodingFor(api.baseUrl);
  return createBundles({
    bundleBytes: Math.min(bundleBytes, opened.maxBundleBytes) - TAR_END,
    inFlight,
    send: (contents, form) =>
      api.releases.content(opened.id, contents, { encoding: form === "text" ? encoding : "identity" }),
  });
}

async function sendFile({ hash, contentType, read }: DraftFile, bundles: Bundles): Promise<void> {
  await bundles.add({ hash, bytes: await read() }, formOf(contentType));
}

interface MadePage {
  readonly page: DraftPage;
  readonly content: ReleaseContent;
}

async function makePage(change: Write, { addresses }: Draft, context: FillContext): Promise<MadePage> {
  const { html } = await pageInput(change.desired, { ...context, addresses });
  const bytes = Buffer.from(html);
  const hash = sha256(bytes);
  return { page: { change, hash, bytes: bytes.length }, content: { hash, bytes } };
}

function pageEntry({ change, hash, bytes }: DraftPage): ReleasePagesBody["pages"][number] {
  const { slug, title, description } = change.desired;
  const version = change.kind === "update" ? change.known.record.version : undefined;
  return { slug, title, description, hash, bytes, version };
}
