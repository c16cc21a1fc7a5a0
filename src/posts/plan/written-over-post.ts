// New posts that a service wrote over another one of its blog, or would.
import { isSamePost, isSameTitle, slugOfRecord, type RemotePost } from "../identity/identity.ts";
import { postUid } from "../identity/marker.ts";
import { findWrittenOver, isAlike } from "../identity/written-over.ts";
import type { WrittenOver } from "../memory/ledger.ts";
import type { SitePost } from "../post.ts";
import { block, titleOf } from "./block-post.ts";
import type { PostChange } from "./changes.ts";
import type { BlogView } from "./plan.ts";

type Blocked = Extract<PostChange, { kind: "blocked" }>;

/** Plans a new post that the service wrote over another one, until that one is restored and this one is changed. */
export function planWrittenOver(post: SitePost, { known, wanted }: BlogView): Blocked | undefined {
  const { ledger, posts, completeness } = known;
  const over = ledger.writtenOver?.get(post.slug);
  if (over === undefined || ledger.entries.has(post.slug)) return undefined;
  const remote = findWrittenOver(over, posts);
  if (remote === undefined && completeness.kind === "proven") return undefined;
  const [ours, { file = "" } = {}] =
    [...ledger.entries].find(([slug, entry]) => isSamePost(over, { slug, entry })) ?? [];
  const isOurs = ours !== undefined;
  const uid = postUid({ collection: wanted.collection, slug: post.slug });
  const isThere = !isOurs && remote !== undefined && showsNew(remote, { over, uid });
  if (!isThere && !isSameTitle(over.sent, post.title)) return undefined;
  return block(post, {
    state: "foreign",
    reason: `the service wrote it over ${isOurs ? file : "another post of the blog"}, ${describeOver(over)}`,
    hint: overHint(over, { post, isOurs }),
    places: [over.url ?? over.id ?? over.slug ?? ""],
  });
}

function showsNew(
  { record, marker }: RemotePost,
  { over, uid }: { readonly over: WrittenOver; readonly uid: string },
): boolean {
  if (record.html !== undefined && marker !== undefined) return marker.uid === uid;
  return isSameTitle(record.title, over.sent) && !isSameTitle(over.title, over.sent);
}

/** Names a post over which the service wrote another one, with all that is known to identify it. */
export function describeOver({ id, url, slug, title }: Omit<WrittenOver, "sent">): string {
  const facts = [url, id, slug === undefined ? undefined : `slug "${slug}"`].filter((fact) => fact !== undefined);
  return `${title === undefined ? "" : `"${title}" `}(${facts.join(", ")})`;
}

/** Returns what to do about a post over which the service wrote a new one, if it isn't ours. */
export function overHint(
  { id, slug }: Omit<WrittenOver, "sent">,
  { post, isOurs }: { readonly post: SitePost; readonly isOurs: boolean },
): string {
  const change = `Give ${post.file} another title and \`slug\``;
  if (isOurs) return `${change}.`;
  const name = id ?? slug;
  const link = name === undefined ? "" : ` To keep yours there, run \`imprint posts rename ${name} ${post.slug}\`.`;
  return `Restore that post in the service's dashboard. ${change}.${link}`;
}

/** Holds a post that the service would write over another one, as it did before. */
export function planAlike(post: SitePost, { known, wanted }: BlogView): Blocked | undefined {
  const { ledger, posts } = known;
  const { newPostOver: likeness } = ledger.learned;
  if (likeness === undefined || (likeness === "any" && ledger.newPosts?.has(post.slug) === true)) return undefined;
  const listed = posts.map(({ record }) => ({ ...record, slug: slugOfRecord(record) }));
  // The list may be late.
  const own = wanted.posts.flatMap(({ slug, title }) => {
    const entry = ledger.entries.get(slug);
    return entry === undefined ? [] : [{ title, slug: entry.remoteSlug ?? slug, id: entry.id, url: entry.url }];
  });
  const held = [...listed, ...own].find((each) => isAlike(post, each, likeness));
  if (held === undefined) return undefined;
  const isAny = likeness === "any";
  const hint = isAny
    ? `Publish it in the service's dashboard, or run \`imprint posts new-post ${post.slug}\` to try it anyway.`
    : `Give your post another ${likeness === "title" ? "title" : "`slug`"}.`;
  return block(post, {
    state: isAny ? "resembles" : "foreign",
    reason: isAny
      ? "the service wrote a new post over another one of the blog before"
      : `the service would write it over another post of the blog${titleOf(held.title)}, as it did before`,
    hint,
    places: [held.url ?? held.id ?? held.slug ?? ""],
  });
}
