import { findPostPlaceholders } from "../../html/post-placeholders.ts";
import type { SitePost } from "../../site/model.ts";
import { slugOfRecord } from "../identity/identity.ts";
import type { PostKeeper } from "../memory/keeper.ts";
import type { KnownPosts } from "../identity/known-posts.ts";

/** The addresses of posts in the blog, by the slug of the local post. */
export interface PostAddresses {
  /** Where a post surely is. */
  find(slug: string): string | undefined;
  /** Where a post is, or will most likely be: where the others are. */
  guess(slug: string): string | undefined;
  /** Slugs that a post links to and that have no address yet. */
  missing(post: SitePost): readonly string[];
}

export function createPostAddresses({
  keeper,
  known,
}: {
  readonly keeper: Pick<PostKeeper, "ledger">;
  readonly known: KnownPosts;
}): PostAddresses {
  const listed = new Map(known.posts.map(({ record }) => [slugOfRecord(record), record.url]));
  const find = (slug: string): string | undefined => {
    const entry = keeper.ledger.entries.get(slug);
    return entry?.url ?? listed.get(entry?.remoteSlug ?? slug);
  };
  // What stands before the slug in the address of any post: the same for all, so that it is looked for once.
  let prefix: string | undefined;
  function findPrefix(): string | undefined {
    if (prefix !== undefined) return prefix;
    const own = [...keeper.ledger.entries].map(([name, { url, remoteSlug = name }]) => [remoteSlug, url] as const);
    const like = [...own, ...listed].find(([name, url]) => name !== undefined && url?.endsWith(`/${name}`) === true);
    const [name = "", url] = like ?? [];
    prefix = url?.slice(0, -name.length);
    return prefix;
  }
  return {
    find,
    guess(slug) {
      const like = find(slug) === undefined ? findPrefix() : undefined;
      return find(slug) ?? (like === undefined ? undefined : like + slug);
    },
    missing: ({ html, slug: own }) =>
      findPostPlaceholders(html).filter((slug) => slug !== own && find(slug) === undefined),
  };
}
