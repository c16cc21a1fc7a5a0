import type { Database } from "./tables.ts";
import { holdName } from "./transactions.ts";
import {
  addNumbers,
  addVisits,
  hasRoom,
  subtractFromPage,
  type VisitNumbers,
  type VisitTraits,
} from "./visit-counts.ts";
import { findRow, insertNewRows, putRow, updateRows } from "./rows.ts";

/** The properties of a published page that a view needs. */
export interface ViewedPage {
  readonly accountId: string;
  readonly siteId: string | null;
  readonly slug: string;
  readonly version: number;
}

export async function findViewedPage(database: Database, id: string): Promise<ViewedPage | undefined> {
  return await findRow(database, "page", { id, status: "published" });
}

/** A view that may still report scroll depth and reading time. */
export interface OpenView {
  readonly id: string;
  readonly pageId: string;
  readonly version: number;
  readonly device: string;
  readonly hour: number;
  /** Scroll depth in percent; `null` until reported. */
  readonly depth: number | null;
  readonly seconds: number;
  readonly clicks: number;
  /** Number of the last message; earlier ones are duplicates. */
  readonly lastMessage: number;
}

/** Records a view. Returns whether it is new. */
export async function openView(database: Database, view: OpenView): Promise<boolean> {
  return (await insertNewRows(database, "openView", [view])) > 0;
}

/** What a message adds to the hourly counts. */
export interface ViewNumbers {
  readonly views: number;
  readonly reads: number;
  readonly seconds: number;
  readonly depth: number;
  readonly clicks: number;
}

/** The layout in which a page was viewed. */
export interface Layout {
  readonly pageId: string;
  readonly version: number;
  readonly device: string;
}

export async function addToHour(
  database: Database,
  { pageId, version, device, hour }: Layout & { readonly hour: number },
  numbers: ViewNumbers,
): Promise<void> {
  await addNumbers(database, "viewHour", { key: { pageId, hour, version, device }, numbers });
}

/**
 * Counts a view from another host and returns the host it was counted under: beyond a daily limit per page, this is
 * `other`.
 */
export async function addReferrer(
  database: Database,
  { pageId, day, host }: { readonly pageId: string; readonly day: number; readonly host: string },
  { maxHosts }: { readonly maxHosts: number },
): Promise<string> {
  const key = { pageId, day, host };
  const counted = (await hasRoom(database, "referrerDay", { key, max: maxHosts })) ? key : { ...key, host: "other" };
  await addNumbers(database, "referrerDay", { key: counted, numbers: { views: 1 } });
  return counted.host;
}

/** A view to count for its page's site and the account. */
export interface CountedView {
  readonly pageId: string;
  /** Ids of the site and the account. */
  readonly scopes: readonly string[];
  readonly day: number;
  readonly device: string;
  /** The referring host; `undefined` if unknown. */
  readonly host: string | undefined;
}

export async function addToScopes(database: Database, { pageId, scopes, day, device, host }: CountedView) {
  // All views of such a page will be counted at once, including this one.
  if (await isUncounted(database, pageId)) return;
  for (const scope of scopes) {
    await addNumbers(database, "viewDay", { key: { scope, day, device }, numbers: { views: 1 } });
    if (host !== undefined)
      await addNumbers(database, "sourceDay", { key: { scope, day, host }, numbers: { views: 1 } });
  }
}

/** Whether a page's views have yet to be added to the totals of its site and account. */
async function isUncounted(database: Database, pageId: string): Promise<boolean> {
  if ((await findRow(database, "uncountedPage", { pageId })) === undefined) return false;
  // Another process may be about to count them.
  await holdName(database, `views ${pageId}`);
  return (await findRow(database, "uncountedPage", { pageId })) !== undefined;
}

/** Moves a view from one scroll depth to another; `from` is `null` for the first report. */
export async function moveDepth(
  database: Database,
  { pageId, version, device, day }: Layout & { readonly day: number },
  { from, to }: { readonly from: number | null; readonly to: number },
): Promise<void> {
  if (from === to) return;
  const layout = { pageId, day, version, device };
  if (from !== null) {
    await addNumbers(database, "scrollDay", { key: { ...layout, depth: from }, numbers: { views: -1 } });
  }
  await addNumbers(database, "scrollDay", { key: { ...layout, depth: to }, numbers: { views: 1 } });
}

export async function saveHeight(database: Database, { pageId, version, device }: Layout, height: number) {
  await putRow(database, "pageLayout", { key: { pageId, version, device }, set: { height } });
}

