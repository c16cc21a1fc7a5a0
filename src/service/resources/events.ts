import type { EventType } from "../../contract/events.ts";
import { deleteEventsAbout, insertEvent } from "../store/events.ts";
import { insertDelivery } from "../store/deliveries.ts";
import { listListeners } from "../store/webhooks.ts";
import type { Context } from "./context.ts";
import { renderPayload } from "./webhook-payload.ts";

/** Something that happened to a record. */
export interface NewEvent {
  readonly type: EventType;
  /** Id of the record that it is about: the page, the submission. */
  readonly subject: string;
  /** What a receiver gets to see, by the names of the wire. The id of the request is added. */
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * Notes an event and, for each webhook that listens to it, a delivery. Has to be called with the context of the
 * transaction that makes the change: both are then kept, or neither.
 */
export async function recordEvent(context: Context, { type, subject, data }: NewEvent): Promise<void> {
  const { database, accountId, newId, now, requestId } = context;
  const whole = requestId === undefined ? data : { ...data, requestId };
  const event = { id: newId("evt"), accountId, type, subject, data: whole, createdAt: now };
  await insertEvent(database, event);
  const listeners = await listListeners(database, accountId, type);
  if (listeners.length === 0) return;
  const payload = renderPayload({ type, at: now, data: whole });
  for (const webhookId of listeners) {
    await insertDelivery(database, { id: newId("msg"), webhookId, eventId: event.id, type, payload, createdAt: now });
  }
  context.wakeSender();
}

/** Erases every event about a record with what was, or was to be, delivered of it. For data of visitors. */
export async function eraseEvents({ database, accountId }: Context, subject: string): Promise<void> {
  await deleteEventsAbout(database, { accountId, subject });
}
