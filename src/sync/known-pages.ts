import { createGate } from "../base/gate.ts";
import { sha256 } from "../base/hash.ts";
import { ownText } from "../base/own-text.ts";
import { mapPool } from "../base/pool.ts";
import type { Asset, ImprintApi, Page } from "../client/api.ts";
import { findExpiry } from "../client/file-address.ts";
import type { TextStore } from "../disk/text-store.ts";
import { hashOfWords } from "../html/words.ts";
import { findMarker, sealMarker, type Marker } from "../html/marker.ts";
import { decodeReferences } from "../base/decode-references.ts";
import { hashHtml } from "../html/page-html.ts";
import { fillHtml } from "../html/fill-placeholders.ts";
import { pagesBySlug, type Desired, type DesiredPage } from "./desired.ts";
import type { FileAddresses } from "./file-addresses.ts";
import { isSameHash, type LockedTarget } from "./lock.ts";
import { isHiddenStatus } from "../contract/dialect.ts";
import { findPreviewName } from "../contract/slug.ts";
import {
  hasMoved,
  hiddenWhenSent,
  describeForgotten,
  isCertain,
  mayBeAsSent,
  memoriesOf,
  recall,
  wasDeleted,
  type Forgotten,
  type PageMemory,
  type Recalled,
} from "./page-memory.ts";
import { findUnknown, markCopies } from "./copied-pages.ts";
import type { Owner } from "./project.ts";
import type { State } from "./state.ts";
import { findElsewhere, checkUnchanged, type Elsewhere } from "./other-checkouts.ts";
import { markRetitled } from "./retitled.ts";
import { readHtml, readVersion } from "./seen.ts";

/** A page on the service, and who published it. */
export interface KnownPage extends Forgotten {
  readonly slug: string;
  /**
   * `ours`: this project published it. `other`: another project did. `foreign`: imprint didn't. `unknown`: the service
   * doesn't show the page's content.
   */
  readonly origin: "ours" | "other" | "foreign" | "unknown";
  /** ID of the project that published it, if it is another one. */
  readonly project?: string | undefined;
  /** Hash of the HTML with placeholders that the page was built from. */
  readonly hash: string | undefined;
  /** Whether somebody changed the page on the service after we published it. */
  readonly edited: boolean;
  /**
   * Set if the service doesn't show imprint's marker: then, an edit may also be another run's publish of a version that
   * this one doesn't know.
   */
  readonly isUnsigned?: true;
  /** The title that somebody gave the page on the service. */
  readonly retitled?: string;
  /** Set if another checkout published it after this one did. */
  readonly elsewhere?: Elsewhere;
  /** Set if somebody may have made it from a page of ours: where that page was published, if its marker shows that. */
  readonly mayBeCopy?: { readonly of?: string | undefined };
  /** The slug that somebody gave the page on the service. */
  readonly movedTo?: string | undefined;
  /** Whether the page contains the current addresses of its assets. */
  readonly addressesCurrent: boolean;
  /** The status that the service gave it when it was sent, if readers don't see it. */
  readonly hiddenAs?: string | undefined;
  /** SHA-256 of the HTML as sent, if known. */
  readonly sent?: string;
  /** Hash of the HTML as the service returns it, if that differs. */
  readonly shown?: string;
  /** Hash of the words that readers were shown. */
  readonly words?: string | undefined;
  /** Set if the service may take its slug for that of `record`, but neither its pages nor its responses show that. */
  readonly isUnproven?: true;
  readonly record: Page;
}

export interface SeeContext {
  readonly api: ImprintApi;
  readonly state: State;
  /** The target's entry in the lock file; `undefined` for previews and unknown targets. */
  readonly locked: LockedTarget | undefined;
  /** Stores the HTML of pages that are read. */
  readonly texts: TextStore;
  readonly listed: readonly Page[];
  /** Whether pages that the site no longer has are deleted. */
  readonly prunes: boolean;
}

const READS_AT_ONCE = 16;
// While it is read, a page is in memory several times. Pages with inlined fonts have megabytes.
const MAX_BYTES_AT_ONCE = 8 * 1024 * 1024;

