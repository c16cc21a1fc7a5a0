import { isHiddenStatus } from "../../contract/dialect.ts";
import type { SitePost } from "../post.ts";
import {
  block,
  blockEdit,
  cutOff,
  editHint,
  findMissingLinks,
  findUnclear,
  mergeHint,
  heldByAnother,
  hiddenThere,
  lostFiles,
  mayChangePosts,
  missingLinks,
  placeOf,
  planRepair,
  PUBLISH_THERE,
  resembles,
  sharedId,
  slugChanged,
  slugTaken,
  titleOf,
  waitForPosts,
  WITHOUT_TEXT,
  withoutParts,
  withoutText,
  type HiddenPost,
} from "./block-post.ts";
import type { PostChange } from "./changes.ts";
import { duplicate, findOverwrittenBy, overwritten } from "./doubled-post.ts";
import { hintRestore, hintUnlisted, isAwaited, mayBeLate } from "../identity/completeness.ts";
import type { Former } from "../identity/former-posts.ts";
import { findMatches, isSameSource, isSameTitle, type RemotePost } from "../identity/identity.ts";
import type { KnownPosts } from "../identity/known-posts.ts";
import { retryAt, type PostEntry } from "../memory/ledger.ts";
import { isShownAs, measureEdit, renderEdit, sentVersionOf, sentHashOf, shownHashOf } from "../identity/fingerprint.ts";
import { findLostFiles, findReplaced, foundPost } from "../identity/found-post.ts";
import { isOwnMarker, markedSource, postUid } from "../identity/marker.ts";
import { hasOtherWords, isRewrittenCopy, isSameText } from "../identity/resemblance.ts";
import type { BlogView, Owners } from "./plan.ts";
import { waitForService } from "./wait-for-service.ts";
import { planAlike, planWrittenOver } from "./written-over-post.ts";

export interface PlanPostContext extends BlogView {
  /** The local post that each listed post is known to belong to. */
  readonly owners: Owners;
  readonly hidden: readonly HiddenPost[];
  /** IDs that occur in more than one file. */
  readonly sharedIds: ReadonlySet<string>;
  /** Former names of local posts, by current slug. */
  readonly formers: ReadonlyMap<string, Former>;
  /** Returns the entry of a local post, even if it is remembered under its former name. */
  readonly entryOf: (slug: string) => PostEntry | undefined;
}

/** Plans one post. */
export function planPost(post: SitePost, context: PlanPostContext): PostChange {
  const { known, wanted, index, owners, formers } = context;
  const over = planWrittenOver(post, context);
  if (over !== undefined) return over;
  const { remoteId } = post;
  const entry = context.entryOf(post.slug);
  if (remoteId !== undefined && context.sharedIds.has(remoteId) && entry?.id !== remoteId) {
    return sharedId(post, remoteId);
  }
  const former = formers.get(post.slug);
  if (former?.kind === "resembles") return resembles(post, former, wanted);
  const isSameFile = former?.evidence === "file" || former?.evidence === "place";
  if (isSameFile && !canPatch(context)) return slugChanged(post, former.former);
  const { slug: name = post.slug, remote } = former?.former ?? {};
  const uid = postUid({ collection: wanted.collection, slug: name });
  const isTaken = (found: RemotePost) =>
    (owners.get(found.record) ?? post.slug) !== post.slug || isRewrittenCopy(found, { slug: name, post, entry });
  const ownId = former === undefined ? remoteId : (entry?.id ?? remote?.record.id);
  const identity = { slug: name, uid, post, remoteId: ownId, entry, isTaken };
  const matches = findMatches(identity, index, wanted.project);
  const [match, other] = matches;
  if (other !== undefined) return duplicate(post, matches, context);
  const formerSlug = former === undefined ? undefined : name;
  if (match !== undefined) {
    const writtenHere = () => known.ledger.writtenHere?.(name);
    const caughtUp = catchUp(findSent(entry, { match, writtenHere }), { post, match });
    return planMatched(post, match, { ...context, entry: caughtUp, uid, formerSlug });
  }
  if (entry !== undefined) return planUnlisted(post, entry, { known, name, formerSlug });
  const [holder] = index.bySlug.get(post.slug) ?? [];
  return holder === undefined ? planUnfoundPost(post, context) : slugTaken(post, holder);
}

function canPatch({ rules }: BlogView): boolean {
  return rules.capabilities.operations.has("posts.patch");
}

