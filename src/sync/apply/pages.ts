import { createGate } from "../../base/gate.ts";
import { isSlugRefusal } from "../../client/learner.ts";
import { isHiddenStatus, isPassingStatus } from "../../contract/dialect.ts";
import { ImprintError } from "../../base/error.ts";
import { sha256 } from "../../base/hash.ts";
import { attempt } from "../../base/outcome.ts";
import { mapPool } from "../../base/pool.ts";
import type { ImprintApi, Page, PageInput } from "../../client/api.ts";
import { failureOf } from "../../client/transport/outcome.ts";
import { findMarker } from "../../html/marker.ts";
import { renderHtml } from "../../html/page-html.ts";
import { hasSameWords } from "../../html/words.ts";
import type { ApplyContext } from "../apply.ts";
import type { Addresses } from "./assets.ts";
import type { PageChange } from "../changes.ts";
import type { KnownPage } from "../known-pages.ts";
import { isSameHash } from "../lock.ts";
import type { State } from "../state.ts";
import { readVersion, seenAfter } from "../seen.ts";
import { findOnHold } from "./on-hold.ts";
import { describeEdit, hintSlug } from "../plan/pages.ts";
import { revertKeptElsewhere } from "./kept-elsewhere.ts";
import { isOutOfRoom } from "../../client/out-of-room.ts";
import { sealPage, summary } from "./seal-page.ts";
import { unlessEdited, type Changed } from "./unless-edited.ts";

export interface PagesContext extends ApplyContext {
  readonly addresses: Addresses;
  readonly siteId: string | undefined;
}

// While it is sent, a page is in memory several times. Pages with inlined fonts have megabytes.
const MAX_BYTES_AT_ONCE = 8 * 1024 * 1024;

const FEW_AT_ONCE = 16;

export type Write = Extract<PageChange, { kind: "create" | "update" }>;

/** Publishes new pages before changed ones, so that a link from a changed page never leads to a missing one. */
export async function applyPages(changes: readonly PageChange[], asked: PagesContext): Promise<void> {
  const missing = new Map<string, string>();
  const context: PagesContext = {
    ...asked,
    onOutcome(outcome) {
      const { kind, name, status, error, reason } = outcome;
      if (status !== "done" && (kind === "create" || kind === "blocked")) missing.set(name, error?.message ?? reason);
      asked.onOutcome?.(outcome);
    },
  };
  const { store } = context;
  const { seenAt, otherPages, gonePages } = context.seen;
  // Whatever is published under their slugs later isn't ours.
  for (const slug of gonePages) store.forgetPage(slug);
  store.rememberIds({ seenAt, otherPages: [...otherPages] });
  for (const change of changes) {
    if (change.kind === "keep") keep(change, context);
    if (change.kind === "blocked" || change.kind === "orphan") {
      if (change.kind === "blocked" && change.known !== undefined) rememberKnown(change.known, context);
      context.onOutcome?.({ resource: "page", ...summary(change), status: "skipped" });
    }
  }
  const creations = changes.filter((change) => change.kind === "create");
  const updates = changes.filter((change) => change.kind === "update");
  const written: Page[] = [];
  const sending = createGate(MAX_BYTES_AT_ONCE);
  const sendAll = async (group: readonly Write[]) =>
    await mapPool<Write, void>(group, context.concurrency, async (change) => {
      const sent = await sending.run(() => sendPage(change, context), change.desired.bytes);
      if (sent !== undefined) written.push(sent.record);
    });
  // Pages are sent concurrently. One goes first, so that a full account refuses only one before many follow.
  const ahead = creations.length > FEW_AT_ONCE ? 1 : 0;
  for (const group of [creations.slice(0, ahead), creations.slice(ahead)]) await sendAll(group);
  for (const slug of context.room?.leftOut() ?? []) missing.set(slug, "the account is full");
  const held = await findOnHold(updates, missing);
  for (const [change, onHold] of held) {
    rememberKnown(change.known, context);
    context.onOutcome?.({ resource: "page", ...summary(change), kind: "blocked", ...onHold, status: "skipped" });
  }
  await sendAll(updates.filter((change) => !held.has(change)));
  store.rememberIds({ seenAt: seenAfter(written, context) });
}

