import { ImprintError } from "../../base/error.ts";
import type { PostCreateBody } from "../../contract/operations/blogs.ts";
import type { SitePost } from "../post.ts";
import type { PostFailure } from "./port.ts";
import type { PostRepository } from "../memory/repository.ts";
import { refreshPosts, type KnownPosts, type PostsSource } from "../identity/known-posts.ts";
import { settleMs } from "../memory/ledger.ts";
import type { PostsPlanner, WantedPosts } from "../plan/plan.ts";
import type { PostAddresses } from "./payloads.ts";
import type { PostChange } from "../plan/changes.ts";
import type { Outcome } from "../../base/outcome.ts";

/** What writing posts works with. */
export interface PostsContext extends PostsSource {
  readonly repository: PostRepository;
  readonly wanted: WantedPosts;
  /** Plans from a view of the blog. */
  readonly plan: (known: KnownPosts) => PostsPlanner;
  /** What the plan was made from. */
  readonly known: KnownPosts;
  /** Fills in the addresses of images; throws `ASSET_MISSING` when one could not be uploaded or does not answer. */
  readonly payload: (post: SitePost) => Promise<PostCreateBody & { readonly html: string }>;
  readonly addresses: PostAddresses;
  /** Where a file is, by its hash. */
  readonly addressOf: (hash: string) => string | undefined;
  /** Makes the key of one attempt. */
  readonly newKey: () => string;
  /** Writes the id of a new post into its file; gives what the author has to know where that can't be done. */
  readonly writeId?: ((post: SitePost, id: string) => Promise<string | undefined>) | undefined;
  /** Says what a request that failed may have done. */
  readonly readFailure: (error: unknown) => PostFailure;
  readonly onOutcome: (outcome: Outcome) => void;
}

/** The view of the blog during a run: read again and again, planned against each time. */
export interface PostsSession {
  readonly known: KnownPosts;
  /** Reads the list again. */
  refresh(): Promise<KnownPosts>;
  /** What is to be done about a post, by what was read last. */
  planned(slug: string): PostChange | undefined;
  /**
   * Reads the list again and again, with growing pauses, until `isThere` says yes or the time is over; whether it did.
   */
  awaitList(isThere: (known: KnownPosts) => boolean, windowMs: number): Promise<boolean>;
}

const PAUSES_MS = [0, 1000, 2000, 4000, 8000];
const LAST_PAUSE_MS = 15_000;

export function createPostsSession(context: PostsContext): PostsSession {
  const { repository, clock, signal } = context;
  let known = context.known;
  let planner: PostsPlanner | undefined;
  let version: number | undefined;

  async function refresh(): Promise<KnownPosts> {
    known = await refreshPosts(context, known, repository.ledger);
    planner = undefined;
    return known;
  }

  // Planning looks at the whole blog, so that it is done once for each state of it.
  function currentPlanner(): PostsPlanner {
    if (planner === undefined || version !== repository.version) {
      planner = context.plan({ ...known, ledger: repository.ledger, readAt: clock.now() });
      version = repository.version;
    }
    return planner;
  }

  return {
    get known() {
      return { ...known, ledger: repository.ledger };
    },
    refresh,
    planned: (slug) => currentPlanner().one(slug),
    async awaitList(isThere, windowMs) {
      const end = clock.now().getTime() + windowMs;
      for (let tries = 0; ; tries++) {
        const pause = PAUSES_MS[tries] ?? LAST_PAUSE_MS;
        if (tries > 0 && clock.now().getTime() + pause > end) return false;
        await clock.sleep(pause, signal);
        if (isThere(await refresh())) return true;
      }
    },
  };
}

/** How long a post whose answer was lost is looked for. */
export function readBackMs(repository: PostRepository): number {
  return settleMs(repository.ledger.learned);
}

/** Throws `ABORTED` when the run was interrupted: no further post is begun then. */
export function stopIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new ImprintError("ABORTED", "The run was interrupted between two posts.");
}
