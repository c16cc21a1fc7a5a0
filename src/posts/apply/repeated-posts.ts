import type { SitePost } from "../post.ts";
import type { PostChange } from "../plan/changes.ts";
import { isSamePost, isSameTitle, slugOfRecord, type RemotePost } from "../identity/identity.ts";
import { isSameText } from "../identity/resemblance.ts";
import type { KnownPosts } from "../identity/known-posts.ts";
import { retryAt, type Learned, type PostEntry } from "../memory/ledger.ts";
import { findPostMarker, markedSource, postUid } from "../identity/marker.ts";
import { createPostsSession, readBackMs, type PostsContext } from "./session.ts";
import { ImprintError, messageOf } from "../../base/error.ts";
import { listNames } from "../../base/list-names.ts";
import { isHiddenStatus } from "../../contract/dialect.ts";
import { PUBLISH_THERE, titlePart } from "../plan/block-post.ts";
import { filesOf } from "../identity/found-post.ts";
import { sentVersionOf, shownHashOf } from "../identity/fingerprint.ts";

type Taken = Extract<Repeated, { kind: "taken" }>;
type ProbeOutcome = NonNullable<Learned["repeatedPost"]>;

/** What one attempt to change a post by sending it again revealed. */
export interface ProbeResult {
  readonly answer: ProbeOutcome | "unknown";
  /** Slug of the post used for the attempt. */
  readonly name: string;
  readonly reason: string;
  /** Addresses of a second post, if one was created; someone has to delete it. */
  readonly places: readonly string[];
}

/**
 * Sends one edited post again under its slug and checks what the service does with it. Tried once per blog, and only
 * when its list is complete and shows the post once. A wrong guess leaves a second post that the API can't delete.
 *
 * @returns `undefined` if there is nothing to try it with, or if it was tried before
 */
export async function probeRepeatedPost(
  changes: readonly PostChange[],
  context: PostsContext,
): Promise<ProbeResult | undefined> {
  const { repository, clock, wanted } = context;
  if (repository.ledger.learned.repeatedPost !== undefined) return undefined;
  const session = createPostsSession(context);
  const before = await session.refresh();
  const subject = findSubject(changes, { context, known: before });
  if (subject === undefined) return undefined;
  const { post, entry } = subject;
  const uid = postUid({ collection: wanted.collection, slug: post.slug });
  const intent = await repository.intend({ slug: post.slug, uid, source: post.sourceHash, at: clock.now() });
  const sent = await repeatPost(post, { entry, context });
  const isSame = sent.kind === "taken" && sent.id !== undefined && sent.id === entry.id;
  const match = { post, entry: sent.kind === "taken" ? sent.entry : entry, before: findPost(before, entry, post) };
  const isDecided = (known: KnownPosts) =>
    isSame ? findOldParts(match, known).length === 0 : addedSince(before, known, post).length > 0;
  if (sent.kind !== "refused") await session.awaitList(isDecided, readBackMs(repository));
  const result = await judge(sent, { post, entry, context, before, known: session.known });
  if (result.answer === "unknown") await repository.settle(intent, "ambiguous");
  else await repository.learn({ repeatedPost: result.answer });
  const lacks = sent.kind === "taken" ? findLacks(match, session.known) : undefined;
  if (result.answer === "upserts" && sent.kind === "taken")
    await repository.confirm(intent, post.slug, withShown(match, session.known));
  else if (result.answer === "ignores" && lacks !== undefined)
    await repository.confirm(intent, post.slug, { ...withShown(match, session.known), lacks });
  else if (result.answer !== "unknown") await repository.settle(intent, "refused");
  return { ...result, name: post.slug };
}

interface Subject {
  readonly post: SitePost;
  readonly entry: PostEntry;
}

function findSubject(
  changes: readonly PostChange[],
  { context, known }: { readonly context: PostsContext; readonly known: KnownPosts },
): Subject | undefined {
  if (known.completeness.kind !== "proven") return undefined;
  const { ledger } = context.repository;
  for (const change of changes) {
    if (change.kind !== "blocked" || change.state !== "edited" || change.places.length !== 1) continue;
    const post = context.wanted.posts.find(({ slug }) => slug === change.name);
    const entry = ledger.entries.get(change.name);
    const open = ledger.open.get(change.name);
    const mayBeOnTheWay = open !== undefined && retryAt(open, ledger.learned) > context.clock.now();
    if (post !== undefined && entry !== undefined && !mayBeOnTheWay) return { post, entry };
  }
  return undefined;
}

interface Evidence extends Subject {
  readonly context: PostsContext;
  readonly before: KnownPosts;
  readonly known: KnownPosts;
}

