import { PREVIEW_SLUG } from "../../contract/slug.ts";
import { sha256 } from "../../base/hash.ts";
import { whereWritable } from "../store/as-problem.ts";
import * as z from "zod";
import { createHash } from "node:crypto";
import { closeVisitors, closeVisits, forgetRooms, forgetSalts, forgetViews } from "../store/forget-stats.ts";
import { beginVisit, endVisits } from "../store/visit-days.ts";
import {
  addClicks,
  addReferrer,
  addSalt,
  addToHour,
  addToScopes,
  continueVisit,
  findOpenVisit,
  findSalt,
  findViewedPage,
  moveDepth,
  noteVisitor,
  openView,
  saveHeight,
  type ViewedPage,
  type OpenView,
  type OpenVisit,
} from "../store/visits.ts";
import { findUnsettled } from "../store/releases.ts";
import { findRow, updateRows } from "../store/rows.ts";
import { holdName, writeTransaction } from "../store/transactions.ts";
import type { Context } from "./context.ts";
import { addLeftOut, type LeftOutReason } from "../store/left-out.ts";
import { settlePageById } from "./settle.ts";
import { startOfDay, startOfHour, DAY_MS, HOUR_MS } from "./time-range.ts";
import { readTraits } from "./visit-traits.ts";
import type { Slices } from "../store/slices.ts";

// The names are short because a browser sends them with every view: `v` version of the page, `p` its id, `k` the view,
// `w` width of the window, `r` host of the referrer, `q` what the address says of its source and campaign, `n` number of
// the message, `s` how far was scrolled in per cent, `e` seconds of looking, `h` height of the document, `c` clicks:
// thousandths of the width, pixels, selector.
const common = {
  v: z.int().min(1),
  p: z.string().regex(/^pg_[0-9A-Za-z]{22}$/),
  k: z.string().regex(/^[0-9a-z]{12,32}$/),
  w: z.int().min(0).max(100_000),
};

const MAX_CLICKS = 50;
const MAX_HEIGHT = 200_000;

const viewSchema = z.strictObject({
  ...common,
  t: z.literal("view"),
  r: z.string().max(253).default(""),
  q: z.string().max(2000).default(""),
});

const clickSchema = z.tuple([z.int().min(0).max(1000), z.int().min(0).max(MAX_HEIGHT), z.string().max(300)]);

const leaveSchema = z.strictObject({
  ...common,
  t: z.literal("leave"),
  n: z.int().min(1).max(1000),
  s: z.int().min(0).max(100),
  e: z.int().min(0),
  h: z.int().min(0).max(MAX_HEIGHT),
  c: z.array(clickSchema).max(MAX_CLICKS).default([]),
});

const messageSchema = z.discriminatedUnion("t", [viewSchema, leaveSchema]);

export type ViewMessage = z.infer<typeof viewSchema>;
export type LeaveMessage = z.infer<typeof leaveSchema>;
export type BeaconMessage = z.infer<typeof messageSchema>;

