import type { HeldFile, PostChange } from "./changes.ts";
import { findMatches, isSameSource } from "./identity.ts";
import type { RemotePost } from "./identity.ts";
import type { KnownPosts } from "./known-posts.ts";
import type { PostEntry } from "./ledger.ts";
import { isOwnMarker, postUid } from "./marker.ts";
import type { PostRules, WantedPosts } from "./plan.ts";

const WORDS = { draft: "is a draft now", scheduled: "has a date to come", expired: "has expired" } as const;

/** Posts that are published and that their authors hide now. */
export function planHeld(
  { held, collection, project }: WantedPosts,
  known: KnownPosts,
  { capabilities }: PostRules,
): readonly PostChange[] {
  return held.flatMap((each): PostChange[] => {
    const { file, slug, reason } = each;
    if (reason === "needs-build") return [planUnrendered(each, { collection, project, known })];
    const found =
      slug === undefined || reason === "invalid" ? undefined : findOwn(slug, { collection, project, known });
    if (slug === undefined || reason === "invalid" || found === undefined) return [];
    const { remote, entry } = found;
    const isHidden = remote.record.status !== undefined && remote.record.status !== "published";
    if (isHidden) return [];
    const change = { name: slug, file, reason: `it is published, and its file ${WORDS[reason]}` };
    if (capabilities.operations.has("posts.patch") && entry !== undefined) {
      return [{ kind: "update", state: "withdrawn", ...change, known: remote, entry }];
    }
    const { url } = remote.record;
    const hint = `Unpublish it in the service's dashboard${url === undefined ? "" : `: ${url}`}.`;
    return [{ kind: "blocked", state: "cannot-unpublish", ...change, hint, places: url === undefined ? [] : [url] }];
  });
}

/** A post that this run can't render: unchanged when its source is that of the published post. */
function planUnrendered(
  { file, slug = "", sourceHash }: HeldFile,
  context: Pick<WantedPosts, "collection" | "project"> & { readonly known: KnownPosts },
): PostChange {
  const { remote, entry } = findOwn(slug, context) ?? {};
  const isSame = entry !== undefined && sourceHash !== undefined && isSameSource(entry.source, sourceHash);
  if (remote !== undefined && isSame && entry.withdrawn === undefined) {
    return { kind: "keep", state: "unchanged", name: slug, file, reason: "nothing changed", known: remote, entry };
  }
  return { kind: "wait", state: "needs-build", name: slug, file, reason: NEEDS_BUILD };
}

const NEEDS_BUILD = "rendered by `astro build`; not synced by this command";

/** Posts that are published and whose file is gone. */
export function planOrphans(
  { posts, held, unread = new Set() }: WantedPosts,
  known: KnownPosts,
  { rules, renamed }: { readonly rules: PostRules; readonly renamed: ReadonlySet<string> },
): readonly PostChange[] {
  const slugs = new Set([...posts, ...held].map(({ slug }) => slug));
  const files = new Set([...[...posts, ...held].map(({ file }: Pick<HeldFile, "file">) => file), ...unread]);
  const unrendered = held.filter((file) => file.reason === "needs-build" && !isRemembered(file, known));
  return [...known.ledger.entries].flatMap(([slug, entry]): PostChange[] => {
    if (slugs.has(slug) || files.has(entry.file) || renamed.has(slug)) return [];
    // The build that renders the renamed file finds the post again.
    if (unrendered.some(({ sourceHash }) => sourceHash !== undefined && isSameSource(entry.source, sourceHash)))
      return [];
    const remote = findListed(slug, { entry, known });
    if (remote === undefined) return [];
    const { url } = remote.record;
    const change = { name: slug, file: entry.file, reason: `its file ${entry.file} is gone` };
    // A new file that can't be rendered here may be this post, renamed and edited.
    if (rules.prune && unrendered.length === 0 && rules.capabilities.operations.has("posts.delete")) {
      return [{ kind: "delete", state: "orphan", ...change, known: remote, entry }];
    }
    return [{ kind: "orphan", state: "orphan", ...change, url }];
  });
}

function isRemembered({ slug = "" }: HeldFile, { ledger }: KnownPosts): boolean {
  return ledger.entries.has(slug);
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
