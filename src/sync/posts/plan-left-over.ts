import type { HeldFile, PostChange } from "./changes.ts";
import { findMatches } from "./identity.ts";
import type { RemotePost } from "./identity.ts";
import type { KnownPosts } from "./known-posts.ts";
import type { PostEntry } from "./ledger.ts";
import { isOwnMarker, postUid } from "./marker.ts";
import type { PostRules, WantedPosts } from "./plan.ts";

const WORDS = {
  draft: "is a draft now",
  scheduled: "has a date to come",
  expired: "has expired",
  unclear: "may be hidden now",
} as const;

/** Posts that are published and that their authors hide now. */
export function planHeld(
  { held, collection, project }: WantedPosts,
  known: KnownPosts,
  { capabilities }: PostRules,
): readonly PostChange[] {
  return held.flatMap(({ file, slug, reason }): PostChange[] => {
    const found =
      slug === undefined || reason === "invalid" ? undefined : findOwn(slug, { collection, project, known });
    if (slug === undefined || reason === "invalid" || found === undefined) return [];
    const { remote, entry } = found;
    const isHidden = remote.record.status !== undefined && remote.record.status !== "published";
    if (isHidden) return [];
    const change = { name: slug, file, reason: `it is published, and its file ${WORDS[reason]}` };
    const { url } = remote.record;
    const places = url === undefined ? [] : [url];
    // Only its author can say whether an unclear post is hidden now: nothing is taken from its readers by a guess.
    if (reason !== "unclear" && capabilities.operations.has("posts.patch") && entry !== undefined) {
      return [{ kind: "update", state: "withdrawn", ...change, known: remote, entry }];
    }
    const say = reason === "unclear" ? "Set `posts.fields` or `posts.statuses` if it is to stay. Else take" : "Take";
    const hint = `${say} it back in the service's dashboard${url === undefined ? "" : `: ${url}`}.`;
    return [{ kind: "blocked", state: "cannot-unpublish", ...change, hint, places }];
  });
}

/** Posts that are published and whose file is gone. */
export function planOrphans(
  { posts, held, unread = new Set() }: WantedPosts,
  known: KnownPosts,
  { rules, renamed }: { readonly rules: PostRules; readonly renamed: ReadonlySet<string> },
): readonly PostChange[] {
  const slugs = new Set([...posts, ...held].map(({ slug }) => slug));
  const files = new Set([...[...posts, ...held].map(({ file }: Pick<HeldFile, "file">) => file), ...unread]);
  return [...known.ledger.entries].flatMap(([slug, entry]): PostChange[] => {
    if (slugs.has(slug) || files.has(entry.file) || renamed.has(slug)) return [];
    const remote = findListed(slug, { entry, known });
    if (remote === undefined) return [];
    const { url } = remote.record;
    const change = { name: slug, file: entry.file, reason: `its file ${entry.file} is gone` };
    if (rules.prune && rules.capabilities.operations.has("posts.delete")) {
      return [{ kind: "delete", state: "orphan", ...change, known: remote, entry }];
    }
    return [{ kind: "orphan", state: "orphan", ...change, url }];
  });
}

interface Own {
  readonly remote: RemotePost;
  readonly entry: PostEntry | undefined;
}

// A hidden file has no say over a post that only has the same slug: it has to be ours by memory or by marker.
function findOwn(
  slug: string,
  { collection, project, known }: Pick<WantedPosts, "collection" | "project"> & { readonly known: KnownPosts },
): Own | undefined {
  const entry = known.ledger.entries.get(slug);
  const uid = postUid({ collection, slug });
  const isMarked = ({ marker }: RemotePost) => marker?.uid === uid && isOwnMarker(marker, project);
  const remote = entry === undefined ? known.posts.find(isMarked) : findListed(slug, { entry, known });
  return remote === undefined ? undefined : { remote, entry };
}

function findListed(
  slug: string,
  { entry, known }: { readonly entry: PostEntry; readonly known: KnownPosts },
): RemotePost | undefined {
  const matches = findMatches({ slug, uid: "", canonicalUrl: undefined, entry }, known.posts);
  return matches.length === 1 ? matches[0] : undefined;
}
