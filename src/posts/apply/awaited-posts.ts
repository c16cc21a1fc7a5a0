import type { ImprintError } from "../../base/error.ts";
import { isHiddenStatus, isPassingStatus } from "../../contract/dialect.ts";
import { isSamePost } from "../identity/identity.ts";
import type { KnownPosts } from "../identity/known-posts.ts";
import type { SitePost } from "../post.ts";
import type { PostsContext, PostsSession } from "./session.ts";
import { checkUnshown } from "./shown-posts.ts";
import { hiddenError } from "./unseen-errors.ts";

/** A host may change the status of a new post a moment later. */
const PASSES_WITHIN_MS = 10_000;

/**
 * Looks again for new posts that the service accepted but didn't show: some may need approval. Returns the errors to
 * report; posts that readers see by now are recorded as shown.
 */
export async function findAwaitedPosts(
  posts: readonly SitePost[],
  context: PostsContext & { readonly session: PostsSession },
): Promise<ReadonlyMap<string, ImprintError>> {
  const { session, repository } = context;
  const found = new Map<string, ImprintError>();
  if (posts.length === 0) return found;
  const listedIn = ({ posts: listed }: KnownPosts, slug: string) => {
    const entry = repository.ledger.entries.get(slug);
    return entry && listed.find(({ record }) => isSamePost(record, { slug, entry }));
  };
  const isPassing = (known: KnownPosts) =>
    posts.some(({ slug }) => isPassingStatus(listedIn(known, slug)?.record.status));
  if (isPassing(session.known)) await session.awaitList((known) => !isPassing(known), PASSES_WITHIN_MS);
  for (const post of posts) {
    const entry = repository.ledger.entries.get(post.slug);
    const known = listedIn(session.known, post.slug);
    if (entry === undefined) continue;
    const status = known?.record.status;
    const error = isHiddenStatus(status)
      ? hiddenError(post, status)
      : await checkUnshown({ post, entry, known }, context);
    if (error !== undefined) found.set(post.slug, error);
  }
  return found;
}
