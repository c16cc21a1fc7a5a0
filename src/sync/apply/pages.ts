import { ImprintError } from "../../base/error.ts";
import { sha256 } from "../../base/hash.ts";
import { mapPool } from "../../base/pool.ts";
import type { Page, PageInput } from "../../client/api.ts";
import { sealMarker } from "../../html/marker.ts";
import { fillPlaceholders } from "../../html/placeholders.ts";
import type { ApplyContext } from "../apply.ts";
import type { PageChange } from "../changes.ts";
import type { DesiredPage } from "../desired.ts";
import { seenAfter } from "../list-pages.ts";
import type { Addresses } from "./assets.ts";
import { attempt } from "./attempt.ts";

interface PagesContext extends ApplyContext {
  readonly addresses: Addresses;
  readonly siteId: string | undefined;
}

type Write = Extract<PageChange, { kind: "create" | "update" }>;

/** Publishes new pages, then changed ones, so that a link from a changed page never leads to one that is missing. */
export async function applyPages(changes: readonly PageChange[], context: PagesContext): Promise<void> {
  const { keeper } = context;
  const { seenAt, otherPages, gonePages } = context.seen;
  // What somebody publishes at their slugs later is not ours.
  for (const slug of gonePages) keeper.forgetPage(slug);
  keeper.rememberIds({ seenAt, otherPages: [...otherPages] });
  for (const change of changes) {
    if (change.kind === "keep") keep(change, context);
    if (change.kind === "blocked" || change.kind === "orphan") {
      context.onOutcome?.({ resource: "page", ...summary(change), status: "skipped" });
    }
  }
  const creations = changes.filter((change) => change.kind === "create");
  const updates = changes.filter((change) => change.kind === "update");
  const written: Page[] = [];
  const noting = { ...context, onWritten: (page: Page) => void written.push(page) };
  for (const group of [creations, updates]) {
    await mapPool<Write, void>(group, context.concurrency, (change) => write(change, noting));
  }
  keeper.rememberIds({ seenAt: seenAfter(written, keeper.ids.seenAt) });
}

function keep(change: Extract<PageChange, { kind: "keep" }>, context: PagesContext): void {
  const { slug, hash } = change.desired;
  const { sent, record } = change.known;
  if (sent !== undefined) context.keeper.rememberPage(slug, { hash, sent, version: record.version });
  const url = context.pageUrl(slug) ?? change.known.record.publicUrl;
  context.onOutcome?.({ resource: "page", ...summary(change), status: "done", url });
}

async function write(
  change: Write,
  context: PagesContext & { readonly onWritten: (page: Page) => void },
): Promise<void> {
  const { desired } = change;
  const outcome = await attempt({ resource: "page", ...summary(change) }, async () => {
    const input = await pageInput(desired, context);
    const state = { hash: desired.hash, sent: sha256(input.html) };
    await context.keeper.announcePage(desired.slug, state);
    const page = await send(change, { input, context });
    context.keeper.rememberPage(desired.slug, { ...state, version: page.version });
    context.onWritten(page);
    return { url: page.publicUrl ?? context.pageUrl(desired.slug) ?? page.url, bytes: Buffer.byteLength(input.html) };
  });
  context.onOutcome?.(outcome);
}

function send(change: Write, { input, context }: { readonly input: PageInput; readonly context: PagesContext }) {
  const { api } = context;
  if (change.kind === "update") return api.pages.update(input, { ifMatch: change.known.record.version });
  return api.pages.create(input, { idempotencyKey: `imprint-page-${sha256(JSON.stringify(input))}` });
}

async function pageInput(page: DesiredPage, { addresses, siteId }: PagesContext): Promise<PageInput> {
  const missing = page.assets.filter((hash) => !addresses.has(hash));
  if (missing.length > 0) {
    throw new ImprintError("ASSET_MISSING", `${page.file} uses ${missing.length} file(s) that could not be uploaded.`, {
      hint: "Correct the failures of these files, then run again.",
    });
  }
  const html = fillPlaceholders(await page.render(), (hash) => addresses.get(hash) ?? "");
  return { slug: page.slug, html: sealMarker(html), title: page.title, description: page.description, siteId };
}

function summary(change: PageChange) {
  const { kind, name, reason } = change;
  return {
    kind,
    name,
    reason,
    ...(change.kind === "blocked" && change.hint !== undefined ? { hint: change.hint } : {}),
  };
}
