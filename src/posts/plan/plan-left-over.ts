import type { HeldFile, PostChange } from "./changes.ts";
import type { FormerPost } from "../identity/former-posts.ts";
import { findMatches, isSameSource, slugOfRecord, type RemotePost } from "../identity/identity.ts";
import { NO_FILE, type PostEntry } from "../memory/ledger.ts";
import { isOwnMarker, postUid } from "../identity/marker.ts";
import { isWrittenOver } from "../identity/written-over.ts";
import { isRewrittenCopy } from "../identity/resemblance.ts";
import type { BlogView } from "./plan.ts";

const WORDS = {
  draft: "is a draft now",
  scheduled: "has a future date",
  expired: "has expired",
  unclear: "may be hidden now",
} as const;

/** Plans published posts that their authors now hide. */
export function planHeld(view: BlogView): readonly PostChange[] {
  return view.wanted.held.flatMap((each): PostChange[] => {
    const { file, slug, reason } = each;
    if (reason === "needs-build") return planUnrendered(each, view);
    const found = slug === undefined || reason === "invalid" ? undefined : findOwn(slug, view);
    if (slug === undefined || reason === "invalid" || found === undefined) return [];
    const { remote, entry } = found;
    const isHidden = remote.record.status !== undefined && remote.record.status !== "published";
    if (isHidden) return [];
    const change = { name: slug, file, reason: `it is published, but its file ${WORDS[reason]}` };
    const { url } = remote.record;
    const places = url === undefined ? [] : [url];
    // Only the author knows whether an unclear post is hidden, so nothing is unpublished on a guess.
    if (reason !== "unclear" && view.rules.capabilities.operations.has("posts.patch") && entry !== undefined) {
      return [{ kind: "update", state: "withdrawn", ...change, known: remote, entry }];
    }
    const say =
      reason === "unclear" ? "Set `posts.fields` or `posts.statuses` to keep it. Otherwise unpublish" : "Unpublish";
    const hint = `${say} it in the service's dashboard${url === undefined ? "" : `: ${url}`}.`;
    const counts = reason === "unclear" ? ({ counts: "never" } as const) : {};
    return [{ kind: "blocked", state: "cannot-unpublish", ...change, ...counts, hint, places }];
  });
}

/** Plans a post that this run can't render: unchanged if its source equals the published one. */
function planUnrendered({ file, slug = "", sourceHash, isUnextracted }: HeldFile, view: BlogView): PostChange[] {
  const { remote, entry } = findOwn(slug, view) ?? {};
  const isSame = entry !== undefined && sourceHash !== undefined && isSameSource(entry.source, sourceHash);
  if (remote !== undefined && isSame && entry.withdrawn === undefined) {
    return [{ kind: "keep", state: "unchanged", name: slug, file, reason: "nothing changed", known: remote, entry }];
  }
  if (isUnextracted === true) return [];
  return [{ kind: "wait", state: "needs-build", name: slug, file, reason: NEEDS_BUILD }];
}

const NEEDS_BUILD = "rendered by `astro build`; not synced by this command";

export interface OrphanContext extends BlogView {
  /** Slugs of posts that a new file may be. */
  readonly resembled: ReadonlySet<string>;
}

/** Plans published posts whose file is gone, and unremembered posts of this project. */
export function planOrphans(
  formers: readonly FormerPost[],
  { wanted, known, rules, resembled }: OrphanContext,
): readonly PostChange[] {
  const unrendered = wanted.held.filter(
    ({ reason, slug = "" }) => reason === "needs-build" && !known.ledger.entries.has(slug),
  );
  // A file that can't be read, judged, or rendered may be the post under another name.
  const isUnclear =
    unrendered.length > 0 || wanted.held.some(({ reason }) => reason === "invalid" || reason === "unclear");
  const canDelete = rules.prune && rules.capabilities.operations.has("posts.delete") && !isUnclear;
  const slugs = new Set(wanted.posts.map(({ slug }) => slug));
  const byUid = new Map(
    wanted.posts.map((post) => [postUid({ collection: wanted.collection, slug: post.slug }), post]),
  );
  return formers.flatMap(({ slug, entry, remote }): PostChange[] => {
    const source = entry?.source ?? remote?.marker?.source;
    // The build that renders the renamed file will find the post.
    const isUnrendered = unrendered.some(
      ({ sourceHash }) => source !== undefined && sourceHash !== undefined && isSameSource(source, sourceHash),
    );
    if (isUnrendered) return [];
    if (remote === undefined) return [];
    const { url } = remote.record;
    // A file that took another post's name also has an entry.
    const isReplaced = slugs.has(slug);
    if (entry === undefined || entry.file === NO_FILE || isReplaced) {
      const isOwn = entry !== undefined || isOwnMarker(remote.marker, wanted.project);
      // Somebody's copy of a post that has a file, unless it was found without a file before.
      const post = byUid.get(remote.marker?.uid ?? "");
      const isCopy =
        entry === undefined &&
        post !== undefined &&
        isRewrittenCopy(remote, { slug: post.slug, post, entry: known.ledger.entries.get(post.slug) });
      if (!isOwn || isCopy) return [];
      const reason = "this project published it, but it has no source file here";
      const found = entry === undefined ? entryWithoutFile(remote, known.readAt) : { ...entry, file: NO_FILE };
      const name = slugOfRecord(remote.record) ?? slug;
      return [{ kind: "orphan", state: "orphan", name, file: wanted.collection, reason, url, found }];
    }
    const change = { name: slug, file: entry.file, reason: `its file ${entry.file} is gone` };
    if (canDelete && !resembled.has(slug)) {
      return [{ kind: "delete", state: "orphan", ...change, known: remote, entry }];
    }
    return [{ kind: "orphan", state: "orphan", ...change, url }];
  });
}

/** Remembered, because the body with our marker isn't read in every run. */
function entryWithoutFile({ record, marker }: RemotePost, readAt: Date): PostEntry | undefined {
  const { id, url, publishedAt = readAt } = record;
  if (id === undefined || marker === undefined) return undefined;
  return { id, url, file: NO_FILE, source: marker.source, state: "confirmed", createdAt: publishedAt.toISOString() };
}

interface Own {
  readonly remote: RemotePost;
  readonly entry: PostEntry | undefined;
}

// A hidden file must not affect a post that merely has the same slug: the post must be ours by memory or marker.
function findOwn(slug: string, { wanted: { collection, project }, known, index }: BlogView): Own | undefined {
  const entry = known.ledger.entries.get(slug);
  if (entry === undefined) {
    const uid = postUid({ collection, slug });
    const marked = (index.byUid.get(uid) ?? []).find(
      (remote) => isOwnMarker(remote.marker, project) && !isWrittenOver(remote, known.ledger),
    );
    return marked === undefined ? undefined : { remote: marked, entry };
  }
  const [remote, other] = findMatches({ slug, uid: "", entry }, index);
  return remote === undefined || other !== undefined ? undefined : { remote, entry };
}
