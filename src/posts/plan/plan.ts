import type { Capabilities, Post } from "../../client/api.ts";
import type { SitePost } from "../post.ts";
import type { HeldFile, PostChange } from "./changes.ts";
import { findFormerPosts, findWithoutFile, type Former, type FormerQuestion } from "../identity/former-posts.ts";
import { findMatches, indexPosts, isSamePost, type PostIndex, type RemotePost } from "../identity/identity.ts";
import type { KnownPosts } from "../identity/known-posts.ts";
import { postUid } from "../identity/marker.ts";
import { isRewrittenCopy } from "../identity/resemblance.ts";
import { isWrittenOver } from "../identity/written-over.ts";
import { findHiddenPosts } from "./block-post.ts";
import { planPost, type PlanPostContext } from "./plan-post.ts";
import { planHeld, planOrphans } from "./plan-left-over.ts";

/** What the local side wants on the blog. */
export interface WantedPosts {
  readonly posts: readonly SitePost[];
  /** Name of the collection, part of a post's identity. */
  readonly collection: string;
  /** Id of the project. A post of another project is never ours. */
  readonly project: string;
  /** Whether there is no trace of an earlier publish, so that a post of any project may be ours. Default: false. */
  readonly isFresh?: boolean | undefined;
  /** Post files that aren't to be published or can't be read. */
  readonly held: readonly HeldFile[];
  /** Files of published posts that exist but that this run doesn't read. */
  readonly unread?: ReadonlySet<string> | undefined;
  /** Former names of files, by file, as recorded in the git repository. */
  readonly renamedFrom?: ReadonlyMap<string, readonly FormerFile[]> | undefined;
}

/** A former name of a post file. */
export interface FormerFile {
  readonly file: string;
  /** The slug derived from the file name. */
  readonly slug: string;
}

export interface PostRules {
  readonly capabilities: Pick<Capabilities, "operations"> & Partial<Pick<Capabilities, "clockAheadMs">>;
  /** Whether to delete posts whose file is gone, if the service supports that. */
  readonly prune: boolean;
  /** Returns the library address of an image by its hash. */
  readonly addressOf?: (hash: string) => string | undefined;
}

/** What the local side wants on a blog, and what is known about the blog. */
export interface BlogView {
  readonly wanted: WantedPosts;
  readonly known: KnownPosts;
  readonly rules: PostRules;
  readonly index: PostIndex;
}

/** Plans posts from one view of the blog. */
export interface PostsPlanner {
  /** Plans every post. */
  all(): readonly PostChange[];
  /** Plans the local post with this slug; `undefined` if there is none. */
  one(slug: string): PostChange | undefined;
}

/**
 * Plans every post. Pure. Since a post can't be deleted, a duplicate would be permanent: nothing is created unless the
 * list of posts is known to be complete.
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
    hidden: findHiddenPosts(wanted, known).filter((remote) => !isWrittenOver(remote, known.ledger)),
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

/** A post that has the name of a file that is, or may be, another post isn't accounted for by that file. */
function withoutMoved(matches: FormerQuestion["matches"], formers: ReadonlyMap<string, Former>) {
  return new Map([...matches].filter(([slug]) => !formers.has(slug)));
}

function formerSlugOf(former: Former | undefined): string | undefined {
  return former?.kind === "is" ? former.former.slug : undefined;
}

/** The local post that each listed post is known to belong to, according to its entry. */
export type Owners = ReadonlyMap<Post, string>;

/** Owner of a post over which the service wrote one of ours: no post has this slug. */
const NOBODY = "";

/** `names` maps each local post to the slug under which it is remembered. */
function findOwners({ posts, ledger }: KnownPosts, names: ReadonlyMap<string, string>): Owners {
  const byId = new Map<string, string>();
  const rest: (readonly [string, string])[] = [];
  for (const [slug, name] of names) {
    const id = ledger.entries.get(name)?.id;
    if (id !== undefined) byId.set(id, slug);
    else if (ledger.entries.has(name)) rest.push([slug, name]);
  }
  const owners = new Map<Post, string>();
  for (const remote of posts) {
    const { record } = remote;
    const owner = byId.get(record.id ?? "") ?? rest.find(([, name]) => isEntryOf(record, name, ledger))?.[0];
    if (owner !== undefined) owners.set(record, owner);
    else if (isWrittenOver(remote, ledger)) owners.set(record, NOBODY);
  }
  return owners;
}

function isEntryOf(record: Post, slug: string, { entries }: KnownPosts["ledger"]): boolean {
  const entry = entries.get(slug);
  return entry !== undefined && isSamePost(record, { slug, entry });
}

/** The posts of the blog that local posts match by their own names. */
function matchPosts(
  { wanted: { posts, collection, project }, known, index }: BlogView,
  owners: Owners,
): ReadonlyMap<string, readonly RemotePost[]> {
  return new Map(
    posts.map((post) => {
      const { slug, remoteId } = post;
      const entry = known.ledger.entries.get(slug);
      const isTaken = (found: RemotePost) =>
        (owners.get(found.record) ?? slug) !== slug || isRewrittenCopy(found, { slug, post, entry });
      const identity = { slug, uid: postUid({ collection, slug }), post, remoteId, entry, isTaken };
      return [slug, findMatches(identity, index, project)];
    }),
  );
}

function findSharedIds(posts: readonly SitePost[]): ReadonlySet<string> {
  const ids = posts.flatMap(({ remoteId }) => remoteId ?? []);
  return new Set(ids.filter((id, place) => ids.indexOf(id) < place));
}
