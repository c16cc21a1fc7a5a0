import { EVENT_TYPES, type EventType } from "../contract/events.ts";
import { SCOPES, type Scope } from "../contract/scopes.ts";

/** Whether a text is the name of a scope. */
export function isScope(text: string): text is Scope {
  return SCOPES.some((scope) => scope === text);
}

/** Whether a text is the name of a type of event. */
export function isEventType(text: string): text is EventType {
  return EVENT_TYPES.some((type) => type === text);
}
