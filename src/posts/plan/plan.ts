import type { Capabilities, Post } from "../../client/api.ts";
import type { SitePost } from "../post.ts";
import type { HeldFile, PostChange } from "./changes.ts";
import { findFormerPosts, findWithoutFile, type Former, type FormerQuestion } from "../identity/former-posts.ts";
import { findMatches, indexPosts, isSamePost, type PostIndex, type RemotePost } from "../identity/identity.ts";
import type { KnownPosts } from "../identity/known-posts.ts";
import { postUid } from "../identity/marker.ts";
import { findHiddenPosts } from "./block-post.ts";
import { planPost, type PlanPostContext } from "./plan-post.ts";
import { planHeld, planOrphans } from "./plan-left-over.ts";

/** What the local side wants of the blog. */
export interface WantedPosts {
  readonly posts: readonly SitePost[];
  /** Name of the collection: part of what a post is recognized by. */
  readonly collection: string;
  /** Id of the project: a post of another one is never ours. */
  readonly project: string;
  /** Whether nothing shows that the project was ever published: a post of any project may be ours. Default: false. */
  readonly isFresh?: boolean | undefined;
  /** Post files that are not to be published, or can't be read. */
  readonly held: readonly HeldFile[];
  /** Files of published posts that are there and that this run does not read. */
  readonly unread?: ReadonlySet<string> | undefined;
  /** The names that files had before, by file, as the repository recorded it. */
  readonly renamedFrom?: ReadonlyMap<string, readonly FormerFile[]> | undefined;
}

/** A name that a file of a post had. */
export interface FormerFile {
  readonly file: string;
  /** The slug that the file's name gave. */
  readonly slug: string;
}

export interface PostRules {
  readonly capabilities: Pick<Capabilities, "operations">;
  /** Whether posts whose file is gone are deleted, where the service can do that. */
  readonly prune: boolean;
  /** Where the library has an image, by its hash. */
  readonly addressOf?: (hash: string) => string | undefined;
}

/** What the local side wants of a blog, and what is known of it. */
export interface BlogView {
  readonly wanted: WantedPosts;
  readonly known: KnownPosts;
  readonly rules: PostRules;
  readonly index: PostIndex;
}

/** Decides about posts from one view of the blog. */
export interface PostsPlanner {
  /** What is to be done about every post. */
  all(): readonly PostChange[];
  /** What is to be done about the local post of this slug; `undefined` when there is none. */
  one(slug: string): PostChange | undefined;
}

/**
 * Decides about every post. Pure. A post can't be deleted, so that a duplicate would stay for ever: nothing is created
 * unless the list of posts is known to be whole.
 */
export function planPosts(wanted: WantedPosts, known: KnownPosts, rules: PostRules): readonly PostChange[] {
  return createPostsPlanner(wanted, known, rules).all();
}

export function createPostsPlanner(wanted: WantedPosts, known: KnownPosts, rules: PostRules): PostsPlanner {
  const { entries } = known.ledger;
  const index = indexPosts(known.posts);
  const own = new Map(wanted.posts.map(({ slug }) => [slug, slug]));
  const view: BlogView = { wanted, known, rules, index };
  const matches = matchPosts(view, findOwners(known, own));
  const formers = findFormerPosts({ ...view, matches });
  const moved = new Set([...formers.values()].flatMap((former) => (former.kind === "is" ? former.former.slug : [])));
  const names = new Map(
    wanted.posts.flatMap(({ slug }) => {
      const name = formerSlugOf(formers.get(slug)) ?? (moved.has(slug) ? undefined : slug);
      return name === undefined ? [] : [[slug, name] as const];
    }),
  );
  const owners = findOwners(known, names);
  const context: PlanPostContext = {
    ...view,
    owners,
    sharedIds: findSharedIds(wanted.posts),
    formers,
    hidden: findHiddenPosts(wanted, known),
    entryOf: (slug) => entries.get(names.get(slug) ?? ""),
  };
  const bySlug = new Map(wanted.posts.map((post) => [post.slug, post]));
  const resembled = new Set(
    [...formers.values()].flatMap((former) =>
      former.kind === "resembles" ? former.formers.map(({ slug }) => slug) : [],
    ),
  );
  return {
    all: () => [
      ...wanted.posts.map((post) => planPost(post, context)),
      ...planHeld(view),
      ...planOrphans(
        findWithoutFile({ ...view, matches: withoutMoved(matches, formers) }).filter(
          ({ slug, remote }) => !moved.has(slug) && !(remote !== undefined && owners.has(remote.record)),
        ),
        { ...view, resembled },
      ),
    ],
    one: (slug) => {
      const post = bySlug.get(slug);
      return post === undefined ? undefined : planPost(post, context);
    },
  };
}

/** What has the name of a file that is, or may be, another post is not explained by it. */
function withoutMoved(matches: FormerQuestion["matches"], formers: ReadonlyMap<string, Former>) {
  return new Map([...matches].filter(([slug]) => !formers.has(slug)));
}

function formerSlugOf(former: Former | undefined): string | undefined {
  return former?.kind === "is" ? former.former.slug : undefined;
}

/** The local post that a listed one is known to belong to, by the entry that is remembered of it. */
export type Owners = ReadonlyMap<Post, string>;

/** `names` gives the slug under which each local post is remembered. */
function findOwners({ posts, ledger }: KnownPosts, names: ReadonlyMap<string, string>): Owners {
  const byId = new Map<string, string>();
  const rest: (readonly [string, string])[] = [];
  for (const [slug, name] of names) {
    const id = ledger.entries.get(name)?.id;
    if (id !== undefined) byId.set(id, slug);
    else if (ledger.entries.has(name)) rest.push([slug, name]);
  }
  const owners = new Map<Post, string>();
  for (const { record } of posts) {
    const owner = byId.get(record.id ?? "") ?? rest.find(([, name]) => isEntryOf(record, name, ledger))?.[0];
    if (owner !== undefined) owners.set(record, owner);
  }
  return owners;
}

function isEntryOf(record: Post, slug: string, { entries }: KnownPosts["ledger"]): boolean {
  const entry = entries.get(slug);
  return entry !== undefined && isSamePost(record, { slug, entry });
}

/** The posts of the blog that local posts have by their own names. */
function matchPosts(
  { wanted: { posts, collection, project }, known, index }: BlogView,
  owners: Owners,
): ReadonlyMap<string, readonly RemotePost[]> {
  return new Map(
    posts.map((post) => {
      const { slug, remoteId } = post;
      const entry = known.ledger.entries.get(slug);
      const isTaken = (record: Post) => (owners.get(record) ?? slug) !== slug;
      const identity = { slug, uid: postUid({ collection, slug }), post, remoteId, entry, isTaken };
      return [slug, findMatches(identity, index, project)];
    }),
  );
}

function findSharedIds(posts: readonly SitePost[]): ReadonlySet<string> {
  const ids = posts.flatMap(({ remoteId }) => remoteId ?? []);
  return new Set(ids.filter((id, place) => ids.indexOf(id) < place));
}
