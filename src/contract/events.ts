/** The events that webhooks are sent for, by the names our service gives them (specification, "Events"). */
export const EVENT_TYPES = [
  "page.published",
  "page.updated",
  "page.deleted",
  "form.submitted",
  "lead.captured",
] as const;

export type EventType = (typeof EVENT_TYPES)[number];
