import { ImprintError } from "../../base/error.ts";
import { pollUntil, SHOWN_AFTER_MS } from "../../base/poll-until.ts";
import type { Visit } from "../../client/api.ts";
import { fillPlaceholders } from "../../html/fill-placeholders.ts";
import { isSamePost, type RemotePost } from "../identity/identity.ts";
import { lostParts, partsOfPost, type PostPart } from "../identity/lost-parts.ts";
import { shinglesOf } from "../identity/resemblance.ts";
import type { PostEntry } from "../memory/ledger.ts";
import { cutHint, describeLacks, lacksHint, PUBLISH_THERE } from "../plan/block-post.ts";
import type { SitePost } from "../post.ts";
import type { PostsContext, PostsSession } from "./session.ts";

interface ShownContext extends Pick<PostsContext, "api" | "repository" | "clock" | "signal" | "addressOf"> {
  readonly session: PostsSession;
}

/**
 * Finds which of the posts created in this run readers don't see, or see only a part of, and records them, with the
 * error to report. Opens the longest first, until one is whole, and one with each kind of content that blogs remove. Our
 * own service shows every post in full.
 */
export async function findUnshownPosts(
  posts: readonly SitePost[],
  context: ShownContext,
): Promise<ReadonlyMap<string, ImprintError>> {
  const { api, repository } = context;
  const found = new Map<string, ImprintError>();
  if (api.capabilities.account !== undefined) return found;
  const longest = posts.toSorted((one, other) => other.html.length - one.html.length);
  for (const post of longest) {
    const entry = repository.ledger.entries.get(post.slug);
    if (entry === undefined) continue;
    const { url, isUnseen, page, listed } = await readShown(post, entry, { ...context, waits: found.size === 0 });
    if (url !== undefined && isUnseen) {
      await repository.record(new Map([[post.slug, { ...entry, url, unshown: true }]]));
      found.set(post.slug, unshownError(post, url));
      continue;
    }
    const share = findShareShown(post, { page, listed });
    if (share === undefined) break;
    await repository.record(new Map([[post.slug, { ...entry, cut: true }]]));
    const message = `${post.file} was published, but the service cuts it off: readers see ${share} % of it.`;
    found.set(post.slug, new ImprintError("NOT_LIVE", message, { hint: cutHint(post.slug) }));
  }
  const whole = longest.filter(({ slug }) => !found.has(slug));
  return new Map([...found, ...(await findPartialPosts(whole, context))]);
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
    const { page, listed } = await readShown(post, entry, { ...context, waits: false });
    const shown = page ?? (listed !== undefined && isExcerpt(listed, post) ? undefined : listed);
    if (shown === undefined || !sharesWords(post.html, shown)) continue;
    const sent = fillPlaceholders(post.html, (hash) => context.addressOf(hash) ?? "");
    for (const part of lostParts(sent, shown)) removed.add(part);
  }
  const found = new Map<string, ImprintError>();
  for (const post of posts) {
    const lacks = partsOfPost(post.html).filter((part) => removed.has(part));
    const entry = repository.ledger.entries.get(post.slug);
    if (lacks.length === 0 || entry === undefined) continue;
    await repository.record(new Map([[post.slug, { ...entry, lacks }]]));
    const message = `${post.file} was published, but ${describeLacks(lacks)}.`;
    found.set(post.slug, new ImprintError("NOT_LIVE", message, { hint: lacksHint(post.slug) }));
  }
  return found;
}

function sharesWords(html: string, shown: string): boolean {
  const there = shinglesOf(shown);
  return [...shinglesOf(html)].some((words) => there.has(words));
}

function isExcerpt(listed: string, { html }: SitePost): boolean {
  return shinglesOf(listed).size < shinglesOf(html).size / 2;
}

interface ReadContext extends ShownContext {
  /** Whether to wait for a post that isn't there yet. */
  readonly waits: boolean;
}

async function readShown(post: SitePost, entry: PostEntry, { waits, ...context }: ReadContext) {
  const { posts } = context.session.known;
  const listed = posts.find(({ record }) => isSamePost(record, { slug: post.slug, entry }))?.record;
  const url = entry.url ?? listed?.url;
  const visit = await visitPost(url, { ...context, pausesMs: waits ? SHOWN_AFTER_MS : [] });
  const page = visit?.status === 200 ? new TextDecoder().decode(visit.bytes) : undefined;
  return { url, isUnseen: isMissing(visit), page, listed: listed?.html };
}

/** Looks for a post that readers didn't see. Returns an error to report if they still don't; else forgets it. */
export async function checkUnshown(
  {
    post,
    entry,
    known,
  }: { readonly post: SitePost; readonly entry: PostEntry; readonly known: RemotePost | undefined },
  context: Omit<ShownContext, "session" | "addressOf">,
): Promise<ImprintError | undefined> {
  const { url } = entry;
  const isUnseen =
    url === undefined ? known === undefined : isMissing(await visitPost(url, { ...context, pausesMs: [] }));
  if (isUnseen) return unshownError(post, url);
  await context.repository.record(new Map([[post.slug, { ...entry, unshown: undefined }]]));
  return undefined;
}

function unshownError({ slug, file }: SitePost, url: string | undefined): ImprintError {
  const why = url === undefined ? "the service's list doesn't show it" : `nothing is at ${url}`;
  const message = `${file} was published, but readers don't see it: ${why}.`;
  const hint = `${PUBLISH_THERE} Or run \`imprint posts ack ${slug}\` if readers don't need to see it yet.`;
  return new ImprintError("NOT_LIVE", message, { hint });
}

// Other answers may concern only this machine, or be at an address of the dashboard.
function isMissing(visit: Visit | undefined): boolean {
  return visit?.status === 404 || visit?.status === 410;
}

async function visitPost(
  url: string | undefined,
  {
    api,
    clock,
    signal,
    pausesMs,
  }: Pick<ShownContext, "api" | "clock" | "signal"> & { readonly pausesMs: readonly number[] },
): Promise<Visit | undefined> {
  if (url === undefined || !URL.canParse(url)) return undefined;
  return await pollUntil(() => api.visit(url, { signal }), {
    isEnough: (visit) => !isMissing(visit),
    pausesMs,
    sleep: (ms) => clock.sleep(ms, signal),
  });
}

// A host may change punctuation, so any three words in a row from the first or last dozen identify an edge.
const EDGE = 10;
/** A list may show excerpts under the name of the text. */
const LONGEST_EXCERPT = 200;

/** Returns the percentage that readers see of a post whose beginning they see, but not its end. */
function findShareShown(
  post: SitePost,
  { page, listed }: { readonly page: string | undefined; readonly listed: string | undefined },
): number | undefined {
  const wanted = [...shinglesOf(post.html)];
  if (wanted.length < 2 * EDGE) return undefined;
  for (const { html = "", least } of [
    { html: page, least: 0 },
    { html: listed, least: LONGEST_EXCERPT },
  ]) {
    const shown = shinglesOf(html);
    if (!wanted.slice(0, EDGE).some((words) => shown.has(words))) continue;
    if (wanted.slice(-EDGE).some((words) => shown.has(words))) return undefined;
    const end = wanted.findLastIndex((words) => shown.has(words)) + 1;
    if (end > least) return Math.round((100 * end) / wanted.length);
  }
  return undefined;
}
