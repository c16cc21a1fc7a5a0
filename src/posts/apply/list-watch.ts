import { pluralize } from "../../base/pluralize.ts";
import { isAwaited, isUsualCut } from "../identity/completeness.ts";
import { isSamePost } from "../identity/identity.ts";
import { settleMs, type PostEntry, type PostLedger } from "../memory/ledger.ts";
import type { PostsContext, PostsSession } from "./session.ts";
import type { KnownPosts } from "../identity/known-posts.ts";

/**
 * Checks that the list grows with the posts of this run. A list that doesn't grow can't show whether the next post
 * already exists, so no more are created.
 */
export interface ListWatch {
  /** Posts created in this run. */
  readonly created: number;
  /** Why no more posts are created, if creation stopped. */
  readonly stopReason: string | undefined;
  stop(reason: string): void;
  /** Slugs of posts of this run that the service accepted and hadn't shown when it was last looked at. */
  readonly awaited: Set<string>;
  /** Called after each creation. */
  afterCreation(): Promise<void>;
}

export interface WatchContext extends PostsContext {
  readonly session: PostsSession;
  /** The list is read after the first creation and then after every `looksEvery` creations. */
  readonly looksEvery: number;
}

export function createListWatch(context: WatchContext): ListWatch {
  let created = 0;
  let stopReason: string | undefined;
  const awaited = new Set<string>();
  const watch: ListWatch = {
    get created() {
      return created;
    },
    get stopReason() {
      return stopReason;
    },
    stop(reason) {
      stopReason ??= reason;
    },
    awaited,
    async afterCreation() {
      created += 1;
      if (created === 1 || created % context.looksEvery === 0) await awaitOwnPosts(context, watch);
    },
  };
  return watch;
}

// Long, because a late list is no fault yet, and a run that knows how late it is can safely continue.
const LONGEST_LAG_MS = 300_000;

/** Waits until the list shows every post that we published, and records how late it was. */
export async function awaitOwnPosts(
  context: Omit<WatchContext, "looksEvery">,
  watch: Pick<ListWatch, "stop" | "awaited">,
): Promise<void> {
  const { session, repository, clock } = context;
  const startedAt = clock.now().getTime();
  const mayBeCut = isUsualCut({ listing: session.known.listing, ledger: repository.ledger });
  const isFull = mayBeCut && session.known.listing.items.length === repository.ledger.learned.pageSize;
  // The list of an earlier run didn't grow beyond that either.
  const isShort = mayBeCut || hidesNewPosts(session.known, repository.ledger);
  const windowMs = isFull ? 0 : isShort ? settleMs(repository.ledger.learned) : LONGEST_LAG_MS;
  await session.awaitList((known) => judge(known, context) !== "late", windowMs);
  const { listing } = session.known;
  const judgement = judge(session.known, context);
  if (judgement === "complete") {
    // In whole seconds: the lock file is committed, and the duration of a single request isn't lag.
    const lag = Math.round((clock.now().getTime() - startedAt) / 1000) * 1000;
    const { listLagMs } = repository.ledger.learned;
    if (listLagMs === undefined || lag > listLagMs) await repository.learn({ listLagMs: lag });
    return;
  }
  const count = listing.items.length;
  const isCut = judgement === "cut" || isUsualCut({ listing, ledger: repository.ledger });
  if (isCut && listing.end === "assumed") await repository.learn({ pageSize: count });
  if (!isCut) {
    const isApproving = hidesNewPosts(session.known, repository.ledger);
    await recordUnlisted(context, watch);
    if (isApproving) return;
  }
  watch.stop(
    isCut
      ? `the service's list ends after ${pluralize(count, "post")}, so it can't show whether this one exists`
      : "the service doesn't list a post that was just published",
  );
}

/** Whether the service shows new posts only once somebody approved them, as posts of earlier runs show. */
function hidesNewPosts({ listing }: KnownPosts, { entries, fresh }: PostLedger): boolean {
  return [...entries].some(
    ([slug, entry]) => isAwaited(entry) && fresh?.has(slug) !== true && !isListed(listing, { slug, entry }),
  );
}

function isListed(
  { items }: KnownPosts["listing"],
  post: { readonly slug: string; readonly entry: PostEntry },
): boolean {
  return items.some((record) => isSamePost(record, post));
}

/** Records that the list doesn't show posts of this run. */
async function recordUnlisted(
  { session, repository }: Pick<WatchContext, "session" | "repository">,
  { awaited }: Pick<ListWatch, "awaited">,
): Promise<void> {
  const { entries, fresh = new Set() } = repository.ledger;
  const { listing } = session.known;
  const missing = [...entries].filter(([slug, entry]) => fresh.has(slug) && !isListed(listing, { slug, entry }));
  for (const [slug] of missing) awaited.add(slug);
  await repository.record(new Map(missing.map(([slug, entry]) => [slug, { ...entry, unshown: true }])));
}

/** `cut`: the list shows a post but lacks an older one, which lateness can't explain. */
function judge(
  { listing, gone, unlisted }: KnownPosts,
  { repository }: Pick<WatchContext, "repository">,
): "complete" | "late" | "cut" {
  const ids = new Set(listing.items.map(({ id }) => id));
  const isShown = ([slug, entry]: readonly [string, PostEntry]) =>
    (entry.id !== undefined && ids.has(entry.id)) || isListed(listing, { slug, entry });
  const entries = [...repository.ledger.entries].filter(
    ([slug, entry]) => !gone.has(slug) && unlisted?.has(slug) !== true && !isAwaited(entry),
  );
  const missing = entries.filter((each) => !isShown(each)).map(([, { createdAt }]) => createdAt);
  const newest = entries.filter(isShown).map(([, { createdAt }]) => createdAt);
  if (missing.length === 0) return "complete";
  return newest.some((shown) => missing.some((hidden) => hidden < shown)) ? "cut" : "late";
}