/**
 * Returns the entry that this machine wrote last if the blog has exactly that version: then git restored an older lock
 * file, and nobody edited the post on the service.
 */
function findSent(
  entry: PostEntry | undefined,
  { match, writtenHere }: { readonly match: RemotePost; readonly writtenHere: () => PostEntry | undefined },
): PostEntry | undefined {
  const { record } = match;
  const now = shownHashOf(record);
  const isShown = ({ contentHash, shown }: PostEntry) =>
    contentHash === undefined
      ? shown !== undefined && now !== undefined && isShownAs(shown, now)
      : contentHash === record.contentHash;
  if (entry === undefined || isShown(entry)) return entry;
  const written = writtenHere();
  return written !== undefined && written.id === entry.id && isShown(written) ? written : entry;
}

/**
 * Updates the entry if the marker shows that an edit arrived whose response was lost, or that was sent from elsewhere.
 * Somebody may have edited the post on the service since.
 */
function catchUp(
  entry: PostEntry | undefined,
  { post, match }: { readonly post: SitePost; readonly match: RemotePost },
): PostEntry | undefined {
  const { marker, record } = match;
  if (entry === undefined || marker === undefined || isSameSource(entry.source, post.sourceHash)) return entry;
  if (!isSameSource(marker.source, post.sourceHash)) return entry;
  if (hasOtherWords(post, match)) return { ...entry, ...sentVersionOf(post), shown: entry.shown ?? UNKNOWN_VERSION };
  const { contentHash = entry.contentHash } = record;
  const found = { ...entry, ...sentVersionOf(post), shown: undefined };
  return contentHash === undefined ? found : { ...found, contentHash };
}

/** Differs from every hash. */
const UNKNOWN_VERSION = "-";

interface MatchContext extends PlanPostContext {
  readonly entry: PostEntry | undefined;
  readonly uid: string;
  /** Slug under which the post was published, if its file was renamed since. */
  readonly formerSlug: string | undefined;
}

function planMatched(post: SitePost, known: RemotePost, context: MatchContext): PostChange {
  const { entry, uid } = context;
  const { marker, record } = known;
  const hasOwnId = record.id !== undefined && (record.id === entry?.id || record.id === post.remoteId);
  const isOthers = marker !== undefined && !isOwnMarker(marker, context.wanted.project);
  if (isOthers && !hasOwnId) return heldByAnother(post, known);
  if (entry !== undefined || marker?.uid === uid) return planOurs(post, known, context);
  if (hasOwnId && marker !== undefined) return planOurs(post, known, context);
  // The collection's folder may have been renamed, which changes the uid in the marker.
  if (marker !== undefined && isSameSource(marker.source, post.sourceHash)) return planOurs(post, known, context);
  const hasId = post.remoteId !== undefined && record.id === post.remoteId;
  const isAlike = marker === undefined && (hasId || isSameTitle(record.title, post.title));
  const isHidden = record.status !== undefined && record.status !== "published";
  const hasOtherText = known.html !== undefined && !isSameText(post.html, known.html);
  if (isAlike && (isHidden || hasOtherText)) {
    const difference = isHidden ? "as a draft" : "with different text";
    return block(post, {
      state: "edited",
      reason: `the blog has ${hasId ? "the post with this ID" : "a post with this slug and title"} ${difference}`,
      hint: `Run \`imprint posts ack ${post.slug}\` to leave it, or \`imprint posts rename ${record.id ?? post.slug} ${post.slug}\` if your file is its source.`,
      places: [placeOf(known)],
    });
  }
  if (isAlike) {
    const reason = hasId ? "the blog has the post with this ID" : "the blog has a post with this slug and title";
    const found = foundPost(post, known, context);
    return { kind: "keep", state: "adopt", name: post.slug, file: post.file, reason, ...found };
  }
  const by = findOverwrittenBy(known, context);
  if (by !== undefined) return overwritten(post, known, by);
  return block(post, {
    state: "foreign",
    reason: `the blog has another post with this slug${titleOf(record.title)}`,
    hint: "Give your post another `slug` in its front matter.",
    places: [placeOf(known)],
  });
}