/** Returns the content of listed pages: from memory, or by reading those that the site has. */
export async function seePages(
  desired: Pick<Desired, "pages" | "preview">,
  context: SeeContext,
): Promise<readonly SeenPage[]> {
  const wanted = pagesBySlug(desired.pages);
  const { preview } = desired;
  const reading = createGate(MAX_BYTES_AT_ONCE);
  const read = (record: Page, memories: readonly PageMemory[]) =>
    reading.run(() => readPage(record, { ...context, memories }), wanted.get(record.slug)?.bytes);
  const recalling = { ...context, preview, isUnknown: findUnknown(context) };
  const recalled = context.listed.map((record) => recallPage(record, { ...recalling, page: wanted.get(record.slug) }));
  const unread = recalled.filter((page) => page.kind === "unread");
  const known = recalled.filter((page) => page.kind !== "unread");
  const [found, looked] = await Promise.all([
    mapPool(unread, READS_AT_ONCE, async ({ record, memories, mayBeUnfinished }): Promise<SeenPage> => {
      const page = await read(record, memories);
      const isSent = mayBeUnfinished && (await mayBeAsSent(page, wanted.get(record.slug)));
      return isSent ? { kind: "unfinished", record } : page;
    }),
    checkUnchanged(known, { api: context.api, read: ({ record, memory }) => read(record, [memory]) }),
  ]);
  const bySlug = new Map([...found, ...looked].map((page) => [page.record.slug, page]));
  return context.listed.flatMap(({ slug }) => bySlug.get(slug) ?? []);
}

export interface ClassifyContext extends Omit<SeeContext, "listed" | "prunes"> {
  readonly owner: Owner;
  readonly wanted: ReadonlyMap<string, DesiredPage>;
  /** Slugs in the lock file: pages of version 0.1 name no project, but their slugs are known to be ours. */
  readonly ownSlugs: ReadonlySet<string>;
  readonly assets: ReadonlyMap<string, Asset>;
  readonly fileAddresses: FileAddresses;
  /** Hashes of files that are inlined in pages because the library doesn't accept or serve them. */
  readonly inline: ReadonlySet<string>;
  /** Slugs of pages that only the host changed, if this run discovered that it changes pages. */
  readonly changedByHost: ReadonlySet<string> | undefined;
  /** Pages whose slug somebody changed on the service. */
  readonly moved: readonly KnownPage[];
}

/** Determines the origin and content of each page, by slug. */
export async function classifyPages(
  seen: readonly SeenPage[],
  context: ClassifyContext,
): Promise<ReadonlyMap<string, KnownPage>> {
  // To recover a lost memory, pages that the site no longer has are read too.
  const readAnyway = async (page: SeenPage) =>
    page.kind === "unasked" ? await readPage(page.record, { ...context, memories: [] }) : page;
  const all = context.owner.isRecovered ? await mapPool(seen, READS_AT_ONCE, readAnyway) : seen;
  const classified = await mapPool(all, READS_AT_ONCE, (page) => classifyPage(page, context));
  const pages = markRetitled(markCopies(classified, { seen: all, wanted: context.wanted }), context);
  return new Map([...pages, ...context.moved].map((page) => [page.slug, page]));
}

/** A listed page and what is known about its content. */
export type SeenPage = { readonly record: Page } & (
  | { readonly kind: "remembered"; readonly memory: PageMemory }
  /** The service returns its HTML. */
  | (ReadPage & Recalled & { readonly kind: "read" })
  /** The service doesn't return its HTML. */
  | (Recalled & { readonly kind: "hidden" })
  /** An interrupted run was sending it, and nothing shows whether it arrived. */
  | { readonly kind: "unfinished" }
  /** Its content isn't needed. */
  | { readonly kind: "unasked" }
);

/** Findings from a page's HTML. */
interface ReadPage {
  readonly marker: Marker | undefined;
  /** As readers see it. */
  readonly title: string | undefined;
  /** SHA-256 of the HTML. */
  readonly sent: string;
  readonly readHtml: () => Promise<string>;
}

interface PageContext extends Omit<SeeContext, "listed"> {
  readonly page: DesiredPage | undefined;
  readonly preview: string | undefined;
  readonly isUnknown: (record: Page) => boolean;
}

/** A listed page whose HTML must be read. */
interface UnreadPage {
  readonly kind: "unread";
  readonly record: Page;
  readonly memories: readonly PageMemory[];
  /** Whether an interrupted run was sending it. */
  readonly mayBeUnfinished: boolean;
}

