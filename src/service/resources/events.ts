import type { EventType } from "../../contract/extension-records.ts";
import type { Page } from "../store/pages.ts";
import { insertDelivery, listListeners } from "../store/webhooks.ts";
import { publicPageUrl } from "./addresses.ts";
import type { Context } from "./context.ts";
import { insertRow } from "../store/rows.ts";

/** A change of a record. */
export interface NewEvent {
  readonly type: EventType;
  /** Id of the affected record: the page, the submission. */
  readonly subject: string;
  /** Data for receivers, with names as in JSON. The request id is added. */
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Records an event and a delivery for each webhook that subscribes to it. Must be called with the context of the
 * change's transaction, so that both are stored or neither.
 */
export async function recordEvent(context: Context, { type, subject, data }: NewEvent): Promise<void> {
  const { database, accountId, newId, now, requestId } = context;
  const whole = requestId === undefined ? data : { ...data, requestId };
  const event = { id: newId("evt"), accountId, type, subject, data: whole, createdAt: now };
  await insertRow(database, "event", event);
  const listeners = await listListeners(database, accountId, type);
  if (listeners.length === 0) return;
  const payload = renderPayload({ type, at: now, data: whole });
  for (const webhookId of listeners) {
    await insertDelivery(database, { id: newId("msg"), webhookId, eventId: event.id, type, payload, createdAt: now });
  }
  context.wakeSender();
}

/** Records the effect of a page change on its readers; drafts that stay drafts have none. */
export async function recordPageWrite(context: Context, before: Page | undefined, page: Page): Promise<void> {
  const wasPublished = before?.status === "published";
  const isPublished = page.status === "published";
  const data = dataOf(context, page);
  if (isPublished) {
    const type = wasPublished ? "page.updated" : "page.published";
    await recordEvent(context, { type, subject: page.id, data });
  } else if (wasPublished) {
    await recordEvent(context, { type: "page.deleted", subject: page.id, data: { ...data, reason: "unpublished" } });
  }
}

export async function recordPageRemoval(context: Context, page: Page): Promise<void> {
  const data = { ...dataOf(context, page), reason: "deleted" };
  await recordEvent(context, { type: "page.deleted", subject: page.id, data });
}

function dataOf({ addresses }: Context, { id, slug, title, status, version }: Page) {
  return { id, slug, url: publicPageUrl(addresses, slug), title, status, version };
}

/** Payload of a webhook. */
export interface Payload {
  readonly type: string;
  readonly at: Date;
  readonly data: Readonly<Record<string, unknown>>;
}

// Maximum payload recommended by Standard Webhooks.
const MAX_PAYLOAD_BYTES = 20 * 1024;
const MAX_THIN_TEXT = 200;

/** Renders the body of a delivery. If it is too large, it contains only the short fields and `thin: true`. */
export function renderPayload({ type, at, data }: Payload): string {
  const timestamp = at.toISOString();
  const whole = JSON.stringify({ type, timestamp, data });
  if (Buffer.byteLength(whole) <= MAX_PAYLOAD_BYTES) return whole;
  const short = Object.entries(data).filter(([, value]) => isShort(value));
  return JSON.stringify({ type, timestamp, data: { ...Object.fromEntries(short), thin: true } });
}

function isShort(value: unknown): boolean {
  return typeof value === "string" ? value.length <= MAX_THIN_TEXT : typeof value !== "object" || value === null;
}
