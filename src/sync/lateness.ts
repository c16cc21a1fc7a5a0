import { pollUntil, SHOWN_AFTER_MS, type Looking } from "../base/poll-until.ts";
import type { ImprintApi } from "../client/api.ts";
import type { Dialect } from "../contract/dialect.ts";
import type { PostsPort } from "../posts/apply/port.ts";
import type { OnStep } from "./run.ts";

// Some hosts show a page only a while after accepting it. They respond with 202, or were observed to be late.

/** How long a list may lag behind a write. */
const LISTED_WITHIN_MS = 300_000;

/** Whether a list may still lack what was written at a time. */
export function isWithinLag(time: string | undefined, { now }: Pick<PostsPort["clock"], "now">): boolean {
  return time !== undefined && now().getTime() - Date.parse(time) < LISTED_WITHIN_MS;
}

/** Half a minute in total. */
const LATE_PAUSES_MS = [300, 700, 1500, 2500, 4000, 6000, 7000, 8000];

export function isLateHost({ pageAnswers, shownAfterMs }: Dialect): boolean {
  return pageAnswers === "accepted" || shownAfterMs !== undefined;
}

/** Returns how long to wait before each further check of what was just sent. */
export function pausesAt(dialect: Dialect): readonly number[] {
  return isLateHost(dialect) ? LATE_PAUSES_MS : SHOWN_AFTER_MS;
}

/** The context for waiting until readers see something. */
export interface Waiting {
  readonly clock: PostsPort["clock"];
  readonly signal: AbortSignal | undefined;
  readonly onStep: OnStep | undefined;
}

interface LookingForReaders<Seen> extends Waiting, Pick<Looking<Seen>, "isEnough" | "pausesMs"> {
  readonly api: Pick<ImprintApi, "dialect" | "learn">;
}

/** Checks until readers see what was just sent, and learns how long that took if it wasn't immediate. */
export async function visitAsReaders<Seen>(
  look: () => Promise<Seen>,
  { api, clock, signal, onStep, isEnough, pausesMs }: LookingForReaders<Seen>,
): Promise<Seen> {
  const startedAt = clock.now().getTime();
  let isLate = false;
  const seen = await pollUntil(look, {
    isEnough,
    pausesMs,
    sleep(ms) {
      isLate = true;
      onStep?.({ kind: "readers" });
      return clock.sleep(ms, signal);
    },
  });
  if (isLate && isEnough(seen)) {
    const seconds = Math.ceil((clock.now().getTime() - startedAt) / 1000);
    api.learn({ shownAfterMs: Math.max(api.dialect.shownAfterMs ?? 0, seconds * 1000) });
  }
  return seen;
}