export interface Click {
  /** In cells of 16 thousandths of the width by 16 pixels of the height. */
  readonly cellX: number;
  readonly cellY: number;
  readonly selector: string;
}

/** Adds clicks. New cells and selectors beyond the daily limits of a page are discarded. */
export async function addClicks(
  database: Database,
  { layout, day, clicks }: { readonly layout: Layout; readonly day: number; readonly clicks: readonly Click[] },
  { maxCells, maxSelectors }: { readonly maxCells: number; readonly maxSelectors: number },
): Promise<void> {
  const { pageId, version, device } = layout;
  const numbers = { clicks: 1 };
  for (const { cellX, cellY, selector } of clicks) {
    const cell = { pageId, day, version, device, cellX, cellY };
    if (await hasRoom(database, "clickCellDay", { key: cell, max: maxCells }))
      await addNumbers(database, "clickCellDay", { key: cell, numbers });
    if (selector === "") continue;
    const element = { pageId, day, version, device, selector };
    if (await hasRoom(database, "clickElementDay", { key: element, max: maxSelectors }))
      await addNumbers(database, "clickElementDay", { key: element, numbers });
  }
}

/** Returns the salt for a day's visitor hashes; `undefined` before the first visitor. */
export async function findSalt(database: Database, day: number): Promise<Uint8Array | undefined> {
  return (await findRow(database, "visitorSalt", { day }))?.salt;
}

/** Stores the offered salt for a day, unless another process stored one first. Returns the stored salt. */
export async function addSalt(database: Database, day: number, offered: Uint8Array): Promise<Uint8Array> {
  await insertNewRows(database, "visitorSalt", [{ day, salt: offered }]);
  return (await findSalt(database, day)) ?? offered;
}

export interface Sighting {
  /** Ids of the scopes that count the visitor: the page, its site, the account. */
  readonly scopes: readonly string[];
  readonly day: number;
  readonly hour: number;
  readonly visitor: Uint8Array;
}

/** Records a visitor, who counts once per day and scope. */
export async function recordVisitor(database: Database, { scopes, ...sighting }: Sighting): Promise<void> {
  const rows = scopes.map((scope) => ({ scope, ...sighting }));
  await insertNewRows(database, "visitorSeen", rows);
}

/** A visitor of a site on one day. */
export interface VisitKey {
  readonly day: number;
  readonly visitor: Uint8Array;
  /** Empty for pages without a site. */
  readonly siteId: string;
}

/** A visit that may continue. */
export interface OpenVisit extends VisitKey, VisitTraits {
  /** The last page seen. */
  readonly pageId: string;
  /** Ids of pages seen and forms submitted, separated by spaces. */
  readonly seen: string;
  readonly views: number;
  readonly seenAt: Date;
}

/** Returns a visitor's latest visit of the day. On PostgreSQL, locks it until the end of the transaction. */
export async function findOpenVisit(database: Database, key: VisitKey): Promise<OpenVisit | undefined> {
  await holdName(database, `visitor ${Buffer.from(key.visitor).toString("hex")}`);
  return await findRow(database, "openVisit", key);
}

/** A page view within a visit. */
export interface VisitedPage {
  readonly pageId: string;
  /** Ids of its site and of the account. */
  readonly scopes: readonly string[];
  readonly now: Date;
}

const NOTHING: VisitNumbers = { views: 0, visits: 0, entries: 0, exits: 0, bounces: 0 };
const MAX_SEEN = 50;

/** Counts a view that belongs to an existing visit. */
export async function continueVisit(database: Database, visit: OpenVisit, { pageId, scopes, now }: VisitedPage) {
  const seen = visit.seen.split(" ");
  const [hasMoved, isSecond] = [pageId !== visit.pageId, visit.views === 1];
  const taken = { exits: hasMoved ? 1 : 0, bounces: isSecond ? 1 : 0 };
  const isKnown = (hasMoved || isSecond) && (await subtractFromPage(database, visit, taken));
  // A page that was deleted meanwhile no longer counts its visits.
  const bounces = isKnown && isSecond ? -1 : 0;
  await addVisits(database, visit, {
    place: { ...NOTHING, scope: pageId, views: 1, visits: seen.includes(pageId) ? 0 : 1, exits: taken.exits },
    around: scopes.map((scope) => ({ ...NOTHING, scope, views: 1, bounces })),
  });
  const next = [...seen.filter((id) => id !== pageId), pageId].slice(-MAX_SEEN).join(" ");
  const { day, visitor, siteId, views } = visit;
  const set = { pageId, seen: next, views: views + 1, seenAt: now };
  await updateRows(database, "openVisit", { match: { day, visitor, siteId }, set });
}
