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
  recordVisitor,
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

// Names are short because a browser sends them with every view: `v` page version, `p` page id, `k` view id, `w` window
// width, `r` referrer host, `q` source and campaign parameters, `n` message number, `s` scroll depth in percent, `e`
// seconds visible, `h` document height, `c` clicks: thousandths of the width, pixels, selector.
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

/** Parses a message of the page script; `undefined` for anything else. */
export function parseBeaconMessage(text: string): BeaconMessage | undefined {
  try {
    return messageSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Identifies visitors of one day; only its hash is stored, and only for that day. */
export interface Visitor {
  readonly address: string;
  readonly userAgent: string;
  /** Whether it identifies itself as a program. */
  readonly isBot?: boolean;
}

const MAX_HOSTS = 200;
// In addition to combinations without a link: a few dozen browsers, systems and devices.
const MAX_KINDS = 3000;
const MAX_PAUSE_MS = HOUR_MS / 2;
const CLICK_LIMITS = { maxCells: 20_000, maxSelectors: 1000 };
const MAX_CLICKS_PER_VIEW = 500;
const MAX_SECONDS = 4 * 60 * 60;
const CELL = 16;
const SALT_BYTES = 16;

/** Counts a view of a published page. Ignores repeated messages, and those about other pages. */
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
  // Signing in ends visits from the same place, so only new visits need this check.
  if (visit === undefined && (await isOwnPlace(context, visitor))) return await leaveOut("own");
  const view = startView(message, now);
  if (!(await openView(database, view))) return;
  await addToHour(database, view, { views: 1, reads: 0, seconds: 0, depth: 0, clicks: 0 });
  const { pageId, hour, device } = view;
  const host = referrerHost(message.r);
  const source = host && (await addReferrer(database, { pageId, day, host }, { maxHosts: MAX_HOSTS }));
  const scopes = [...(page.siteId === null ? [] : [page.siteId]), accountId];
  await addToScopes(database, { ...view, scopes, day, host: source });
  await recordVisitor(database, { scopes: [pageId, ...scopes], day, hour, visitor: key.visitor });
  if (visit !== undefined) return await continueVisit(database, visit, { pageId, scopes, now });
  const traits = readTraits({ host, search: message.q, userAgent: visitor.userAgent, device });
  await beginVisit(database, { ...key, accountId, pageId, scopes, traits, now }, { maxKinds: MAX_KINDS });
}

function startView({ k: id, p: pageId, v: version, w }: ViewMessage, now: Date): OpenView {
  const nothing = { depth: null, seconds: 0, clicks: 0, lastMessage: 0 };
  return { id, pageId, version, device: deviceOf(w), hour: startOfHour(now), ...nothing };
}

export async function findOpenVisitOf(
  context: Context,
  visitor: Visitor,
  { siteId }: Pick<ViewedPage, "siteId">,
): Promise<OpenVisit | undefined> {
  const key = { day: startOfDay(context.now), siteId: siteId ?? "", visitor: await identify(context, visitor) };
  return await findOpenVisit(context.database, key);
}

async function identify({ database, accountId, now, random }: Context, visitor: Visitor): Promise<Uint8Array> {
  const day = startOfDay(now);
  const known = await findSalt(database, day);
  if (known === undefined) await forgetSalts(database, day);
  return hashVisitor(known ?? (await addSalt(database, day, random(SALT_BYTES))), accountId, visitor);
}

// Pages have another host than the dashboard, so they never see its session. Both hosts see the IP address and the user
// agent.

/**
 * Records where a session is used, so that views from there aren't counted, including those of a visit in progress:
 * every process checks the place when a visit starts.
 */
export async function recordOwnPlace(
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

/** Whether a user is signed in to the dashboard from the same IP address with the same browser. */
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

/** The session's hash makes places of different sessions differ. */
function placeOf(hash: string, { address, userAgent }: Visitor): string {
  return sha256([hash, address, userAgent].join("\0"));
}

async function findPageOf({ database }: Context, { p, v }: ViewMessage): Promise<ViewedPage | undefined> {
  const page = await findViewedPage(database, p);
  return page === undefined || v > page.version ? undefined : page;
}

async function settleViewed(context: Context, message: ViewMessage): Promise<ViewedPage | undefined> {
  if ((await findUnsettled(context.database, context.accountId)) === undefined) return undefined;
  await settlePageById(context, message.p);
  return await findPageOf(context, message);
}

/**
 * Records scroll depth, time and clicks of a view. Of several messages about one view, the highest values count, and
 * duplicates count once.
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

// Common breakpoints of style sheets.
const TABLET_WIDTH = 768;
const DESKTOP_WIDTH = 1024;

/** Returns the kind of device for a window width in CSS pixels. */
export function deviceOf(width: number): Device {
  if (width < TABLET_WIDTH) return "mobile";
  return width < DESKTOP_WIDTH ? "tablet" : "desktop";
}

/** Closes past days: only the number of visitors stays, without anything that identifies them. */
export async function endPastDays(slices: Slices, now: Date): Promise<void> {
  const today = startOfDay(now);
  await forgetSalts(slices.database, today);
  await slices.run(async (transaction, rows) => {
    // Concurrent runs would count visitors twice.
    await holdName(transaction, "past days");
    return await closeVisitors(transaction, today, rows);
  });
  await closeVisits(slices, today);
  await forgetViews(slices, now.getTime() - DAY_MS);
  await forgetRooms(slices, today - DAY_MS);
}
