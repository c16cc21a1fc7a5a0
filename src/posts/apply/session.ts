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

/** What is needed to write posts. */
export interface PostsContext extends PostsSource {
  readonly repository: PostRepository;
  /** Whether this run created the blog. */
  readonly blogIsNew: boolean;
  readonly wanted: WantedPosts;
  /** Creates a planner from a view of the blog. */
  readonly plan: (known: KnownPosts) => PostsPlanner;
  /** The view of the blog that the plan was made from. */
  readonly known: KnownPosts;
  /**
   * Fills in image addresses. The text is HTML, or Markdown if the service is known to accept only that, or on request.
   * Throws `ASSET_MISSING` if an image couldn't be uploaded or isn't reachable.
   */
  readonly payload: (post: SitePost, form?: "markdown") => Promise<PostCreateBody>;
  readonly addresses: PostAddresses;
  /** Returns the address of a file by its hash. */
  readonly addressOf: (hash: string) => string | undefined;
  /** Addresses of the pages that this run deletes after the posts, without query and fragment. */
  readonly deletedPages: ReadonlySet<string>;
  /** Creates the idempotency key of one attempt. */
  readonly newKey: () => string;
  /** Writes the id of a new post into its file. Returns a note for the author if that isn't possible. */
  readonly writeId?: ((post: SitePost, id: string) => Promise<string | undefined>) | undefined;
  /** Determines what a failed request may have done. */
  readonly readFailure: (error: unknown) => PostFailure;
  readonly onOutcome: (outcome: Outcome) => void;
}

/** The view of the blog during a run: read repeatedly, with a new plan each time. */
export interface PostsSession {
  readonly known: KnownPosts;
  /** Reads the list again. */
  refresh(): Promise<KnownPosts>;
  /** Returns the planned change of a post, based on the latest read. */
  planned(slug: string): PostChange | undefined;
  /**
   * Reads the list repeatedly, with growing pauses, until `isThere` returns true or the time is up. Returns whether it
   * did.
   */
  awaitList(isThere: (known: KnownPosts) => boolean, windowMs: number): Promise<boolean>;
  /** The same for a post that the service reported to have: it waits for one of them, and looks once for the others. */
  awaitHeld(isThere: (known: KnownPosts) => boolean): Promise<boolean>;
}

const PAUSES_MS = [0, 1000, 2000, 4000, 8000];
const LAST_PAUSE_MS = 15_000;
/** Enough for a second look: a service that knows of a post usually lists it. */
const HELD_MS = 1500;

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

  // Planning reads the whole blog, so it is done once per state.
  function currentPlanner(): PostsPlanner {
    if (planner === undefined || version !== repository.version) {
      planner = context.plan({ ...known, ledger: repository.ledger, readAt: clock.now() });
      version = repository.version;
    }
    return planner;
  }

  async function awaitList(isThere: (known: KnownPosts) => boolean, windowMs: number): Promise<boolean> {
    const end = clock.now().getTime() + windowMs;
    for (let tries = 0; ; tries++) {
      const pause = PAUSES_MS[tries] ?? LAST_PAUSE_MS;
      if (tries > 0 && clock.now().getTime() + pause > end) return false;
      await clock.sleep(pause, signal);
      if (isThere(await refresh())) return true;
    }
  }

  let isHeldUnseen = false;

  return {
    get known() {
      return { ...known, ledger: repository.ledger };
    },
    refresh,
    planned: (slug) => currentPlanner().one(slug),
    awaitList,
    async awaitHeld(isThere) {
      const { listLagMs = 0 } = repository.ledger.learned;
      const isSeen = await awaitList(isThere, isHeldUnseen ? 0 : Math.max(HELD_MS, 3 * listLagMs));
      isHeldUnseen ||= !isSeen;
      return isSeen;
    },
  };
}

/** How long to look for a post whose response was lost. */
export function readBackMs(repository: PostRepository): number {
  return settleMs(repository.ledger.learned);
}

/** A service that responds with the former title is unlikely to show another one later. */
const OLD_ANSWER_MS = 15_000;

/** How long to look for what became of a post that was sent again. */
export function showsAgainMs(
  { hasOtherTitle }: { readonly hasOtherTitle: boolean },
  repository: PostRepository,
): number {
  return hasOtherTitle ? OLD_ANSWER_MS : readBackMs(repository);
}

/** Throws `ABORTED` if the run was interrupted, so that no further post is started. */
export function stopIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted !== true) return;
  throw new ImprintError("ABORTED", "The run was interrupted between two posts.");
}
