import type { Clock } from "../identity/clock.ts";
import type { SitePost } from "../../site/model.ts";
import type { PostFailure } from "./failure.ts";
import type { PostStore } from "../memory/keeper.ts";

/** What posts need of the world beside the service. */
export interface PostsPort {
  readonly store: PostStore;
  readonly clock: Clock;
  /** Tells what a request that failed may have done. */
  readonly readFailure: (error: unknown) => PostFailure;
  /** Whether to wait for posts that a run which was cut off may have created; a run that only plans does not. */
  readonly waits: boolean;
  readonly signal: AbortSignal | undefined;
  /** Writes the id of a new post into its file; gives what the author has to know where that can't be done. */
  readonly writeId?: ((post: SitePost, id: string) => Promise<string | undefined>) | undefined;
}
