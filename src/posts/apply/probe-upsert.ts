import type { SitePost } from "../post.ts";
import type { PostChange } from "../plan/changes.ts";
import type { Outcome } from "../../base/outcome.ts";
import type { Edit } from "./change-by-post.ts";
import { isSameTitle, keyOf, slugOfRecord, type RemotePost } from "../identity/identity.ts";
import type { KnownPosts } from "../identity/known-posts.ts";
import { retryAt, type Learned, type PostEntry } from "../memory/ledger.ts";
import { findPostMarker, markedSource, postUid } from "../identity/marker.ts";
import { placeOf } from "../plan/block-post.ts";
import { describeOverwritten, findOverwritten, rememberOverwritten } from "./overwritten-posts.ts";
import {
  isDecided,
  findPost,
  hasOtherId,
  isReplacedIn,
  keepsOld,
  readShown,
  repeatPost,
  type Repeated,
  type Shown,
  type Taken,
} from "./repeat-post.ts";
import { createPostsSession, readBackMs, showsAgainMs, type PostsContext } from "./session.ts";

type ProbeOutcome = NonNullable<Learned["repeatedPost"]>;

/** What one attempt to change a post by sending it again revealed. */
export interface ProbeResult {
  readonly answer: ProbeOutcome | "unknown";
  /** Slug of the post used for the attempt. */
  readonly name: string;
  readonly reason: string;
  /** Addresses of a second post, which someone has to delete, or of the posts that were overwritten. */
  readonly places: readonly string[];
}

/** A probe, and what it made possible. */
export interface Probed {
  /** `undefined` if there was nothing to try it with, or if it was tried before. */
  readonly result: ProbeResult | undefined;
  /** The edits to send, because the service updates a post that is sent again. That of the probe was sent. */
  readonly edits: readonly Edit[];
}

/** Withholds the outcomes of blocked edits, as a probe may show that they aren't blocked. */
export function withholdEdits(changes: readonly PostChange[], onOutcome: PostsContext["onOutcome"]) {
  const edited = new Set(
    changes.flatMap(({ kind, state, name }) => (kind === "blocked" && state === "edited" ? [name] : [])),
  );
  const withheld = new Map<string, Outcome>();
  return {
    onOutcome(outcome: Outcome) {
      if (outcome.resource === "post" && edited.has(outcome.name)) withheld.set(outcome.name, outcome);
      else onOutcome(outcome);
    },
    names: () => [...withheld.keys()],
    reportAllBut(edits: readonly Edit[]) {
      for (const { name } of edits) withheld.delete(name);
      for (const outcome of withheld.values()) onOutcome(outcome);
    },
  };
}

/** Tries whether the service updates a post that is sent again, with one of the edited posts. */
export async function probeEdits(names: readonly string[], context: PostsContext): Promise<Probed> {
  const edits = names.length === 0 ? [] : await findEdits(names, context);
  const result = await probeRepeatedPost(edits, context);
  return { result, edits: result?.answer === "upserts" ? edits : [] };
}

/** Returns the edits that would be sent if the service updated a post that is sent again. */
async function findEdits(names: readonly string[], context: PostsContext): Promise<readonly Edit[]> {
  const { ledger, ...known } = await createPostsSession(context).refresh();
  const learned = { ...ledger.learned, repeatedPost: "upserts" } as const;
  const planner = context.plan({ ...known, ledger: { ...ledger, learned } });
  return names.flatMap((name) => {
    const change = planner.one(name);
    return change?.kind === "update" && change.state === "edited" ? [change] : [];
  });
}

/**
 * Sends one edited post again under its slug and checks what the service does with it. Tried once per blog, and only
 * when its list is complete and shows the post once. A wrong guess leaves a second post that the API can't delete.
 *
 * @param edits - Edits to send if the service updates a post that is sent again.
 * @returns `undefined` if there is nothing to try it with, or if it was tried before
 */