async function judge(sent: Repeated, evidence: Evidence): Promise<Omit<ProbeResult, "name">> {
  const { post, entry, before, known } = evidence;
  if (sent.kind === "refused") return { answer: "rejects", reason: sent.reason, places: [] };
  const added = addedSince(before, known, post).map(({ record }) => record.url ?? record.id ?? post.slug);
  const isOther = sent.kind === "taken" && hasOtherId(sent, entry);
  const isSecond = isOther ? !isReplacedIn(known, before, entry) : added.length > 0;
  if (isSecond) {
    const own = sent.kind === "taken" ? [sent.url ?? sent.id ?? post.slug] : [];
    const places = added.length > 0 ? added : own;
    return { answer: "duplicates", reason: "the service created a second post", places };
  }
  if (sent.kind !== "taken") return { answer: "unknown", reason: sent.reason, places: [] };
  const old = findOldParts({ post, entry: sent.entry, before: findPost(before, entry, post) }, known);
  if (old.length > 0) return { answer: "ignores", reason: keepsOld(old), places: [] };
  const isNew = await showsSent(sent, evidence);
  if (isNew === undefined) {
    return { answer: "unknown", reason: "the service does not show whether it changed the post", places: [] };
  }
  return isNew
    ? { answer: "upserts", reason: "the service changed the post", places: [] }
    : { answer: "ignores", reason: "the service accepted it but changed nothing", places: [] };
}

/** Posts that the list didn't show before and that may be duplicates of this one. */
function addedSince(before: KnownPosts, known: KnownPosts, post: SitePost): readonly RemotePost[] {
  const keyOf = ({ record }: RemotePost) => record.id ?? record.url ?? slugOfRecord(record);
  const old = new Set(before.posts.map(keyOf));
  return known.posts.filter((remote) => {
    const slug = slugOfRecord(remote.record);
    const isAlike = slug === post.slug || slug?.startsWith(`${post.slug}-`) === true;
    return !old.has(keyOf(remote)) && (isAlike || isSameTitle(remote.record.title, post.title));
  });
}

/**
 * Whether the service shows the version sent last, judged by the marker in its list, its hash or time, or else by the
 * marker in the public page.
 */
async function showsSent(sent: Taken, { post, entry, context, before, known }: Evidence): Promise<boolean | undefined> {
  if (findPost(known, sent.entry, post)?.marker?.source === markedSource(post.sourceHash)) return true;
  const slug = entry.remoteSlug ?? post.slug;
  const find = ({ posts }: KnownPosts) => posts.find(({ record }) => slugOfRecord(record) === slug)?.record;
  const [old, now] = [find(before), find(known)];
  const hash = sent.contentHash ?? now?.contentHash;
  if (old?.contentHash !== undefined && hash !== undefined) return old.contentHash !== hash;
  if (old?.updatedAt !== undefined && now?.updatedAt !== undefined) return now.updatedAt > old.updatedAt;
  const url = now?.url ?? entry.url;
  if (url === undefined || !URL.canParse(url)) return undefined;
  const visit = await context.api.visit(url, { signal: context.signal });
  const marker = visit?.status === 200 ? findPostMarker(new TextDecoder().decode(visit.bytes)) : undefined;
  return marker === undefined ? undefined : marker.source === markedSource(post.sourceHash);
}

function findPost({ posts }: KnownPosts, entry: PostEntry, { slug }: SitePost): RemotePost | undefined {
  return posts.find(({ record }) => isSamePost(record, { slug, entry }));
}

function hasOtherId(sent: Taken, { id }: PostEntry): boolean {
  return sent.id !== undefined && id !== undefined && sent.id !== id;
}

/** Whether a post that got another id took the place of the one with the former id. */
function isReplacedIn(known: KnownPosts, before: KnownPosts, { id }: PostEntry): boolean {
  return known.posts.length === before.posts.length && !known.posts.some(({ record }) => record.id === id);
}

interface SentAgain {
  readonly post: SitePost;
  /** With the id that it has now. */
  readonly entry: PostEntry;
  /** The post in the list before. */
  readonly before: RemotePost | undefined;
}

/** What is remembered of it, with how the list shows it, so that later runs notice edits made there. */
function withShown({ post, entry }: SentAgain, known: KnownPosts): PostEntry {
  const now = findPost(known, entry, post);
  return { ...entry, shown: now && shownHashOf(now.record) };
}

/** Returns what the list still shows as before of a post that was sent again. */
function findOldParts({ post, entry, before }: SentAgain, known: KnownPosts): readonly ("title" | "text")[] {
  const now = findPost(known, entry, post);
  if (now === undefined || before === undefined) return [];
  const { title } = now.record;
  const hasOldTitle = title !== undefined && !isSameTitle(title, post.title) && isSameTitle(title, before.record.title);
  const isOldText =
    now.marker === undefined
      ? now.html !== undefined && now.html === before.html && !isSameText(post.html, now.html)
      : now.marker.source !== markedSource(post.sourceHash);
  return [...(hasOldTitle ? (["title"] as const) : []), ...(isOldText ? (["text"] as const) : [])];
}

