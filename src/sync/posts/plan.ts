import type { Capabilities } from "../../client/api.ts";
import type { SitePost } from "../../site/model.ts";
import type { HeldFile, PostChange } from "./changes.ts";
import { isSameSource } from "./identity.ts";
import type { KnownPosts } from "./known-posts.ts";
import { planPost } from "./plan-post.ts";
import { planHeld, planOrphans } from "./plan-left-over.ts";

/** What the local side wants of the blog. */
export interface WantedPosts {
  readonly posts: readonly SitePost[];
  /** Name of the collection: part of what a post is recognised by. */
  readonly collection: string;
  /** Id of the project: a post of another one is never ours. */
  readonly project: string;
  readonly held: readonly HeldFile[];
  /** Files of published posts that are there and were not read. */
  readonly unread?: ReadonlySet<string> | undefined;
  /** Ids that stand in more than one file. */
  readonly sharedIds?: ReadonlySet<string>;
}

export interface PostRules {
  readonly capabilities: Pick<Capabilities, "operations">;
  /** Whether posts whose file is gone are deleted, where the service can do that. */
  readonly prune: boolean;
}

/**
 * Decides about every post. Pure. A post can't be deleted, so that a duplicate would stay for ever: nothing is created
 * unless the list of posts is known to be whole.
 */
export function planPosts(wanted: WantedPosts, known: KnownPosts, rules: PostRules): readonly PostChange[] {
  const former = findRenames(wanted, known);
  const sharedIds = findSharedIds(wanted.posts);
  const changes = wanted.posts.map((post) => {
    const formerSlug = former.get(post.slug);
    return planPost(post, { wanted: { ...wanted, sharedIds }, known, rules, formerSlug });
  });
  const renamed = new Set(former.values());
  return [...changes, ...planHeld(wanted, known, rules), ...planOrphans(wanted, known, { rules, renamed })];
}

function findSharedIds(posts: readonly SitePost[]): ReadonlySet<string> {
  const ids = posts.flatMap(({ remoteId }) => remoteId ?? []);
  return new Set(ids.filter((id, index) => ids.indexOf(id) < index));
}

/**
 * The former slug of posts whose file has another name, by the slug of today: the old file is gone and a new one, which
 * nobody has heard of, has the same content.
 */
function findRenames(
  { posts, held, unread = new Set() }: WantedPosts,
  { ledger }: KnownPosts,
): ReadonlyMap<string, string> {
  const files = new Set([...[...posts, ...held].map(({ file }) => file), ...unread]);
  const slugs = new Set(posts.map(({ slug }) => slug));
  const lost = [...ledger.entries].filter(([slug, { file }]) => !slugs.has(slug) && !files.has(file));
  const renames = new Map<string, string>();
  for (const post of posts) {
    if (ledger.entries.has(post.slug)) continue;
    const index = lost.findIndex(([, { source }]) => isSameSource(source, post.sourceHash));
    const [slug] = lost[index] ?? [];
    if (slug === undefined) continue;
    renames.set(post.slug, slug);
    lost.splice(index, 1);
  }
  return renames;
}
