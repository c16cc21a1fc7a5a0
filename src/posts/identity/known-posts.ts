import { mapPool } from "../../base/pool.ts";
import type { ImprintApi, Listing, Post } from "../../client/api.ts";
import { isHiddenStatus } from "../../contract/dialect.ts";
import type { SitePost } from "../post.ts";
import { assessList, isAwaited, missingEntries, type Completeness } from "./completeness.ts";
import { isSamePost, isSameSource, normalizeTitle, slugOfRecord, type RemotePost } from "./identity.ts";
import { EMPTY_LEDGER, SETTLE_MS, type PostLedger } from "../memory/ledger.ts";
import { findPostMarker } from "./marker.ts";
import { findAbsent, findShown } from "./unlisted-posts.ts";

/** What is known about a blog's posts at one point in time. */
export interface KnownPosts {
  readonly posts: readonly RemotePost[];
  readonly listing: Listing<Post>;
  readonly completeness: Completeness;
  readonly ledger: PostLedger;
  /** Slugs of entries whose post was removed from the service. */
  readonly gone: ReadonlySet<string>;
  /** Slugs of entries that the list lacks, and whose post readers see at its address. */
  readonly unlisted?: ReadonlySet<string> | undefined;
  /** Slugs of local posts that the blog certainly lacks, although its list lacks others that it has. */
  readonly absent?: ReadonlySet<string> | undefined;
  /** Whether the list also has posts that readers don't see: at other hosts, a post in `gone` may be a draft now. */
  readonly showsDrafts: boolean;
  readonly readAt: Date;
}

