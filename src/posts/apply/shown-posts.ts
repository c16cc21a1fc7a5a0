import { ImprintError } from "../../base/error.ts";
import type { Outcome } from "../../base/outcome.ts";
import { pollUntil, SHOWN_AFTER_MS } from "../../base/poll-until.ts";
import type { Visit } from "../../client/api.ts";
import { isHiddenStatus, isPassingStatus } from "../../contract/dialect.ts";
import { fillPlaceholders } from "../../html/fill-placeholders.ts";
import { findLostCharacter, rarityOf, type LostCharacter } from "../../html/lost-characters.ts";
import { shownHashOf } from "../identity/fingerprint.ts";
import { isSamePost, type RemotePost } from "../identity/identity.ts";
import type { KnownPosts } from "../identity/known-posts.ts";
import { lostParts, partsOfPost, type PostPart } from "../identity/lost-parts.ts";
import { blockedParts } from "../../html/blocked-parts.ts";
import { findLostTitle } from "../identity/lost-title.ts";
import { hasWords, shinglesOf, showsMarkup, showsText } from "../identity/resemblance.ts";
import { readPostPage, type PostPage } from "../identity/post-page.ts";
import type { PostEntry } from "../memory/ledger.ts";
import { characterPart, cutHint, describeLacks, lacksHint, MARKUP_AS_TEXT, titlePart } from "../plan/block-post.ts";
import type { SitePost } from "../post.ts";
import type { PostsContext, PostsSession } from "./session.ts";
import { hiddenError, UNLISTED, unshownError } from "./unseen-errors.ts";

interface ShownContext extends Pick<
  PostsContext,
  "api" | "repository" | "clock" | "signal" | "addressOf" | "onOutcome"
> {
  readonly session: PostsSession;
}

/**
 * Finds which of the posts created in this run readers don't see, or see only a part of, and records them, with the
 * error to report. Opens the longest first, until one is whole, then those with the rarest characters, with the longest
 * titles, and one with each kind of content that blogs remove. Our own service shows every post in full.
 */
export async function findUnshownPosts(
  posts: readonly SitePost[],
  context: ShownContext,
): Promise<ReadonlyMap<string, ImprintError>> {
  const found = new Map<string, ImprintError>();
  if (context.api.capabilities.account !== undefined) return found;
  const rarity = new Map(posts.map((post) => [post.slug, rarityOf(`${post.title} ${post.html}`)]));
  const rarityOfPost = ({ slug }: SitePost) => rarity.get(slug) ?? 0;
  const longest = posts.toSorted((one, other) => other.html.length - one.html.length);
  const rarest = posts
    .filter((post) => rarityOfPost(post) > 0)
    .toSorted((one, other) => rarityOfPost(other) - rarityOfPost(one));
  const longestTitles = posts.toSorted((one, other) => other.title.length - one.title.length);
  // The longest whole post may also have the rarest characters.
  let whole: string | undefined;
  for (const ordered of [longest, rarest, longestTitles]) {
    for (const post of ordered.filter(({ slug }) => !found.has(slug))) {
      const loss = post.slug === whole ? "whole" : await findLoss(post, { ...context, waits: found.size === 0 });
      if (typeof loss === "object" && "hidden" in loss) {
        context.onOutcome(hiddenFromHere(loss.hidden));
        return found;
      }
      if (loss === "whole") {
        whole = post.slug;
        break;
      }
      if (loss !== undefined) found.set(post.slug, loss);
    }
  }
  const others = longest.filter(({ slug }) => !found.has(slug));
  return new Map([...found, ...(await findPartialPosts(others, context))]);
}

/** Remembers how the list shows new posts, so that later runs notice edits made there. */
export async function rememberShown(
  names: readonly string[],
  { repository, session }: Pick<ShownContext, "repository" | "session">,
): Promise<void> {
  const shown = names.flatMap((name) => {
    const entry = repository.ledger.entries.get(name);
    const listed = session.known.posts.find(
      ({ record }) => entry !== undefined && isSamePost(record, { slug: name, entry }),
    );
    const hash = listed === undefined ? undefined : shownHashOf(listed.record);
    return entry === undefined || hash === undefined ? [] : [[name, { ...entry, shown: hash }] as const];
  });
  if (shown.length > 0) await repository.record(new Map(shown));
}

type Loss =
  | ImprintError
  | "whole"
  /** Only people who sign in see it, and where. */
  | { readonly hidden: string }
  /** It isn't in the memory. */
  | undefined;

