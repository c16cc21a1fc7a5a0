import { listNames } from "../../base/list-names.ts";
import { ImprintError, messageOf } from "../../base/error.ts";
import type { Post } from "../../client/api.ts";
import { isSamePost, keyOf, type RemotePost } from "../identity/identity.ts";
import { visitHtml, type KnownPosts } from "../identity/known-posts.ts";
import { hasMostWords, isSameText } from "../identity/resemblance.ts";
import { isHiddenStatus, isPassingStatus } from "../../contract/dialect.ts";
import type { SitePost } from "../post.ts";
import type { PostChange } from "../plan/changes.ts";
import { endsRun, classifyFailure, isConflict, type PostFailure } from "./port.ts";
import type { PostEntry } from "../memory/ledger.ts";
import type { PostRepository } from "../memory/repository.ts";
import { isAwaited } from "../identity/completeness.ts";
import { postUid } from "../identity/marker.ts";
import { sentVersionOf } from "../identity/fingerprint.ts";
import { entryOfVersion, filesOf } from "../identity/found-post.ts";
import { findCreatedOver, type CreatedOver } from "./created-over.ts";
import { hiddenError, UNLISTED, unshownError } from "./unseen-errors.ts";
import { readBackMs, stopIfAborted, type PostsContext, type PostsSession } from "./session.ts";

/** Result of one creation. */
export type Creation =
  | { readonly kind: "created"; readonly entry: PostEntry; readonly bytes: number; readonly hint?: string }
  /** The list, read right before, shows that the post no longer needs creating. */
  | { readonly kind: "changed"; readonly change: PostChange | undefined }
  | { readonly kind: "failed"; readonly error: ImprintError; readonly endsRun: boolean }
  /** The service wrote it over another post. */
  | { readonly kind: "over"; readonly over: CreatedOver };

export interface CreationContext extends PostsContext {
  readonly session: PostsSession;
  /** Whether the list must be read before the first attempt. */
  readonly reads: boolean;
  /** Id of an earlier run's intent that never got a response. */
  readonly resumes: string | undefined;
}

const MOST_ATTEMPTS = 3;
const MOST_THROTTLES = 5;
const LONGEST_THROTTLE_MS = 60_000;

/**
 * Creates one post. Resends it only when the service certainly did nothing; if the response was lost, looks for the
 * post in the list.
 */
export async function createPost(post: SitePost, context: CreationContext): Promise<Creation> {
  const { session, clock, signal } = context;
  let body = await context.payload(post);
  let [attempts, throttles] = [0, 0];
  // Such a service may write it over a post that was added meanwhile.
  let reads = context.reads || context.repository.ledger.learned.newPostOver !== undefined;
  for (;;) {
    if (reads) {
      await session.refresh();
      const change = session.planned(post.slug);
      if (change?.kind !== "create") return { kind: "changed", change };
    }
    stopIfAborted(signal);
    const sent = await send(post, { context, body });
    if (sent.kind === "accepted") {
      return await takeAnswer(post, { ...sent, context });
    }
    const { failure, error, intent } = sent;
    const verdict = classifyFailure(failure);
    if (verdict === "look")
      return await searchForPost(post, {
        intent,
        cause: error,
        isHeld: failure.status === 409,
        isRefused: context.resumes === undefined && isConflict(failure),
        bytes: sent.bytes,
        context,
        before: session.known,
      });
    await context.repository.settle(intent, verdict === "refused" ? "refused" : "not-sent");
    attempts += verdict === "again" ? 1 : 0;
    throttles += verdict === "later" ? 1 : 0;
    if (failure.wantsMarkdown === true && body.markdown === undefined) {
      body = await context.payload(post, "markdown");
      continue;
    }
    if (verdict === "refused" || attempts >= MOST_ATTEMPTS || throttles >= MOST_THROTTLES) {
      return { kind: "failed", error, endsRun: verdict !== "refused" || endsRun(failure) };
    }
    const pause = verdict === "later" ? (failure.retryAfterMs ?? 1000) : 1000 * 2 ** (attempts - 1);
    await clock.sleep(Math.min(LONGEST_THROTTLE_MS, pause), signal);
    reads ||= verdict === "later";
  }
}

async function takeAnswer(post: SitePost, { record, intent, bytes, context }: TakenPost): Promise<Creation> {
  const before = context.session.known;
  const over = await findCreatedOver(post, record, context);
  if (typeof over === "object") {
    await context.repository.settle(intent, "refused");
    return { kind: "over", over };
  }
  const isOurs = record.mayBeOther !== true && over === undefined;
  const isNamed = record.id !== undefined || record.url !== undefined;
  if (isOurs && isNamed) return await recordCreation(post, { record, intent, bytes, context });
  // The list of our own service shows every post.
  const isAccepted = isOurs && context.api.capabilities.account === undefined;
  return await searchForPost(post, { intent, cause: undefined, isAccepted, bytes, context, before });
}

type Sent =
  | { readonly kind: "accepted"; readonly record: Post; readonly intent: string; readonly bytes: number }
  | {
      readonly kind: "failed";
      readonly failure: PostFailure;
      readonly error: ImprintError;
      readonly intent: string;
      readonly bytes: number;
    };

