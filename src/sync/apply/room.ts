import type { ImprintError } from "../../base/error.ts";
import type { Outcome } from "../../base/outcome.ts";
import { failureOf } from "../../client/transport/outcome.ts";

/** Tracks whether the account accepts new pages. */
export interface Room {
  /** Whether the service has reported that the account is full. */
  isFull(): boolean;
  /** Notes a new page that was not sent, or was refused with `error`, because the account is full. */
  leaveOut(slug: string, error?: ImprintError): void;
  /** Slugs of new pages that were omitted. */
  leftOut(): ReadonlySet<string>;
  /** The outcomes to report, one per omitted page and all with the same reason. */
  outcomes(): readonly Outcome[];
}

export function createRoom(): Room {
  const slugs = new Set<string>();
  let refusal: ImprintError | undefined;
  return {
    isFull: () => refusal !== undefined,
    leaveOut(slug, error) {
      slugs.add(slug);
      refusal ??= error;
    },
    leftOut: () => slugs,
    outcomes() {
      if (refusal === undefined) return [];
      const hint = "Make room for more pages at the service, then run again.";
      const reason = `The account is full, so that no new page is sent. ${refusal.message}`;
      return [...slugs]
        .toSorted()
        .map((name) => ({ resource: "page", kind: "blocked", name, reason, hint, status: "skipped" }));
    },
  };
}

const STATUSES: ReadonlySet<number> = new Set([402, 403, 409, 413, 422]);

// Matches text about the account or the number of pages, but not about the size of this page or file.
const SPEAKS_OF_ROOM = new RegExp(
  [
    String.raw`\bquota\b`,
    String.raw`\bpage (?:limit|quota|count)\b`,
    String.raw`\b(?:account|plan|storage|workspace|library|disk)\b.{0,40}\b(?:limit|maximum|full|exceed\w*|exhausted|allows|at most)\b`,
    String.raw`\b(?:limit of|at most|up to|more than|too many|maximum(?: number)? of|number of|holds?)\s(?:\d+\s)?(?:\w+\s)?pages\b`,
    String.raw`\bno (?:more )?(?:space|room)\b`,
  ].join("|"),
  "i",
);

/** Whether a service refused a new page or file because the account is full. */
export function isOutOfRoom(error: ImprintError): boolean {
  const { status, problemCode, said = "" } = failureOf(error) ?? {};
  if (status === 507 || problemCode === "limit_reached") return true;
  return status !== undefined && STATUSES.has(status) && SPEAKS_OF_ROOM.test(said);
}
