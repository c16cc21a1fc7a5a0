import { ImprintError } from "../base/error.ts";

/** How long the service keeps what grows by itself, in days; `null` keeps it for good. */
export interface Retention {
  /**
   * Requests to the API, as the dashboard lists them. Of a very busy service only the last 100,000 are kept.
   *
   * @default 7
   */
  readonly requestLogDays?: number | null;
  /**
   * Events, and deliveries of webhooks that are over.
   *
   * @default 30
   */
  readonly eventDays?: number | null;
  /**
   * What visitors sent through forms, with the events that tell of it.
   *
   * @default null
   */
  readonly submissionDays?: number | null;
  /**
   * Numbers of views, visitors, clicks and scroll depth. A query can span 400 days.
   *
   * @default 401
   */
  readonly statsDays?: number | null;
}

const DEFAULTS: Required<Retention> = { requestLogDays: 7, eventDays: 30, submissionDays: null, statsDays: 401 };

/** Fills the defaults in; throws `OPTIONS_INVALID` for what is no number of days. */
export function resolveRetention(retention: Retention): Required<Retention> {
  for (const [name, days] of Object.entries(retention)) {
    const isKnown = Object.hasOwn(DEFAULTS, name);
    if (isKnown && (days === null || days === undefined || (Number.isInteger(days) && days >= 1))) continue;
    throw new ImprintError("OPTIONS_INVALID", `\`retention.${name}\` is ${String(days)}.`, {
      hint: `Give a whole number of days, or null to keep it for good, for ${Object.keys(DEFAULTS).join(", ")}.`,
    });
  }
  return { ...DEFAULTS, ...withoutUndefined(retention) };
}

function withoutUndefined(retention: Retention): Retention {
  return Object.fromEntries(Object.entries(retention).filter(([, days]) => days !== undefined));
}