async function send(
  post: SitePost,
  { context, body }: { readonly context: CreationContext; readonly body: Awaited<ReturnType<PostsContext["payload"]>> },
): Promise<Sent> {
  const { repository, clock, wanted } = context;
  const uid = postUid({ collection: wanted.collection, slug: post.slug });
  const intent = await repository.intend({ slug: post.slug, uid, source: post.sourceHash, at: clock.now() });
  const bytes = Buffer.byteLength(body.html ?? body.markdown ?? "");
  try {
    const record = await createOnce({ body, intent, context });
    return { kind: "accepted", record, intent, bytes };
  } catch (thrown) {
    const error =
      thrown instanceof ImprintError
        ? thrown
        : new ImprintError("SERVICE_FAILED", `${post.file}: ${messageOf(thrown)}`, { cause: thrown });
    return { kind: "failed", failure: context.readFailure(thrown), error, intent, bytes };
  }
}

interface Attempt {
  readonly body: Awaited<ReturnType<PostsContext["payload"]>>;
  readonly intent: string;
  readonly context: CreationContext;
}

// The key belongs to this attempt, or to the unresolved attempt that this run resumes, so a service that stores
// responses creates the post only once. A replayed response about a post that has since been deleted is not a success.
async function createOnce({ body, intent, context }: Attempt): Promise<Post> {
  const { api, blogId, resumes } = context;
  const record = await api.posts.create(blogId, body, { idempotencyKey: idempotencyKeyOf(resumes ?? intent) });
  if (resumes === undefined || record.replayed !== true) return record;
  const { posts } = await context.session.refresh();
  if (posts.some(({ record: each }) => each.id === record.id)) return record;
  return await api.posts.create(blogId, body, { idempotencyKey: idempotencyKeyOf(intent) });
}

function idempotencyKeyOf(intent: string): string {
  return `imprint-post-${intent}`;
}

interface TakenPost {
  readonly record: Post;
  readonly intent: string;
  readonly bytes: number;
  readonly context: CreationContext;
}

async function recordCreation(post: SitePost, { record, intent, bytes, context }: TakenPost): Promise<Creation> {
  const { repository, clock, session } = context;
  const rest = { state: "confirmed", createdAt: clock.now().toISOString() } as const;
  const isHidden = post.status === "published" && isHiddenStatus(record.status);
  const version = { ...entryOfVersion(post, record, rest), ...filesOf(post, context.addressOf) };
  const entry: PostEntry = isHidden ? { ...version, unshown: true } : version;
  await repository.confirm(intent, post.slug, entry);
  if (isHidden && !isPassingStatus(record.status)) {
    return { kind: "failed", error: hiddenError(post, record.status), endsRun: false };
  }
  if (entry.remoteSlug === undefined) return { kind: "created", entry, bytes };
  if (/-[12]$/.test(entry.remoteSlug)) {
    // A proxy may have delivered the request twice, and returned the second response.
    await session.refresh();
    const change = session.planned(post.slug);
    if (change?.kind === "blocked" && change.state === "duplicate") return { kind: "changed", change };
  }
  const place = entry.url ?? entry.id ?? entry.remoteSlug;
  if (!isNumbered(entry.remoteSlug, post.slug) || numbersEveryPost(context)) {
    return { kind: "created", entry, bytes, hint: `The service named it "${entry.remoteSlug}".` };
  }
  // A numeric suffix means that the plain slug was taken by a post that the list didn't show.
  const message = `${post.file} was published as "${entry.remoteSlug}" (${place}): the blog may already have "${post.slug}" without listing it.`;
  return { kind: "failed", error: new ImprintError("POST_DUPLICATE", message, { hint: IF_TWICE }), endsRun: false };
}

const IF_TWICE =
  "Look at the blog in the service's dashboard. Delete one of the two posts only if it shows both; otherwise, nothing needs to be done.";

function isNumbered(remoteSlug: string | undefined, slug: string): boolean {
  return remoteSlug?.startsWith(`${slug}-`) === true && /^\d+$/.test(remoteSlug.slice(slug.length + 1));
}

// A host that numbered all earlier posts numbers this one, too. A blog that this run created has no earlier ones.
function numbersEveryPost({ blogIsNew, known, repository }: CreationContext): boolean {
  const readAt = known.readAt.toISOString();
  const earlier = [...repository.ledger.entries].filter(
    ([, { state, createdAt }]) => state === "confirmed" && (blogIsNew || createdAt < readAt),
  );
  return (blogIsNew || earlier.length > 0) && earlier.every(([slug, entry]) => isNumbered(entry.remoteSlug, slug));
}

/**
 * Whether the service has a new post without its text: its list shows an empty body, or its page has the title but not
 * the words. If neither shows anything, assumes that the text is there.
 */
export async function isTextless(
  post: SitePost,
  entry: PostEntry,
  context: PostsContext & Pick<CreationContext, "session">,
): Promise<boolean> {
  const { session, api } = context;
  const listed = session.known.posts.find(({ record }) => isSamePost(record, { slug: post.slug, entry }));
  if (listed?.record.html !== undefined) return false;
  const url = entry.url ?? listed?.record.url;
  const page = url === undefined ? undefined : await visitHtml(url, { api });
  if (page !== undefined && hasMostWords(post.html, page)) return false;
  return listed?.record.textless === true || (page !== undefined && isSameText(post.title, page));
}