export interface PostsSource {
  readonly api: ImprintApi;
  readonly blogId: string;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

/** The posts of a blog that doesn't exist yet. */
export function noPosts(now: Date): KnownPosts {
  const listing: Listing<Post> = { items: [], total: 0, end: "said" };
  const nothing = { posts: [], gone: new Set<string>(), showsDrafts: true, ledger: EMPTY_LEDGER };
  return { ...nothing, listing, completeness: { kind: "proven" }, readAt: now };
}

export interface KnowPostsOptions {
  readonly ledger: PostLedger;
  /** The local posts. Blog posts that neither they nor the ledger explain are examined closely. */
  readonly local: readonly Pick<SitePost, "slug" | "sourceHash" | "title" | "publishedAt">[];
  /** Whether to wait for posts that an interrupted run may have created. */
  readonly waits: boolean;
}

/** Reads a blog thoroughly at the start of a run. Writes nothing. */
export async function knowPosts(source: PostsSource, options: KnowPostsOptions): Promise<KnownPosts> {
  const { ledger } = options;
  let listing = await readListing(source, ledger);
  const restMs = options.waits ? restOfWait(ledger, { listing, now: source.clock.now() }) : 0;
  if (restMs > 0) {
    await source.clock.sleep(restMs, source.signal);
    listing = await readListing(source, ledger);
  }
  const bodies: Bodies = await readBodies(listing, { ...options, source });
  const known = await judge(listing, { source, ledger, bodies });
  const missing = missingEntries({ ...known, now: known.readAt });
  if (missing.length === 0) return known;
  const unlisted = await findShown(missing, ledger, source);
  const absent = await findAbsent({ ...source, ledger, unlisted, local: options.local });
  return reassess({ ...known, unlisted, absent });
}

/** Reads the list again right before a post is sent. Bodies that were read before are kept. */
export async function refreshPosts(source: PostsSource, before: KnownPosts, ledger: PostLedger): Promise<KnownPosts> {
  const bodies = new Map(before.posts.map(({ record, marker, html }) => [record.id, { marker, html }]));
  const { gone, unlisted, absent } = before;
  const known = await judge(await readListing(source, ledger), { source, ledger, bodies, gone });
  if (unlisted === undefined || unlisted.size === 0) return { ...known, unlisted };
  // A list of the newest posts loses one with each new one.
  const missing = missingEntries({ ...known, now: known.readAt }).filter((slug) => !unlisted.has(slug));
  const shown = await findShown(missing, ledger, source);
  return reassess({ ...known, unlisted: new Set([...unlisted, ...shown]), absent });
}

function reassess(known: KnownPosts): KnownPosts {
  return { ...known, completeness: assessList({ ...known, now: known.readAt }) };
}

type Body = Pick<RemotePost, "marker" | "html">;
type Bodies = ReadonlyMap<string | undefined, Body>;

interface EvaluationContext {
  readonly source: PostsSource;
  readonly ledger: PostLedger;
  readonly bodies: Bodies;
  readonly gone?: ReadonlySet<string>;
}

async function judge(listing: Listing<Post>, { source, ledger, bodies, gone: before }: EvaluationContext) {
  const readAt = source.clock.now();
  const listed = { listing, ledger, now: readAt };
  const gone = await findGone({ ...listed, gone: before ?? new Set() }, source);
  const posts = listing.items.map((record) => {
    const read = record.id === undefined ? undefined : bodies.get(record.id);
    const own = record.html === undefined ? undefined : findPostMarker(record.html);
    return { record, marker: own ?? read?.marker, html: record.html ?? read?.html };
  });
  const completeness = assessList({ ...listed, gone });
  const showsDrafts =
    source.api.capabilities.account !== undefined || listing.items.some(({ status }) => isHiddenStatus(status));
  return { posts, listing, completeness, ledger, gone, showsDrafts, readAt };
}

function readListing({ api, blogId, signal }: PostsSource, { learned }: PostLedger): Promise<Listing<Post>> {
  return api.posts.list(blogId, { signal, pageSize: learned.pageSize });
}

// A post that an interrupted run was creating may take a while to appear in the list.
function restOfWait(ledger: PostLedger, { listing, now }: { listing: Listing<Post>; now: Date }): number {
  const waits = [...ledger.open.values()]
    .filter(({ slug }) => !listing.items.some((record) => slugOfRecord(record) === slug))
    .map(({ at }) => at.getTime() + SETTLE_MS - now.getTime());
  return Math.min(SETTLE_MS, Math.max(0, ...waits));
}

interface BodiesQuestion extends KnowPostsOptions {
  readonly source: PostsSource;
}

// Bodies are requested only if memory doesn't explain the list, since they are most of a blog's size.
async function readBodies(listing: Listing<Post>, question: BodiesQuestion): Promise<Bodies> {
  const { ledger, local, source } = question;
  const { api, blogId, signal } = source;
  const bodies = new Map<string | undefined, Body>();
  const bodiless = listing.items.filter((record) => record.html === undefined);
  const ids = new Set([...ledger.entries.values()].flatMap(({ id }) => id ?? []));
  const strangers = bodiless.filter(({ id }) => id === undefined || !ids.has(id));
  const slugs = new Set(local.map(({ slug }) => slug));
  const lost = [...ledger.entries].filter(([slug]) => !slugs.has(slug));
  const unheard = findUnheard(bodiless, question);
  const hasUnmatched = (strangers.length > 0 || lost.length > 0) && local.some(({ slug }) => !ledger.entries.has(slug));
  if (!hasUnmatched && unheard.length === 0) return bodies;
  const whole = bodiless.length === 0 ? listing : await api.posts.list(blogId, { signal, content: true });
  for (const { id, html } of whole.items) if (html !== undefined) bodies.set(id, bodyOf(html));
  if (bodies.size > 0) return bodies;
  const withoutFile = bodiless.filter((record) => lost.some(([slug, entry]) => isSamePost(record, { slug, entry })));
  const visited = new Set([
    ...unheard,
    ...(hasUnmatched ? [...withoutFile, ...chooseStrangers(strangers, local)] : []),
  ]);
  await mapPool([...visited], VISITS_AT_ONCE, async ({ id, url }) => {
    const visit = url === undefined ? undefined : await visitHtml(url, source);
    if (visit !== undefined) bodies.set(id, bodyOf(visit));
  });
  return bodies;
}

function bodyOf(html: string): Body {
  return { marker: findPostMarker(html), html };
}

const MOST_OTHERS = 50;

/**
 * Chooses posts that share the slug, title, or day of a local one, and some of the others: one of them may have been
 * renamed.
 */
function chooseStrangers(strangers: readonly Post[], local: KnowPostsOptions["local"]): readonly Post[] {
  const slugs = new Set(local.map(({ slug }) => slug));
  const facts = new Set(local.flatMap(({ title, publishedAt }) => [normalizeTitle(title), publishedAt?.toISOString()]));
  const isAlike = ({ title, publishedAt, ...record }: Post) =>
    slugs.has(slugOfRecord(record) ?? "") || facts.has(normalizeTitle(title)) || facts.has(publishedAt?.toISOString());
  const { alike = [], others = [] } = Object.groupBy(strangers, (record) => (isAlike(record) ? "alike" : "others"));
  return [...alike, ...others.slice(0, MOST_OTHERS)];
}

// Finds posts that changed both here and on the service since they were remembered, maybe by an edit of ours that got
// no response.
function findUnheard(records: readonly Post[], { ledger, local }: KnowPostsOptions): readonly Post[] {
  const sources = new Map(local.map(({ slug, sourceHash }) => [slug, sourceHash]));
  const edited = [...ledger.entries].filter(([slug, { source, contentHash }]) => {
    const present = sources.get(slug);
    return present !== undefined && contentHash !== undefined && !isSameSource(source, present);
  });
  return records.filter(({ contentHash, ...record }) =>
    edited.some(
      ([slug, entry]) =>
        contentHash !== undefined && entry.contentHash !== contentHash && isSamePost(record, { slug, entry }),
    ),
  );
}

const VISITS_AT_ONCE = 8;

/** The HTML at a public address; `undefined` if there is none. */
export async function visitHtml(
  url: string,
  { api, signal }: Pick<PostsSource, "api" | "signal">,
): Promise<string | undefined> {
  if (!URL.canParse(url)) return undefined;
  const visit = await api.visit(url, { signal });
  return visit?.status === 200 ? new TextDecoder().decode(visit.bytes) : undefined;
}

interface MissingQuestion {
  readonly listing: Listing<Post>;
  readonly ledger: PostLedger;
  readonly gone: ReadonlySet<string>;
  readonly now: Date;
}

// A post that is neither in the list nor at its address was removed. One still at its address shows that the list is
// truncated, so the rest need no check.
async function findGone(question: MissingQuestion, { api, signal }: PostsSource): Promise<ReadonlySet<string>> {
  const gone = new Set(question.gone);
  const { entries } = question.ledger;
  const missing = missingEntries(question).filter((slug) => !isAwaited(entries.get(slug)));
  for (const slug of missing.slice(0, MOST_VISITS)) {
    const url = entries.get(slug)?.url;
    if (url === undefined || !URL.canParse(url)) {
      if (question.listing.end !== "said") break;
      gone.add(slug);
      continue;
    }
    const visit = await api.visit(url, { signal });
    if (visit?.status !== 404 && visit?.status !== 410) break;
    gone.add(slug);
  }
  return gone;
}

const MOST_VISITS = 50;

/** Time as seen by a run; injected so that tests can advance it. */
export interface Clock {
  now(): Date;
  /** Rejects when the signal is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