/** Plans a post that we published, according to our memory or its marker. */
function planOurs(post: SitePost, known: RemotePost, context: MatchContext): PostChange {
  const { entry, formerSlug } = context;
  const { marker, record } = known;
  const published = [entry?.source, marker?.source].filter((source) => source !== undefined);
  const found = { name: post.slug, file: post.file, ...foundPost(post, known, context), formerSlug };
  if (entry?.withdrawn === true && post.status === "published" && canPatch(context)) {
    const reason = "it was withdrawn and is published again";
    return { kind: "update", state: "edited", by: "patch", ...found, known, reason };
  }
  const isOther = (sent: string | undefined, now: string | undefined) =>
    sent !== undefined && now !== undefined && sent !== now;
  const [shown, now] = [entry?.shown, shownHashOf(record)];
  const isShownOther = shown !== undefined && now !== undefined && !isShownAs(shown, now);
  const isChangedThere = isShownOther || isOther(entry?.contentHash, record.contentHash);
  if (published.some((source) => isSameSource(source, post.sourceHash))) {
    if (post.status === "published" && isHiddenStatus(record.status) && !isChangedThere) {
      const seen = { entry: found.entry, formerSlug };
      return { ...hiddenThere(post, known, "so readers don't see it"), seen };
    }
    if (found.entry.textless === true) return withoutText(post, { known, entry: found.entry });
    if (found.entry.cut === true) return cutOff(post, { known, entry: found.entry });
    const { lacks } = found.entry;
    if (lacks !== undefined) return withoutParts(post, { known, entry: found.entry }, lacks);
    const lost = isChangedThere ? [] : findLostFiles(post, found.entry, context.rules.addressOf);
    if (lost.length > 0) return planRepair({ ...found, known }, lostFiles(lost, context.rules));
    const missing = isChangedThere ? [] : findMissingLinks(post, found.entry);
    if (missing.length > 0) return planRepair({ ...found, known }, missingLinks(missing, context.rules));
    // The marker shows that our edit arrived, although its response was lost.
    const isOurEdit = !isShownOther && marker !== undefined && isSameSource(marker.source, post.sourceHash);
    return keepOurs(found, { entry, formerSlug, isEditedThere: isChangedThere && !isOurEdit });
  }
  const edit = measureEdit(post, entry);
  const amount = renderEdit(edit) === "" ? "" : ` (${renderEdit(edit)})`;
  const mayChange = mayChangePosts(context.rules, context.known);
  // Somebody unpublished it on the service, and an edit would republish it.
  const wasPublished = entry !== undefined && entry.withdrawn !== true && post.status === "published";
  if (mayChange && !isChangedThere && wasPublished && isHiddenStatus(record.status)) {
    return hiddenThere(post, known, "so what was edited here isn't sent");
  }
  if (mayChange && !isChangedThere) {
    if (post.waitsFor !== undefined) return waitForPosts(post, post.waitsFor, { entry: found.entry, formerSlug });
    const by = canPatch(context) ? "patch" : "post";
    const name = formerSlug === undefined ? "" : ` and renamed from ${formerSlug}; it keeps its address in the blog`;
    const reason = `it was edited since it was posted${amount}${name}`;
    return { kind: "update", state: "edited", edit, by, ...found, known, reason };
  }
  const replaced = findReplaced(post, known.html, { entry, addressOf: context.rules.addressOf });
  const there =
    replaced.length === 0
      ? " and in the service's dashboard since it was posted"
      : `, and ${replaced.join(", ")} was replaced or removed on the service`;
  const reason = isChangedThere
    ? `it was edited here${amount}${there}`
    : `it was edited since it was posted${amount}, and this service can't change a post`;
  const hint = isChangedThere ? mergeHint(post, known, { replaced, mayChange }) : editHint(post, known);
  return {
    ...blockEdit(post, known, { reason, hint }),
    edit,
    isByHand: !isChangedThere,
    seen: { entry: { ...found.entry, seen: markedSource(post.sourceHash) }, formerSlug },
  };
}

type Found = { readonly name: string; readonly file: string } & ReturnType<typeof foundPost>;

interface KeepContext extends Pick<MatchContext, "entry" | "formerSlug"> {
  /** Whether somebody changed the post on the service since it was sent. */
  readonly isEditedThere: boolean;
}

