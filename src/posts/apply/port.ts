import type { Clock } from "../identity/known-posts.ts";
import type { SitePost } from "../post.ts";
import type { PostStore } from "../memory/repository.ts";

/** What posts need besides the service. */
export interface PostsPort {
  readonly store: PostStore;
  readonly clock: Clock;
  /** Determines what a failed request may have done. */
  readonly readFailure: (error: unknown) => PostFailure;
  /** Whether to wait for posts that an interrupted run may have created. A run that only plans doesn't. */
  readonly waits: boolean;
  readonly signal: AbortSignal | undefined;
  /** Writes the id of a new post into its file. Returns a note for the author if that isn't possible. */
  readonly writeId?: ((post: SitePost, id: string) => Promise<string | undefined>) | undefined;
}

/** A failed request to create a post, as read by the client. */
export interface PostFailure {
  /** Whether the post may have been created anyway. */
  readonly outcome: "not-sent" | "refused" | "throttled" | "ambiguous";
  readonly status?: number | undefined;
  readonly problemCode?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  /** Whether the service refused it because it wants the text as Markdown. */
  readonly wantsMarkdown?: boolean;
}

/**
 * What to do after a failure:
 * - `again`: nothing arrived; it can be sent again.
 * - `later`: rate limited; check the list, then send it again.
 * - `refused`: the service rejects this post.
 * - `look`: the post may exist, from this attempt or an earlier one. The list decides.
 */
export type PostVerdict = "again" | "later" | "refused" | "look";

/** Classifies a failure. Anything uncertain is `look`. */
export function classifyFailure({ outcome, status, problemCode }: PostFailure): PostVerdict {
  if (outcome === "not-sent") return "again";
  if (outcome === "throttled") return "later";
  // The redirect wasn't followed, since a POST would become a GET. Whoever sent it did nothing.
  if (status !== undefined && status >= 300 && status < 400) return "refused";
  if (problemCode?.startsWith("idempotency_") === true) return "look";
  return outcome === "refused" ? "refused" : "look";
}

/** Whether the service clearly refuses a post because it has such a one. */
export function isConflict({ status, problemCode }: PostFailure): boolean {
  return status === 409 && problemCode?.startsWith("idempotency_") !== true;
}

/** Whether this response means that no other post can succeed either. */
export function endsRun({ status }: PostFailure): boolean {
  return status === 401 || status === 402 || status === 403 || (status !== undefined && status >= 300 && status < 400);
}