/** Returns what readers don't get of a post of which the service changed only the text. */
function findLacks(match: SentAgain, known: KnownPosts): string[] | undefined {
  const [old, other] = findOldParts(match, known);
  if (old !== "title" || other !== undefined) return undefined;
  return [titlePart({ instead: findPost(known, match.entry, match.post)?.record.title ?? "" })];
}

function keepsOld(old: readonly string[]): string {
  return `the service accepted it, and still shows its old ${listNames(old)}`;
}

type Edit = Extract<PostChange, { kind: "update"; state: "edited" }>;

/**
 * Changes a post by sending it again, and looks whether the list shows that.
 *
 * @throws ImprintError `POST_UNCERTAIN`, `POST_DUPLICATE`, or `NOT_LIVE` if the service kept what it had
 */
export async function changeByPost({ post, file, known: before, ...change }: Edit, context: PostsContext) {
  const { repository } = context;
  const sent = await repeatPost(post, { entry: change.entry, context });
  const update = `Update it in the service's dashboard, then run \`imprint posts ack ${post.slug}\`.`;
  if (sent.kind === "refused") throw refusedError(sent.error, update);
  if (sent.kind !== "taken") {
    throw new ImprintError("POST_UNCERTAIN", `${file} was sent again, but the result is unknown: ${sent.reason}`);
  }
  const match = { post, entry: sent.entry, before };
  const session = createPostsSession(context);
  await session.awaitList((known) => findOldParts(match, known).length === 0, readBackMs(repository));
  if (hasOtherId(sent, change.entry) && !isReplacedIn(session.known, context.known, change.entry)) {
    await repository.learn({ repeatedPost: "duplicates" });
    const second = sent.url ?? sent.id;
    throw new ImprintError(
      "POST_DUPLICATE",
      `${file} was sent again, and the service created a second post: ${second}.`,
    );
  }
  const old = findOldParts(match, session.known);
  const lacks = findLacks(match, session.known);
  if (old.length > 0) await repository.learn({ repeatedPost: "ignores" });
  if (old.length === 0 || lacks !== undefined) {
    const forgotten = change.formerSlug === undefined ? [] : [[change.formerSlug, undefined] as const];
    await repository.record(new Map([...forgotten, [change.name, { ...withShown(match, session.known), lacks }]]));
  }
  if (old.length > 0) {
    throw new ImprintError("NOT_LIVE", `${file} was sent again: ${keepsOld(old)}.`, { hint: update });
  }
  const status = findPost(session.known, sent.entry, post)?.record.status;
  if (post.status === "published" && isHiddenStatus(status)) {
    const message = `${file} was sent again, and the service has it as "${status}" now, so readers don't see it.`;
    throw new ImprintError("NOT_LIVE", message, { hint: PUBLISH_THERE });
  }
  return { url: sent.url ?? sent.entry.url };
}

function refusedError(error: unknown, hint: string): unknown {
  return error instanceof ImprintError ? new ImprintError(error.code, error.message, { cause: error, hint }) : error;
}

/** Result of sending a post again under its existing slug. */
export type Repeated =
  /** The service accepted it; the id may show whether it changed the post or created another. */
  | {
      readonly kind: "taken";
      readonly id: string | undefined;
      readonly url: string | undefined;
      readonly contentHash: string | undefined;
      readonly entry: PostEntry;
    }
  | { readonly kind: "refused" | "unknown"; readonly reason: string; readonly error: unknown };

/**
 * Sends an existing post again. Only for services known to update the post this way, or to find out whether they do.
 */
async function repeatPost(
  post: SitePost,
  { entry, context }: { readonly entry: PostEntry; readonly context: PostsContext },
): Promise<Repeated> {
  const { api, blogId } = context;
  const slug = entry.remoteSlug ?? post.slug;
  const body = { ...(await context.payload(post)), slug };
  try {
    const { id, url, contentHash } = await api.posts.create(blogId, body, { idempotencyKey: context.newKey() });
    const sent: PostEntry = {
      ...entry,
      ...(id !== undefined && { id }),
      contentHash,
      shown: undefined,
      file: post.file,
      ...sentVersionOf(post),
      ...filesOf(post, context.addressOf),
      state: "confirmed",
    };
    return { kind: "taken", id, url, contentHash, entry: sent };
  } catch (error) {
    const { outcome, status } = context.readFailure(error);
    const isRefused = outcome === "refused" || status === 409;
    return { kind: isRefused ? "refused" : "unknown", reason: messageOf(error), error };
  }
}