async function probeRepeatedPost(edits: readonly Edit[], context: PostsContext): Promise<ProbeResult | undefined> {
  const { repository, clock, wanted } = context;
  if (repository.ledger.learned.repeatedPost !== undefined) return undefined;
  const session = createPostsSession(context);
  const before = await session.refresh();
  const subject = findSubject(edits, { context, known: before });
  if (subject === undefined) return undefined;
  const { post, entry } = subject;
  const uid = postUid({ collection: wanted.collection, slug: post.slug });
  const intent = await repository.intend({ slug: post.slug, uid, source: post.sourceHash, at: clock.now() });
  const sent = await repeatPost(post, { entry, context });
  const isSame = sent.kind === "taken" && sent.id !== undefined && sent.id === entry.id;
  const match = { post, entry: sent.kind === "taken" ? sent.entry : entry, before: findPost(before, entry, post) };
  const repeat = { post, entry, id: sent.kind === "taken" ? sent.id : undefined, before };
  const isKnown = (known: KnownPosts) =>
    findOverwritten(repeat, known).length > 0 ||
    (isSame ? isDecided(match, known) : addedSince(before, known, post).length > 0);
  const windowMs = isSame ? showsAgainMs(sent, repository) : readBackMs(repository);
  if (sent.kind !== "refused") await session.awaitList(isKnown, windowMs);
  const shown = readShown(match, session.known);
  const overwritten = findOverwritten(repeat, session.known);
  await rememberOverwritten(overwritten, { post, context });
  const result =
    overwritten.length > 0
      ? ({ answer: "overwrites", reason: describeOverwritten(overwritten), places: overwritten.map(placeOf) } as const)
      : await judge(sent, { post, entry, context, before, known: session.known, shown });
  if (result.answer === "unknown") await repository.settle(intent, "ambiguous");
  else await repository.learn({ repeatedPost: result.answer });
  const isPartial = result.answer === "ignores" && shown.lacks !== undefined;
  if (sent.kind === "taken" && (result.answer === "upserts" || isPartial))
    await repository.confirm(intent, post.slug, { ...shown.entry, lacks: shown.lacks });
  else if (result.answer !== "unknown") await repository.settle(intent, "refused");
  return { ...result, name: post.slug };
}

interface Subject {
  readonly post: SitePost;
  readonly entry: PostEntry;
}

function findSubject(
  edits: readonly Edit[],
  { context, known }: { readonly context: PostsContext; readonly known: KnownPosts },
): Subject | undefined {
  if (known.completeness.kind !== "proven") return undefined;
  const { ledger } = context.repository;
  for (const { name, post } of edits) {
    const entry = ledger.entries.get(name);
    const open = ledger.open.get(name);
    const mayBeOnTheWay = open !== undefined && retryAt(open, ledger.learned) > context.clock.now();
    if (entry !== undefined && !mayBeOnTheWay) return { post, entry };
  }
  return undefined;
}

interface Evidence extends Subject {
  readonly context: PostsContext;
  readonly before: KnownPosts;
  readonly known: KnownPosts;
  readonly shown: Shown;
}

async function judge(sent: Repeated, evidence: Evidence): Promise<Omit<ProbeResult, "name">> {
  const { post, entry, before, known, shown } = evidence;
  if (sent.kind === "refused") return { answer: "rejects", reason: sent.reason, places: [] };
  const added = addedSince(before, known, post).map(({ record }) => record.url ?? record.id ?? post.slug);
  const isOther = sent.kind === "taken" && hasOtherId(sent, entry);
  const isSecond = isOther ? !isReplacedIn(known, entry) : added.length > 0;
  if (isSecond) {
    const own = sent.kind === "taken" ? [sent.url ?? sent.id ?? post.slug] : [];
    const places = added.length > 0 ? added : own;
    return { answer: "duplicates", reason: "the service created a second post", places };
  }
  if (sent.kind !== "taken") return { answer: "unknown", reason: sent.reason, places: [] };
  if (shown.old.length > 0) return { answer: "ignores", reason: keepsOld(shown.old), places: [] };
  const isNew = await showsSent(sent, evidence);
  if (isNew === undefined) {
    return { answer: "unknown", reason: "the service doesn't show whether it changed the post", places: [] };
  }
  return isNew
    ? { answer: "upserts", reason: "the service changed the post", places: [] }
    : { answer: "ignores", reason: "the service accepted it but changed nothing", places: [] };
}

/** Posts that the list didn't show before and that may be duplicates of this one. */
function addedSince(before: KnownPosts, known: KnownPosts, post: SitePost): readonly RemotePost[] {
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