/** What the script in a page sends; `undefined` for everything else. */
export function parseBeaconMessage(text: string): BeaconMessage | undefined {
  try {
    return messageSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** What distinguishes visitors of one day; only a hash of it is kept, and only for that day. */
export interface Visitor {
  readonly address: string;
  readonly userAgent: string;
  /** Whether it is a program that says so. */
  readonly isBot?: boolean;
}

const MAX_HOSTS = 200;
// Beside the kinds of those that no link brought: a few dozen browsers, systems and devices.
const MAX_KINDS = 3000;
const MAX_PAUSE_MS = HOUR_MS / 2;
const CLICK_LIMITS = { maxCells: 20_000, maxSelectors: 1000 };
const MAX_CLICKS_PER_VIEW = 500;
const MAX_SECONDS = 4 * 60 * 60;
const CELL = 16;
const SALT_BYTES = 16;

/** Counts a view of a published page; a message about any other page, and a repeated one, changes nothing. */
export async function recordView(context: Context, message: ViewMessage, visitor: Visitor): Promise<void> {
  const { database, accountId, now } = context;
  const page = (await findPageOf(context, message)) ?? (await settleViewed(context, message));
  if (page?.accountId !== accountId) return;
  const day = startOfDay(now);
  const siteId = page.siteId ?? "";
  const leaveOut = (reason: LeftOutReason) => addLeftOut(database, { accountId, siteId, day, reason });
  if (visitor.isBot === true) return await leaveOut("bot");
  if (PREVIEW_SLUG.test(page.slug)) return await leaveOut("preview");
  const key = { day, siteId, visitor: await identify(context, visitor) };
  const latest = await findOpenVisit(database, key);
  const visit = latest !== undefined && now.getTime() - latest.seenAt.getTime() < MAX_PAUSE_MS ? latest : undefined;
  // Signing in ends the visits from there, so this need not be asked of a visit that goes on.
  if (visit === undefined && (await isOwnPlace(context, visitor))) return await leaveOut("own");
  const view = startView(message, now);
  if (!(await openView(database, view))) return;
  await addToHour(database, view, { views: 1, reads: 0, seconds: 0, depth: 0, clicks: 0 });
  const { pageId, hour, device } = view;
  const host = referrerHost(message.r);
  const source = host && (await addReferrer(database, { pageId, day, host }, { maxHosts: MAX_HOSTS }));
  const scopes = [...(page.siteId === null ? [] : [page.siteId]), accountId];
  await addToScopes(database, { ...view, scopes, day, host: source });
  await noteVisitor(database, { scopes: [pageId, ...scopes], day, hour, visitor: key.visitor });
  if (visit !== undefined) return await continueVisit(database, visit, { pageId, scopes, now });
  const traits = readTraits({ host, search: message.q, userAgent: visitor.userAgent, device });
  await beginVisit(database, { ...key, accountId, pageId, scopes, traits, now }, { maxKinds: MAX_KINDS });
}

function startView({ k: id, p: pageId, v: version, w }: ViewMessage, now: Date): OpenView {
  const nothing = { depth: null, seconds: 0, clicks: 0, lastMessage: 0 };
  return { id, pageId, version, device: deviceOf(w), hour: startOfHour(now), ...nothing };
}

/** The latest visit of a visitor to the site of a page. */
export async function findOpenVisitOf(
  context: Context,
  visitor: Visitor,
  { siteId }: Pick<ViewedPage, "siteId">,
): Promise<OpenVisit | undefined> {
  const key = { day: startOfDay(context.now), siteId: siteId ?? "", visitor: await identify(context, visitor) };
  return await findOpenVisit(context.database, key);
}

/** What distinguishes a visitor from the others of this day, and says nothing after it. */
async function identify({ database, accountId, now, random }: Context, visitor: Visitor): Promise<Uint8Array> {
  const day = startOfDay(now);
  const known = await findSalt(database, day);
  if (known === undefined) await forgetSalts(database, day);
  return hashVisitor(known ?? (await addSalt(database, day, random(SALT_BYTES))), accountId, visitor);
}

// Pages have another host than the dashboard, so they never see its session. What both hosts see
// is the address and the name of the browser.

/**
 * Remembers from where a session is used, so that views from there are left out, also those of a visit that has begun: every
 * process asks about the place when a visit begins.
 */
export async function noteOwnPlace(
  { database, accountId, now }: Pick<Context, "database" | "accountId" | "now">,
  session: { readonly keyId: string; readonly place: string | null },
  visitor: Visitor,
): Promise<void> {
  const place = placeOf(session.keyId, visitor);
  if (place === session.place) return;
  await whereWritable(
    writeTransaction(database, async (transaction) => {
      await updateRows(transaction, "session", { match: { hash: session.keyId }, set: { place } });
      const day = startOfDay(now);
      const salt = await findSalt(transaction, day);
      if (salt !== undefined) {
        await endVisits(transaction, { day, visitor: hashVisitor(salt, accountId, visitor) });
      }
    }),
  );
}

/** Whether somebody is signed in to the dashboard from the same address with the same browser. */
export async function isOwnPlace({ database, accountId, now }: Context, visitor: Visitor): Promise<boolean> {
  const sessions = await database
    .selectFrom("session")
    .select(["hash", "place"])
    .where("accountId", "=", accountId)
    .where("expiresAt", ">", now)
    .where("place", "is not", null)
    .execute();
  return sessions.some(({ hash, place }) => place === placeOf(hash, visitor));
}

/** The hash of the session makes it another one for each session. */
function placeOf(hash: string, { address, userAgent }: Visitor): string {
  return sha256([hash, address, userAgent].join("\0"));
}

/** The page of a view, if it has had the version that was seen. */
async function findPageOf({ database }: Context, { p, v }: ViewMessage): Promise<ViewedPage | undefined> {
  const page = await findViewedPage(database, p);
  return page === undefined || v > page.version ? undefined : page;
}

/** The page of a view that was seen before its row was written. */
async function settleViewed(context: Context, message: ViewMessage): Promise<ViewedPage | undefined> {
  if ((await findUnsettled(context.database, context.accountId)) === undefined) return undefined;
  await settlePageById(context, message.p);
  return await findPageOf(context, message);
}

/**
 * Notes how a view went on: how far, how long, which clicks. Of several messages of one view the highest values hold,
 * and one that comes twice counts once.
 */
export async function recordLeave({ database }: Context, message: LeaveMessage): Promise<void> {
  await holdName(database, `view ${message.k}`);
  const view = await findRow(database, "openView", { id: message.k });
  const isKnown = view?.pageId === message.p && view.version === message.v;
  if (view === undefined || !isKnown || message.n <= view.lastMessage) return;
  const clicks = message.c.slice(0, Math.max(0, MAX_CLICKS_PER_VIEW - view.clicks));
  const next = {
    depth: Math.max(view.depth ?? 0, message.s),
    seconds: Math.min(MAX_SECONDS, Math.max(view.seconds, message.e)),
    clicks: view.clicks + clicks.length,
    lastMessage: message.n,
  };
  await updateRows(database, "openView", { match: { id: view.id }, set: next });
  await addToHour(database, view, {
    views: 0,
    reads: view.depth === null ? 1 : 0,
    seconds: next.seconds - view.seconds,
    depth: next.depth - (view.depth ?? 0),
    clicks: clicks.length,
  });
  const day = startOfDay(new Date(view.hour));
  await moveDepth(database, { ...view, day }, { from: view.depth, to: next.depth });
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

export const DEVICES = ["mobile", "tablet", "desktop"] as const;

export type Device = (typeof DEVICES)[number];

// Where common style sheets change their layout.
const TABLET_WIDTH = 768;
const DESKTOP_WIDTH = 1024;

/** The kind of device with a window of this width, in CSS pixels. */
export function deviceOf(width: number): Device {
  if (width < TABLET_WIDTH) return "mobile";
  return width < DESKTOP_WIDTH ? "tablet" : "desktop";
}

/** Ends the days that are over: only the number of their visitors stays, and nothing that distinguishes them. */
export async function endPastDays(slices: Slices, now: Date): Promise<void> {
  const today = startOfDay(now);
  await forgetSalts(slices.database, today);
  await slices.run(async (transaction, rows) => {
    // Two at once would count the same visitors twice.
    await holdName(transaction, "past days");
    return await closeVisitors(transaction, today, rows);
  });
  await closeVisits(slices, today);
  await forgetViews(slices, now.getTime() - DAY_MS);
  await forgetRooms(slices, today - DAY_MS);
}
