import type { ImprintError } from "../../base/error.ts";
import type { Outcome } from "../../base/outcome.ts";

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
      const hint = "Delete pages that you don't need, or upgrade the account's plan, then run again.";
      const reason = `The account is full, so no new page is sent. ${refusal.message}`;
      return [...slugs]
        .toSorted()
        .map((name) => ({ resource: "page", kind: "blocked", name, reason, hint, status: "skipped" }));
    },
  };
}
