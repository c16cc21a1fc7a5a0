import type { Clock } from "../identity/known-posts.ts";
import type { SitePost } from "../post.ts";
import type { PostStore } from "../memory/repository.ts";

/** What posts need of the world beside the service. */
export interface PostsPort {
  readonly store: PostStore;
  readonly clock: Clock;
  /** Says what a request that failed may have done. */
  readonly readFailure: (error: unknown) => PostFailure;
  /** Whether to wait for posts that a run which was cut off may have created; a run that only plans does not. */
  readonly waits: boolean;
  readonly signal: AbortSignal | undefined;
  /** Writes the id of a new post into its file; gives what the author has to know where that can't be done. */
  readonly writeId?: ((post: SitePost, id: string) => Promise<string | undefined>) | undefined;
}

/** What a request for a new post that failed says about itself, as the client read it. */
export interface PostFailure {
  /** Whether the post may have been created all the same. */
  readonly outcome: "not-sent" | "refused" | "throttled" | "ambiguous";
  readonly status?: number | undefined;
  readonly problemCode?: string | undefined;
  readonly retryAfterMs?: number | undefined;
}

/**
 * What to do after it:
 * - `again`: nothing arrived; it may be sent again.
 * - `later`: the service asks to wait; look at the list, then send it again.
 * - `refused`: the service does not take this post.
 * - `look`: it may be there, be it from now or from before. The list decides.
 */
export type PostVerdict = "again" | "later" | "refused" | "look";

/** Reads a failure. What is not surely known is `look`. */
export function judgeFailure({ outcome, status, problemCode }: PostFailure): PostVerdict {
  if (outcome === "not-sent") return "again";
  if (outcome === "throttled") return "later";
  // A redirect was not followed, since a POST would become a GET: whoever sent it did nothing.
  if (status !== undefined && status >= 300 && status < 400) return "refused";
  if (problemCode?.startsWith("idempotency_") === true) return "look";
  return outcome === "refused" ? "refused" : "look";
}

/** Whether no other post can succeed after this answer either. */
export function endsRun({ status }: PostFailure): boolean {
  return status === 401 || status === 402 || status === 403 || (status !== undefined && status >= 300 && status < 400);
}