function keep(change: Extract<PageChange, { kind: "keep" }>, context: PagesContext): void {
  const { slug, hash, title } = change.desired;
  rememberKnown({ ...change.known, hash, hiddenAs: undefined }, context, title);
  const url = context.pageUrl(slug) ?? change.known.record.publicUrl;
  context.onOutcome?.({ resource: "page", ...summary(change), status: "done", url });
}

function rememberKnown(known: KnownPage, { store, state }: ApplyContext, sentTitle?: string): void {
  const { slug, hash, sent, shown, words, hiddenAs, record } = known;
  if (sent === undefined || hash === undefined) return;
  const { version, etag, id } = record;
  const before = state.pages[slug];
  const isLate = record.title !== undefined && record.title === before?.formerTitle;
  const titles = isLate ? { title: before.title, formerTitle: before.formerTitle } : { title: record.title };
  const updatedAt = record.updatedAt?.toISOString();
  store.rememberPage(slug, { hash, sent, shown, words, hiddenAs, version, etag, id, ...titles, sentTitle, updatedAt });
}

interface SentPage {
  readonly record: Page;
  /** The HTML as sent. */
  readonly html: string;
}

/** Sends one page and reports it; returns `undefined` if it could not be published. */
export async function sendPage(change: Write, context: PagesContext): Promise<SentPage | undefined> {
  const { desired } = change;
  const { room } = context;
  if (change.kind === "create" && room?.isFull() === true) {
    room.leaveOut(desired.slug);
    return undefined;
  }
  let sent: SentPage | undefined;
  const outcome = await attempt({ resource: "page", ...summary(change) }, async () => {
    const html = renderHtml(await sealPage(desired, context));
    const { slug, title, description } = desired;
    const input = { slug, html, title, description, siteId: siteOf(change, context) };
    const state = { hash: desired.hash, sent: sha256(html), sentTitle: title };
    if (change.kind === "update" && isAsSent(change.known, state)) {
      rememberKnown(change.known, context, title);
      return { kind: "keep", reason: "nothing changed" };
    }
    const changed = await send(change, { input, state, context }).catch(async (error: unknown) => {
      if (!(error instanceof ImprintError)) throw error;
      if (isSlugRefusal(error)) throw withHint(error, hintSlug(desired.route));
      if (error.code === "SERVICE_UNREACHABLE" && (await isReachable(slug, context.api))) throw cutShort(error, html);
      throw error;
    });
    if (changed.kind === "edited") {
      context.store.withdrawPage(slug);
      // Later runs send the tag of the version before the edit.
      if (change.kind === "update") rememberKnown(change.known, context, context.state.pages[slug]?.sentTitle);
      return { kind: "blocked", ...describeEdit(changed), status: "skipped" };
    }
    const record = changed.result;
    const { id = change.kind === "update" ? change.known.record.id : undefined } = record;
    const { version, etag, contentHash, title: answered } = record;
    const shown = contentHash === undefined || contentHash === state.sent ? undefined : contentHash;
    const hiddenAs = isHiddenStatus(record.status) ? record.status : undefined;
    const listed = change.kind === "update" ? change.known.record.title : undefined;
    const formerTitle = context.state.pages[slug]?.sentTitle === title ? undefined : listed;
    const titles = { title: answered, formerTitle: formerTitle === answered ? undefined : formerTitle };
    context.store.rememberPage(desired.slug, { ...state, id, version, etag, shown, hiddenAs, ...titles });
    sent = { record, html };
    if (record.slug !== slug) {
      throw withHint(await revertKeptElsewhere(record, change, context), hintSlug(desired.route));
    }
    if (hiddenAs !== undefined && !isPassingStatus(hiddenAs)) throw notShown(slug, hiddenAs);
    const url = record.publicUrl ?? context.pageUrl(desired.slug);
    return { url, bytes: Buffer.byteLength(html) };
  });
  const { error } = outcome;
  if (change.kind === "create" && error !== undefined && isOutOfRoom(error)) {
    context.store.withdrawPage(desired.slug);
    room?.leaveOut(desired.slug, error);
  } else {
    context.onOutcome?.(outcome);
  }
  return sent;
}