/** Returns what readers don't see of a post, and records it. */
async function findLoss(post: SitePost, context: ReadContext): Promise<Loss> {
  const { repository } = context;
  const entry = repository.ledger.entries.get(post.slug);
  if (entry === undefined) return undefined;
  const record = (loss: Partial<PostEntry>) => repository.record(new Map([[post.slug, { ...entry, ...loss }]]));
  const { url, why, hidden, page, listed, title } = await readShown(post, entry, context);
  if (why !== undefined) {
    await record({ url, unshown: true });
    return unshownError(post, why);
  }
  const whole = findLostWhole(post, { page, listed, title });
  if (whole !== undefined) {
    await record({ lacks: [whole] });
    return lacksError(post, [whole]);
  }
  const share = findShareShown(post, { page, listed });
  if (share !== undefined) {
    await record({ cut: true });
    const message = `${post.file} was published, but the service cuts it off: readers see ${share} % of it.`;
    return new ImprintError("NOT_LIVE", message, { hint: cutHint(post.slug) });
  }
  const lost = findLost(post, { page, listed });
  if (lost === undefined) return hidden === undefined ? "whole" : { hidden };
  const lacks = [characterPart(lost)];
  await record({ lacks });
  return lacksError(post, lacks);
}

/** Returns what readers don't see of any part of a post, or of its title. */
function findLostWhole(
  post: SitePost,
  { page, listed, title }: SeenByReaders & { readonly title: string | undefined },
) {
  const shown = page ?? listed;
  if (shown !== undefined && showsMarkup(post.html, shown)) return MARKUP_AS_TEXT;
  const lost = findLostTitle(post, { page, listed: title });
  return lost && titlePart(lost);
}

function hiddenFromHere(where: string): Outcome {
  const reason = `${where}: only signed-in users can see it`;
  return { resource: "host", kind: "blocked", name: "posts", reason, counts: "never", status: "skipped" };
}

function lacksError({ slug, file }: SitePost, lacks: readonly string[]): ImprintError {
  const message = `${file} was published, but ${describeLacks(lacks)}.`;
  return new ImprintError("NOT_LIVE", message, { hint: lacksHint(slug, lacks) });
}

/** Returns the first character that readers don't see. A list may show excerpts, which prove only what they garble. */
function findLost(post: SitePost, { page, listed }: SeenByReaders): LostCharacter | undefined {
  if (page !== undefined) return findLostCharacter(post.html, page) ?? findLostCharacter(post.title, page);
  const lost = listed === undefined ? undefined : findLostCharacter(post.html, listed);
  return lost?.instead === undefined && (listed === undefined || isExcerpt(listed, post)) ? undefined : lost;
}

/** Finds the posts with content that the blog removes, as one post with each kind of it shows. */
async function findPartialPosts(
  posts: readonly SitePost[],
  context: ShownContext,
): Promise<ReadonlyMap<string, ImprintError>> {
  const { repository } = context;
  const unknown = new Set(posts.flatMap(({ html }) => partsOfPost(html)));
  const removed = new Set<PostPart>();
  for (const post of posts) {
    const parts = partsOfPost(post.html).filter((part) => unknown.has(part));
    const entry = repository.ledger.entries.get(post.slug);
    if (parts.length === 0 || entry === undefined) continue;
    for (const part of parts) unknown.delete(part);
    const { page, listed, policy } = await readShown(post, entry, { ...context, waits: false });
    const shown = page ?? (listed !== undefined && isExcerpt(listed, post) ? undefined : listed);
    // Nothing shows whether a page is that of a post without words.
    if (shown === undefined || !hasWords(post.html) || !showsText(post.html, shown)) continue;
    const sent = fillPlaceholders(post.html, (hash) => context.addressOf(hash) ?? "");
    for (const part of lostParts(sent, shown)) removed.add(part);
    for (const part of policy === undefined ? [] : blockedParts(sent, policy)) {
      if (part === "images" || part === "frames") removed.add(part);
    }
  }
  const found = new Map<string, ImprintError>();
  for (const post of posts) {
    const lacks = partsOfPost(post.html).filter((part) => removed.has(part));
    const entry = repository.ledger.entries.get(post.slug);
    if (lacks.length === 0 || entry === undefined) continue;
    await repository.record(new Map([[post.slug, { ...entry, lacks }]]));
    found.set(post.slug, lacksError(post, lacks));
  }
  return found;
}

function isExcerpt(listed: string, { html }: SitePost): boolean {
  return shinglesOf(listed).size < shinglesOf(html).size / 2;
}

interface SeenByReaders {
  /** The HTML of its page. */
  readonly page: string | undefined;
  /** Its HTML in the service's list, which may be an excerpt. */
  readonly listed: string | undefined;
}

interface ReadContext extends ShownContext {
  /** Whether to wait for a post that isn't there yet. */
  readonly waits: boolean;
}