function keepOurs(found: Found, { entry, formerSlug, isEditedThere }: KeepContext): PostChange {
  const { post } = found;
  if (isEditedThere) {
    const reason = "it was edited on the service since it was posted, or a file in it was replaced there";
    const hint = `Copy the change into the file, then run \`imprint posts ack ${post.slug}\`.`;
    return { kind: "keep", state: "changed-remotely", ...found, reason, hint };
  }
  if (formerSlug !== undefined) {
    const reason = `it was renamed from ${formerSlug}; it keeps its address in the blog`;
    return { kind: "keep", state: "renamed", ...found, reason };
  }
  const isDrifted = entry?.sent !== undefined && entry.sent !== sentHashOf(post);
  const reason = isDrifted ? "nothing was edited; only its rendered HTML would differ" : "nothing changed";
  return { kind: "keep", state: "unchanged", ...found, reason };
}

function planUnfoundPost(post: SitePost, context: PlanPostContext): PostChange {
  const { absent, completeness, gone, ledger, readAt } = context.known;
  const isNew = absent?.has(post.slug) === true || ledger.newPosts?.has(post.slug) === true;
  if (completeness.kind === "refuted" || (completeness.kind === "unproven" && !isNew)) {
    const because =
      "Nothing is sent, because a post that already exists would be published twice, and the copy couldn't be deleted.";
    const hint = `${because} ${hintUnlisted(completeness, post.slug)}`.trimEnd();
    return block(post, { state: "blocked", reason: completeness.reason, hint, places: [] });
  }
  const [textless] = [...ledger.entries].find(([slug, entry]) => entry.textless === true && !gone.has(slug)) ?? [];
  if (textless !== undefined) {
    const reason = `the service accepted ${textless}, but shows it without its text`;
    return block(post, { state: "blocked", reason, hint: WITHOUT_TEXT, places: [] });
  }
  const unclear = findUnclear(post, context);
  if (unclear !== undefined) return unclear;
  const alike = planAlike(post, context);
  if (alike !== undefined) return alike;
  if (post.waitsFor !== undefined) return waitForPosts(post, post.waitsFor);
  const intent = ledger.open.get(post.slug);
  if (intent !== undefined && retryAt(intent, ledger.learned) > readAt) {
    const reason = "an interrupted run may have published it, and the service's list may lag behind";
    const hint = `Run again after ${retryAt(intent, ledger.learned).toISOString()}.`;
    return block(post, { state: "unresolved", reason, hint, places: [] });
  }
  const early = waitForService(post, context);
  if (early !== undefined) return early;
  if (post.settlesAt !== undefined && post.settlesAt > readAt) {
    const { slug: name, file, settlesAt: until } = post;
    return { kind: "wait", state: "settling", name, file, until, reason: `settling until ${until.toISOString()}` };
  }
  const reason = "the blog has no such post";
  return { kind: "create", state: "create", name: post.slug, file: post.file, reason, post, absent: intent };
}

interface UnlistedContext {
  readonly known: KnownPosts;
  /** The slug under which it is remembered. */
  readonly name: string;
  readonly formerSlug: string | undefined;
}

function planUnlisted(post: SitePost, entry: PostEntry, { known, name, formerSlug }: UnlistedContext): PostChange {
  if (known.gone.has(name)) {
    const removed = known.showsDrafts ? "deleted" : "deleted or set to a draft";
    const hint = known.showsDrafts ? `To republish it, run \`imprint posts restore ${name}\`.` : hintRestore(name);
    return block(post, {
      state: "deleted-remotely",
      reason: `it was published and then ${removed} on the service`,
      hint: `It isn't republished automatically. ${hint}`,
      places: [],
    });
  }
  const isLate = mayBeLate({ slug: name, entry }, { ledger: known.ledger, now: known.readAt });
  const isShown = known.unlisted?.has(name) === true;
  const isAsSent = isSameSource(entry.source, post.sourceHash);
  if (isLate || ((isShown || isAwaited(entry)) && isAsSent)) {
    const found = foundPost(post, undefined, { known, entry, formerSlug });
    const reason = isShown ? "the list lacks it, but readers see it at its address" : "the service accepted it";
    return { kind: "keep", state: "unchanged", ...found, name: post.slug, file: post.file, reason };
  }
  if (isAwaited(entry) && !isShown) {
    const reason = "it was edited since it was posted, and the service doesn't show it yet";
    return block(post, { state: "blocked", reason, hint: `${PUBLISH_THERE} ${hintRestore(name)}`, places: [] });
  }
  const { completeness } = known;
  const reason = completeness.kind === "proven" ? "the service no longer lists it" : completeness.reason;
  const places = entry.url === undefined ? [] : [entry.url];
  const hint = isShown ? "Change it in the service's dashboard." : hintRestore(name);
  return block(post, { state: "blocked", reason, hint, places });
}