/** The site that a page is sent with: a person may have moved a page of ours to another one, where it stays. */
function siteOf(change: Write, { siteId, state }: PagesContext): string | undefined {
  if (change.kind === "create" || change.known.origin !== "ours") return siteId;
  const { siteId: present = siteId } = change.known.record;
  // A site that is gone was replaced by this run.
  return present === state.siteId ? siteId : present;
}

// A file that was refused again has no new address.
function isAsSent(known: KnownPage, state: Pick<State["pages"][string], "hash" | "sent">): boolean {
  const { origin, edited, isDiscarded, hash, sent, record } = known;
  const isLive = origin === "ours" && !edited && isDiscarded !== true && !isHiddenStatus(record.status);
  return isLive && isSameHash(hash, state.hash) && sent === state.sent;
}

function withHint(error: ImprintError, hint: string): ImprintError {
  return new ImprintError(error.code, error.message, { cause: error, hint });
}

async function isReachable(slug: string, api: ImprintApi): Promise<boolean> {
  try {
    await readVersion(slug, api);
    return true;
  } catch (error) {
    return failureOf(error)?.status !== undefined;
  }
}

// No proxy rejects a page of this size as too large.
const SMALL_BYTES = 16 * 1024;

// Some proxies close the connection instead of refusing a large body. Then only this page can't be sent.
function cutShort(error: ImprintError, html: string): ImprintError {
  const bytes = Buffer.byteLength(html);
  if (bytes < SMALL_BYTES) {
    const message = `${error.message} The service responds to other requests.`;
    return new ImprintError("SERVICE_FAILED", message, { cause: error });
  }
  const size = Math.ceil(bytes / 1024);
  const message = `${error.message} The service responds to other requests, so the page may be too large for it (${size} kB).`;
  const hint =
    "If this persists, split the page, or set `maxHtmlBytes`, so that imprint makes pages smaller where it can.";
  return new ImprintError("SERVICE_FAILED", message, { cause: error, hint });
}

export function notShown(slug: string, status: string): ImprintError {
  const message = `The service has the page ${slug} as "${status}", so readers don't see it.`;
  return new ImprintError("NOT_LIVE", message, { hint: "Publish it in the service's dashboard." });
}

interface Sending {
  readonly input: PageInput;
  readonly state: Pick<State["pages"][string], "hash" | "sent" | "sentTitle">;
  readonly context: PagesContext;
}

async function send(
  change: Write,
  { input, state, context }: Sending,
): Promise<Exclude<Changed<Page>, { kind: "gone" }>> {
  const { api, store, newKey } = context;
  const { slug } = input;
  if (change.kind === "update") {
    await store.announcePage(slug, state);
    const changed = await unlessEdited(change.known, context, (options) => api.pages.update(input, options));
    if (changed.kind !== "gone") return changed;
  }
  // The key is for this attempt only; only a resumed run with the same content reuses it.
  const begun = context.state.sending[slug];
  const key = (begun?.sent === state.sent ? begun.key : undefined) ?? newKey();
  await store.announcePage(slug, { ...state, key });
  const page = await api.pages.create(input, { idempotencyKey: key });
  if (page.mayBeOther && (await isOther(input, context))) {
    store.withdrawPage(slug);
    throw notStored(slug, page.title);
  }
  const isMade = page.replayed !== true || (await api.pages.readHtml(slug)) !== undefined;
  return { kind: "changed", result: isMade ? page : await api.pages.create(input, { idempotencyKey: newKey() }) };
}

/** Whether the service has a page of the slug that isn't the one that was just sent. */
async function isOther({ slug, html }: PageInput, { api, project }: PagesContext): Promise<boolean> {
  const there = await api.pages.readHtml(slug);
  return there !== undefined && findMarker(there)?.project !== project && !hasSameWords(html, there);
}

function notStored(slug: string, title = slug): ImprintError {
  const message = `The service returned its existing page "${title}" at the slug "${slug}", which imprint did not publish, instead of storing this one.`;
  const hint =
    "Give your page another slug with the `slugs` option, or take that page over with `--adopt` once the service lists it.";
  return new ImprintError("SERVICE_REFUSED", message, { hint });
}