function recallPage(record: Page, context: PageContext): SeenPage | UnreadPage {
  const { page, preview, state, prunes } = context;
  const sending = state.sending[record.slug];
  // An interrupted run may have sent a page without receiving the response. If the service reports a hash, that
  // decides; otherwise the page is read, or sent again.
  if (sending !== undefined && isSameHash(record.contentHash, sending.sent)) {
    return { kind: "remembered", record, memory: sending };
  }
  const memories = memoriesOf(record, context);
  const isSettled = sending === undefined || record.contentHash !== undefined;
  if (isSettled && memories.length > 0) {
    const certain = memories.find((each) => isCertain(record, { memory: each, memories, page, prunes }));
    if (certain !== undefined) return { kind: "remembered", record, memory: certain };
    return { kind: "unread", record, memories, mayBeUnfinished: false };
  }
  // Previews are published from machines without state, so their pages are recognized by slugs and markers.
  const isLeftOver = preview !== undefined && findPreviewName(record.slug) === preview;
  const isBack = wasDeleted(record, context) && !isHiddenStatus(record.status);
  if (page === undefined && !isLeftOver && !isBack && !context.isUnknown(record))
    return { kind: isSettled ? "unasked" : "unfinished", record };
  return { kind: "unread", record, memories, mayBeUnfinished: sending !== undefined };
}

interface ReadContext extends Pick<SeeContext, "api" | "texts"> {
  readonly memories: readonly PageMemory[];
}

async function readPage(listed: Page, { api, texts, memories }: ReadContext): Promise<SeenPage> {
  const { html, etag, updatedAt = listed.updatedAt } = (await readVersion(listed.slug, api)) ?? {};
  const sent = html === undefined ? undefined : sha256(html);
  // The list may lag behind the page.
  const record = updatedAt === undefined ? { ...listed, etag } : { ...listed, etag, updatedAt };
  const seen = { record, ...recall(memories, { listed: record, sent }) };
  if (html === undefined || sent === undefined) return { kind: "hidden", ...seen };
  const title = /<title[^>]*>([^<]*)/i.exec(html)?.[1];
  return {
    ...seen,
    kind: "read",
    marker: findMarker(html),
    title: title === undefined ? undefined : ownText(decodeReferences(title).replace(/\s+/g, " ").trim()),
    sent,
    readHtml: await texts.keep(html),
  };
}

async function classifyPage(seen: SeenPage, context: ClassifyContext): Promise<KnownPage> {
  const { record } = seen;
  switch (seen.kind) {
    case "remembered":
      return await rememberedPage(record, { ...context, memory: seen.memory, edited: false });
    case "read":
      return await classifyRead(seen, context);
    case "hidden":
      if (seen.memory === undefined) return { ...foreignPage(record), origin: "unknown" };
      return withoutDoubt(seen, await rememberedHidden(record, { ...context, memory: seen.memory }));
    case "unfinished":
      return { ...foreignPage(record), origin: "ours", hiddenAs: hiddenWhenSent(record, undefined, context) };
    case "unasked":
      return foreignPage(record);
  }
}

async function classifyRead(seen: Extract<SeenPage, { kind: "read" }>, context: ClassifyContext): Promise<KnownPage> {
  const { record, marker, memory, sent } = seen;
  const { owner, ownSlugs, state } = context;
  if (marker === undefined) {
    // Its ID, or at least its slug, is ours: a service that rewrites HTML may have removed the marker.
    const isChanged = state.dialect?.html === "changed";
    const isOurs = memory !== undefined && (memory.id !== undefined || isChanged);
    if (!isOurs) return foreignPage(record);
    const edited = !isChanged || (await wasEdited(seen, context));
    const page = await rememberedPage(record, { ...context, memory, edited });
    return withoutDoubt(seen, isChanged ? { ...page, isUnsigned: true } : page);
  }
  const isOwn =
    marker.project === undefined
      ? memory !== undefined || owner.ownsUnnamed || ownSlugs.has(record.slug)
      : marker.project === owner.project;
  if (!isOwn) return { ...foreignPage(record), origin: "other", project: marker.project };
  const edited = !marker.intact && (!isChangedByHost(record, context) || (await wasEdited(seen, context)));
  return {
    slug: record.slug,
    origin: "ours",
    hash: marker.hash,
    edited,
    addressesCurrent: await holdsAddresses(seen, context),
    hiddenAs: hiddenWhenSent(record, memory, context),
    words: memory?.words,
    sent,
    ...(marker.intact || edited ? {} : { shown: sent }),
    ...(edited ? {} : { elsewhere: findElsewhere({ record, marker }, context) }),
    ...(memory === undefined && describeForgotten(record, context)),
    record: { ...record, title: record.title ?? memory?.title, etag: record.etag ?? memory?.etag },
  };
}

// A page of unknown version is sent again.
function withoutDoubt({ isAmbiguous = false }: Recalled, page: KnownPage): KnownPage {
  return isAmbiguous ? { ...page, hash: undefined } : page;
}

