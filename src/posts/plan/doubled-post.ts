// A blog that shows one post of ours twice: two copies, or one that the service wrote over another post of ours.
import { slugOfRecord, type RemotePost } from "../identity/identity.ts";
import { postUid } from "../identity/marker.ts";
import type { SitePost } from "../post.ts";
import { block, describeLacks, overwrittenPart, placeOf, restoreHint } from "./block-post.ts";
import type { PostChange } from "./changes.ts";
import type { BlogView } from "./plan.ts";

type Blocked = Extract<PostChange, { kind: "blocked" }>;

/** The blog has it more than once. Nothing is sent; the author must delete the extra posts. */
export function duplicate(
  post: SitePost,
  matches: readonly RemotePost[],
  { wanted }: Pick<BlogView, "wanted">,
): Blocked {
  const places = matches.map(placeOf);
  // Another post of this site has the address of one of them.
  const over = wanted.posts.find(
    ({ slug }) => slug !== post.slug && matches.some(({ record }) => slugOfRecord(record) === slug),
  );
  return block(post, {
    state: "duplicate",
    reason: `the blog has it ${matches.length} times: ${places.join(", ")}`,
    hint: over === undefined ? DELETE_OTHERS : overwrittenHint(over),
    places,
  });
}

const DELETE_OTHERS = "Keep one, and delete the others in the service's dashboard.";

function overwrittenHint({ slug }: SitePost): string {
  return `Don't delete the one at the address of ${slug}: it may be ${slug}, over which the service wrote this post. ${restoreHint(slug)}`;
}

/** Returns the post at the address of ours that shows another post of ours, which the blog also has elsewhere. */
export function findOverwrittenBy(
  { record, marker }: RemotePost,
  { wanted: { posts, collection }, index }: Pick<BlogView, "wanted" | "index">,
): SitePost | undefined {
  if (marker === undefined || (index.byUid.get(marker.uid) ?? []).length < 2) return undefined;
  return posts.find(({ slug }) => slug !== slugOfRecord(record) && postUid({ collection, slug }) === marker.uid);
}

/** A post over which the service seems to have written another one. */
export function overwritten(post: SitePost, known: RemotePost, by: SitePost): Blocked {
  const reason = describeLacks([overwrittenPart(by.slug)]);
  return block(post, { state: "blocked", reason, hint: restoreHint(post.slug), places: [placeOf(known)] });
}
