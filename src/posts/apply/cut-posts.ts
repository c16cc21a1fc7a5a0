import { ImprintError } from "../../base/error.ts";
import { isSamePost } from "../identity/identity.ts";
import { visitHtml } from "../identity/known-posts.ts";
import { shinglesOf } from "../identity/resemblance.ts";
import type { PostEntry } from "../memory/ledger.ts";
import { cutHint } from "../plan/block-post.ts";
import type { SitePost } from "../post.ts";
import type { PostsContext, PostsSession } from "./session.ts";

interface CutContext extends Pick<PostsContext, "api" | "repository" | "signal"> {
  readonly session: PostsSession;
}

/**
 * Finds which of the posts created in this run the service cut off, and records them, with the error to report. Opens
 * the longest first, until one is whole. Our own service never cuts a post.
 */
export async function findCutPosts(
  posts: readonly SitePost[],
  context: CutContext,
): Promise<ReadonlyMap<string, ImprintError>> {
  const { api, repository } = context;
  const found = new Map<string, ImprintError>();
  if (api.capabilities.account !== undefined) return found;
  for (const post of posts.toSorted((one, other) => other.html.length - one.html.length)) {
    const entry = repository.ledger.entries.get(post.slug);
    if (entry === undefined) continue;
    const share = await findShareShown(post, entry, context);
    if (share === undefined) break;
    await repository.record(new Map([[post.slug, { ...entry, cut: true }]]));
    const message = `${post.file} was published, but the service cuts it off: readers see ${share} % of it.`;
    found.set(post.slug, new ImprintError("NOT_LIVE", message, { hint: cutHint(post.slug) }));
  }
  return found;
}

// A host may change punctuation, so any three words in a row from the first or last dozen identify an edge.
const EDGE = 10;
/** A list may show excerpts under the name of the text. */
const LONGEST_EXCERPT = 200;

/** Returns the percentage that readers see of a post whose beginning they see, but not its end. */
async function findShareShown(post: SitePost, entry: PostEntry, context: CutContext): Promise<number | undefined> {
  const { posts } = context.session.known;
  const listed = posts.find(({ record }) => isSamePost(record, { slug: post.slug, entry }))?.record;
  const url = entry.url ?? listed?.url;
  const page = url === undefined ? undefined : await visitHtml(url, context);
  const wanted = [...shinglesOf(post.html)];
  if (wanted.length < 2 * EDGE) return undefined;
  for (const { html = "", least } of [
    { html: page, least: 0 },
    { html: listed?.html, least: LONGEST_EXCERPT },
  ]) {
    const shown = shinglesOf(html);
    if (!wanted.slice(0, EDGE).some((words) => shown.has(words))) continue;
    if (wanted.slice(-EDGE).some((words) => shown.has(words))) return undefined;
    const end = wanted.findLastIndex((words) => shown.has(words)) + 1;
    if (end > least) return Math.round((100 * end) / wanted.length);
  }
  return undefined;
}