/** Whether a page differs from when it was sent, on a host that changes pages. */
async function wasEdited(
  { record, marker, memory, sent, readHtml: read }: Extract<SeenPage, { kind: "read" }>,
  { api }: ClassifyContext,
): Promise<boolean> {
  // The lock file may be older than the page, whose marker then has the hash of its source.
  if (memory === undefined || (marker !== undefined && !isSameHash(marker.hash, memory.hash))) return false;
  if (record.contentHash !== undefined || memory.shown === undefined) return hasMoved(record, memory);
  if (isSameHash(sent, memory.shown)) return false;
  const again = await readHtml(record.slug, api);
  if (again === undefined || sha256(again) === sent || hasMoved(record, memory)) return true;
  // Of a page that differs on each read, the words may still be the same, unless it has a visit counter.
  const words = hashOfWords(again);
  return memory.words !== undefined && words === hashOfWords(await read()) && !isSameHash(words, memory.words);
}

function isChangedByHost({ slug }: Page, { state, changedByHost }: ClassifyContext): boolean {
  return state.dialect?.html === "changed" && (changedByHost?.has(slug) ?? true);
}

async function holdsAddresses(
  { record, readHtml: read }: Extract<SeenPage, { kind: "read" }>,
  { wanted, assets, inline, fileAddresses }: ClassifyContext,
): Promise<boolean> {
  const stored = (wanted.get(record.slug)?.assets ?? []).filter((hash) => !inline.has(hash));
  if (stored.length === 0) return true;
  const urls = stored.map((hash) => assets.get(hash)?.url);
  if (urls.includes(undefined)) return false;
  return await fileAddresses.areIn(await read(), urls);
}

interface Remembered extends ClassifyContext {
  readonly memory: PageMemory;
  readonly edited: boolean;
}

async function rememberedPage(record: Page, context: Remembered): Promise<KnownPage> {
  const { memory, edited, wanted } = context;
  const page = wanted.get(record.slug);
  return {
    slug: record.slug,
    origin: "ours",
    hash: memory.hash,
    edited,
    addressesCurrent: page === undefined || (await hasCurrentAddresses(page, context)),
    hiddenAs: hiddenWhenSent(record, memory, context),
    words: memory.words,
    sent: memory.sent,
    ...(memory.shown === undefined ? {} : { shown: memory.shown }),
    record: withMemory(record, memory),
  };
}

// Only the tag of the version that was sent reveals an edit where the HTML can't be compared.
async function rememberedHidden(record: Page, context: Omit<Remembered, "edited">): Promise<KnownPage> {
  const { etag = record.etag } = context.memory;
  const edited = hasMoved(record, context.memory);
  return { ...(await rememberedPage({ ...record, etag }, { ...context, edited })), isUnsigned: true };
}

// Lists may lack fields that a response had.
function withMemory(record: Page, memory: PageMemory): Page {
  const { id = memory.id, title = memory.title, version = memory.version, etag = memory.etag } = record;
  return { ...record, id, title, version, etag };
}

// The lock file contains no addresses, so what would be sent now is compared to what was sent.
async function hasCurrentAddresses(page: DesiredPage, context: Remembered): Promise<boolean> {
  const { memory, state, assets, owner, inline, api, fileAddresses } = context;
  const addressOf = (hash: string) => assets.get(hash)?.url;
  const stored = page.assets.filter((hash) => !inline.has(hash));
  if (stored.every((hash) => isKept(addressOf(hash), state.assets[hash]))) return true;
  if (memory.isLocked !== true || stored.some((hash) => addressOf(hash) === undefined)) return false;
  if (!isSameHash(page.hash, memory.hash)) return false;
  if (stored.length < page.assets.length) return true;
  if (stored.some((hash) => findExpiry(addressOf(hash) ?? "") !== undefined)) {
    const html = await readHtml(page.slug, api);
    return html !== undefined && (await fileAddresses.areIn(html, stored.map(addressOf)));
  }
  const html = fillHtml(await page.render(), (hash) => addressOf(hash) ?? "");
  return isSameHash(hashHtml(sealMarker(html, { project: owner.project, slug: page.slug })), memory.sent);
}

function isKept(url: string | undefined, before: { readonly url: string } | undefined): boolean {
  return url !== undefined && url === before?.url;
}

export function foreignPage(record: Page): KnownPage {
  return { slug: record.slug, origin: "foreign", hash: undefined, edited: false, addressesCurrent: false, record };
}