interface Search {
  readonly intent: string;
  /** Why it isn't known what the request did; `undefined` if the response came but doesn't identify the post. */
  readonly cause: ImprintError | undefined;
  /** Whether the service reported that it has such a post. */
  readonly isHeld?: boolean;
  /** Whether that is all that it may mean: nothing was stored, so a list that is late hardly shows the post. */
  readonly isRefused?: boolean;
  /** Whether the service accepted it as a new one, and may have one that its list doesn't show. */
  readonly isAccepted?: boolean;
  readonly bytes: number;
  readonly context: CreationContext;
  /** The view of the blog before it was sent. */
  readonly before: KnownPosts;
}

/** Looks for the post in the list after the response was lost, reported that something exists, or said nothing. */
async function searchForPost(post: SitePost, search: Search): Promise<Creation> {
  const { intent, cause, bytes, context } = search;
  const { session, repository, signal } = context;
  if (signal?.aborted !== true) {
    const startedAt = context.clock.now().getTime();
    const isSettled = () => isDecided(session.planned(post.slug));
    const isThere = search.isRefused === true ? session.awaitHeld : session.awaitList;
    if (await isThere(isSettled, search.isAccepted === true ? acceptedMs(repository) : readBackMs(repository))) {
      const change = session.planned(post.slug);
      if (change?.kind !== "keep") {
        await repository.settle(intent, "refused");
        return { kind: "changed", change };
      }
      const was = context.resumes === undefined ? findListedBefore(change.known, search) : undefined;
      if (was !== undefined) {
        await repository.settle(intent, "refused");
        return { kind: "over", over: { was, ours: undefined } };
      }
      const entry: PostEntry = {
        ...change.entry,
        ...sentVersionOf(post),
        ...filesOf(post, context.addressOf),
        state: "confirmed",
        createdAt: new Date(startedAt).toISOString(),
      };
      await repository.confirm(intent, post.slug, entry);
      if (cause === undefined) return { kind: "created", entry, bytes };
      return { kind: "created", entry, bytes, hint: "The service's response was lost, but its list shows the post." };
    }
  }
  if (search.isAccepted === true) await recordAwaited(post, search);
  else await repository.settle(intent, search.isRefused === true ? "refused" : "ambiguous");
  return { kind: "failed", error: describeUnfound(post, search), endsRun: false };
}

// The service accepted it, and may show it only once somebody approved it, so it must not be sent again.
async function recordAwaited(post: SitePost, { intent, context }: Search): Promise<void> {
  const { repository, clock, addressOf } = context;
  const rest = { state: "confirmed", createdAt: clock.now().toISOString() } as const;
  const entry = {
    ...entryOfVersion(post, { slug: post.slug }, rest),
    ...filesOf(post, addressOf),
    unshown: true,
  } as const;
  await repository.confirm(intent, post.slug, entry);
}

/** How long to look for an accepted post: briefly if the service doesn't show an earlier one, which may need approval. */
function acceptedMs(repository: PostRepository): number {
  return [...repository.ledger.entries.values()].some(isAwaited) ? 15_000 : readBackMs(repository);
}

/** Returns the post that the blog had where it now has a new one. */
function findListedBefore(known: RemotePost | undefined, { before }: Search): RemotePost | undefined {
  return known && before.posts.find((remote) => keyOf(remote) === keyOf(known));
}

function describeUnfound(post: SitePost, { cause, isHeld = false, isAccepted = false }: Search): ImprintError {
  const { file, slug } = post;
  if (isAccepted) return unshownError(post, UNLISTED);
  if (isHeld) {
    const message = `${file} was not published: ${cause?.message ?? ""} The service's list doesn't show the post.`;
    const other = /\btitles?\b/i.test(cause?.message ?? "") ? "title" : `slug than "${slug}"`;
    const hint = `Look for it in the service's dashboard; it may be a draft. Publish it there, or delete it permanently and run again. To publish yours beside it, give your post another ${other}.`;
    return new ImprintError("POST_UNCERTAIN", message, { cause, hint });
  }
  const sent =
    cause === undefined
      ? "was accepted, but the response doesn't identify the post"
      : `was sent, but the response was lost (${cause.message})`;
  const message = `${file} ${sent}, and the service's list doesn't show the post.`;
  return new ImprintError("POST_UNCERTAIN", message, { cause });
}

// A post to be created, or one blocked because something isn't visible, may still appear. Anything else is decided by
// the list.
function isDecided(change: PostChange | undefined): boolean {
  if (change?.kind === "create") return false;
  return change?.kind !== "blocked" || change.places.length > 0;
}

/** Names the links that a post was sent without. */
export function leftOutHint(slugs: readonly string[]): string | undefined {
  return slugs.length === 0
    ? undefined
    : `Its link to ${listNames(slugs)} was left out because the address isn't known yet.`;
}