async function readShown(post: SitePost, entry: PostEntry, { waits, ...context }: ReadContext) {
  const { posts } = context.session.known;
  const listed = posts.find(({ record }) => isSamePost(record, { slug: post.slug, entry }))?.record;
  const url = entry.url ?? listed?.url;
  const { page, visit } = await visitPost(post, url, { ...context, pausesMs: waits ? SHOWN_AFTER_MS : [] });
  return {
    url,
    why: page.kind === "unseen" ? page.why : undefined,
    hidden: page.kind === "members" ? page.why : undefined,
    page: page.kind === "shown" ? page.html : undefined,
    policy: visit,
    ...{ listed: listed?.html, title: listed?.title },
  };
}

/** Looks for a post that readers didn't see. Returns an error to report if they still don't; else forgets it. */
export async function checkUnshown(
  {
    post,
    entry,
    known,
  }: { readonly post: SitePost; readonly entry: PostEntry; readonly known: RemotePost | undefined },
  context: Omit<ShownContext, "session" | "addressOf" | "onOutcome">,
): Promise<ImprintError | undefined> {
  const { url } = entry;
  const { page } = await visitPost(post, url, { ...context, pausesMs: [] });
  const isListed = url !== undefined || known !== undefined;
  const why = page.kind === "unseen" ? page.why : undefined;
  if (why !== undefined || !isListed) return unshownError(post, why ?? UNLISTED);
  await context.repository.record(new Map([[post.slug, { ...entry, unshown: undefined }]]));
  return undefined;
}

/** A host may change the status of a new post a moment later. */
const PASSES_WITHIN_MS = 10_000;

/**
 * Looks again for new posts that the service accepted but didn't show: some may need approval. Returns the errors to
 * report; posts that readers see by now are recorded as shown.
 */
export async function findAwaitedPosts(
  posts: readonly SitePost[],
  context: PostsContext & { readonly session: PostsSession },
): Promise<ReadonlyMap<string, ImprintError>> {
  const { session, repository } = context;
  const found = new Map<string, ImprintError>();
  if (posts.length === 0) return found;
  const listedIn = ({ posts: listed }: KnownPosts, slug: string) => {
    const entry = repository.ledger.entries.get(slug);
    return entry && listed.find(({ record }) => isSamePost(record, { slug, entry }));
  };
  const isPassing = (known: KnownPosts) =>
    posts.some(({ slug }) => isPassingStatus(listedIn(known, slug)?.record.status));
  if (isPassing(session.known)) await session.awaitList((known) => !isPassing(known), PASSES_WITHIN_MS);
  for (const post of posts) {
    const entry = repository.ledger.entries.get(post.slug);
    const known = listedIn(session.known, post.slug);
    if (entry === undefined) continue;
    const status = known?.record.status;
    const error = isHiddenStatus(status)
      ? hiddenError(post, status)
      : await checkUnshown({ post, entry, known }, context);
    if (error !== undefined) found.set(post.slug, error);
  }
  return found;
}

interface VisitContext extends Pick<ShownContext, "api" | "clock" | "signal"> {
  readonly pausesMs: readonly number[];
}

interface PostVisit {
  readonly page: PostPage;
  readonly visit: Visit | undefined;
}

async function visitPost(
  post: SitePost,
  url: string | undefined,
  { api, clock, signal, pausesMs }: VisitContext,
): Promise<PostVisit> {
  if (url === undefined || !URL.canParse(url)) return { page: { kind: "unknown" }, visit: undefined };
  const look = async () => {
    const visit = await api.visit(url, { signal });
    return { page: readPostPage(post, url, visit), visit };
  };
  return await pollUntil(look, {
    isEnough: ({ page }) => page.kind !== "unseen",
    pausesMs,
    sleep: (ms) => clock.sleep(ms, signal),
  });
}

// A host may change punctuation, so any three words in a row from the first or last dozen identify an edge.
const EDGE = 10;
const SHORTEST_EDGE = 4;
/** A list may show excerpts under the name of the text. */
const LONGEST_EXCERPT = 200;

/** Returns the percentage that readers see of a post whose beginning they see, but not its end. */
function findShareShown(post: SitePost, { page, listed }: SeenByReaders): number | undefined {
  const wanted = [...shinglesOf(post.html)];
  const edge = Math.min(EDGE, Math.floor(wanted.length / 2));
  if (edge < SHORTEST_EDGE) return undefined;
  for (const { html = "", least } of [
    { html: page, least: 0 },
    { html: listed, least: LONGEST_EXCERPT },
  ]) {
    const shown = shinglesOf(html);
    if (!wanted.slice(0, edge).some((words) => shown.has(words))) continue;
    if (wanted.slice(-edge).some((words) => shown.has(words))) return undefined;
    const end = wanted.findLastIndex((words) => shown.has(words)) + 1;
    if (end > least) return Math.round((100 * end) / wanted.length);
  }
  return undefined;
}
