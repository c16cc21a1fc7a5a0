import { createHash } from "node:crypto";
import { addClicks } from "../store/clicks.ts";
import { ensureSalt, noteVisitor } from "../store/visitors.ts";
import {
  addReferrer,
  addToHour,
  findOpenView,
  findViewedPage,
  moveDepth,
  openView,
  saveHeight,
  updateOpenView,
  type OpenView,
} from "../store/views.ts";
import { holdName } from "../store/write-transaction.ts";
import type { LeaveMessage, ViewMessage } from "./beacon-message.ts";
import { endPastDays } from "./close-days.ts";
import type { Context } from "./context.ts";
import { deviceOf } from "./device.ts";
import { startOfDay, startOfHour } from "./time-range.ts";

/** What tells visitors of one day apart; only a hash of it is kept, and only for that day. */
export interface Visitor {
  readonly address: string;
  readonly userAgent: string;
}

const MAX_HOSTS = 200;
const CLICK_LIMITS = { maxCells: 20_000, maxSelectors: 1000 };
const MAX_CLICKS_PER_VIEW = 500;
const MAX_SECONDS = 4 * 60 * 60;
const CELL = 16;
const SALT_BYTES = 16;

/** Counts a view of a published page; a message about any other page, and a repeated one, changes nothing. */
export async function recordView(context: Context, message: ViewMessage, visitor: Visitor): Promise<void> {
  const { database, accountId, now } = context;
  const page = await findViewedPage(database, message.p);
  if (page === undefined || page.accountId !== accountId || message.v > page.version) return;
  const view: OpenView = {
    id: message.k,
    pageId: message.p,
    version: message.v,
    device: deviceOf(message.w),
    hour: startOfHour(now),
    depth: null,
    seconds: 0,
    clicks: 0,
    lastMessage: 0,
  };
  if (!(await openView(database, view))) return;
  await addToHour(database, view, { views: 1, reads: 0, seconds: 0, depth: 0, clicks: 0 });
  const day = startOfDay(now);
  const host = referrerHost(message.r);
  if (host !== undefined) await addReferrer(database, { pageId: view.pageId, day, host }, { maxHosts: MAX_HOSTS });
  const { salt, isNew } = await ensureSalt(database, day, context.random(SALT_BYTES));
  if (isNew) await endPastDays(database, now);
  await noteVisitor(database, {
    scopes: [view.pageId, ...(page.siteId === null ? [] : [page.siteId]), accountId],
    ...{ day, hour: view.hour },
    visitor: hashVisitor(salt, accountId, visitor),
  });
}

/**
 * Notes how a view went on: how far, how long, which clicks. Of several messages of one view the highest values hold,
 * and one that comes twice counts once.
 */
export async function recordLeave({ database }: Context, message: LeaveMessage): Promise<void> {
  await holdName(database, `view ${message.k}`);
  const view = await findOpenView(database, message.k);
  const isKnown = view?.pageId === message.p && view.version === message.v;
  if (view === undefined || !isKnown || message.n <= view.lastMessage) return;
  const clicks = message.c.slice(0, Math.max(0, MAX_CLICKS_PER_VIEW - view.clicks));
  const next: OpenView = {
    ...view,
    depth: Math.max(view.depth ?? 0, message.s),
    seconds: Math.min(MAX_SECONDS, Math.max(view.seconds, message.e)),
    clicks: view.clicks + clicks.length,
    lastMessage: message.n,
  };
  await updateOpenView(database, next);
  await addToHour(database, view, {
    views: 0,
    reads: view.depth === null ? 1 : 0,
    seconds: next.seconds - view.seconds,
    depth: (next.depth ?? 0) - (view.depth ?? 0),
    clicks: clicks.length,
  });
  const day = startOfDay(new Date(view.hour));
  await moveDepth(database, { ...view, day }, { from: view.depth, to: next.depth ?? 0 });
  if (message.h > 0) await saveHeight(database, view, message.h);
  if (clicks.length === 0) return;
  const cells = clicks.map(([x, y, selector]) => ({
    cellX: Math.floor(x / CELL),
    cellY: Math.floor(y / CELL),
    selector,
  }));
  await addClicks(database, { layout: view, day, clicks: cells }, CLICK_LIMITS);
}

function referrerHost(text: string): string | undefined {
  const host = URL.parse(`http://${text}`)?.host ?? "";
  return host === "" || host !== text.toLowerCase() ? undefined : host;
}

function hashVisitor(salt: Uint8Array, accountId: string, { address, userAgent }: Visitor): Uint8Array {
  const hash = createHash("sha256").update(salt);
  for (const part of [accountId, address, userAgent]) hash.update("\0").update(part);
  return hash.digest().subarray(0, 8);
}
