import type { SitePost } from "../post.ts";
import { shareOfLines } from "./fingerprint.ts";
import { isSameSource, isSameTitle, slugOfRecord, type PostIndex, type RemotePost } from "./identity.ts";
import type { KnownPosts } from "./known-posts.ts";
import type { PostEntry } from "../memory/ledger.ts";
import { isOwnMarker, postUid } from "./marker.ts";
import { isWrittenOver } from "./written-over.ts";
import type { BlogView, WantedPosts } from "../plan/plan.ts";
import {
  createShingles,
  findLikeness,
  MOST_WORDS,
  NEARLY_ALL_WORDS,
  shareOf,
  shinglesOf,
  type Likeness,
} from "./resemblance.ts";

/** A published post that has no file under its old name. */
export interface FormerPost {
  /** The slug that is remembered or that the service shows; the id if there is no slug. */
  readonly slug: string;
  readonly entry: PostEntry | undefined;
  readonly remote: RemotePost | undefined;
}

/**
 * Evidence that a file is a published post under another name, strongest first:
 * - `id`: its front matter has the post's id.
 * - `file`: the same file now has another slug, with the same title or most of its lines.
 * - `source`: the text equals the version that was published or last seen under the old name.
 * - `git`: the repository recorded the rename.
 * - `title`: the title is the same, and for a post without our marker the day too.
 * - `words`: most of the words are the same, or were when it was first put on hold.
 * - `slug`, `beginning`: the slug differs only by a date or number, or the title is the beginning of this one's, and one
 *   of slug, title, words and day is the same as well. Only for posts that aren't remembered.
 * - `place`: only the file path is the same.
 */
export type Evidence = "id" | "file" | "source" | "git" | "title" | Likeness | "place";

/** What is known about a local post's former name. */
export type Former =
  /** Certainly that post. */
  | { readonly kind: "is"; readonly former: FormerPost; readonly evidence: Evidence }
  /** Possibly one of these; the author has to decide. */
  | {
      readonly kind: "resembles";
      readonly formers: readonly [FormerPost, ...FormerPost[]];
      readonly evidence: Evidence;
    };

export interface FormerQuestion extends BlogView {
  /** The posts of the blog that local posts match by their own names, unless known to be another post. */
  readonly matches: ReadonlyMap<string, readonly RemotePost[]>;
}

/**
 * Finds the local posts that are published under a former name: the file was renamed or its slug changed. Nothing
 * published to a blog can be undone, so a new post that resembles one without a file is sent only after it is certain
 * that it is a different post.
 */
export function findFormerPosts(question: FormerQuestion): ReadonlyMap<string, Former> {
  const { wanted, known, matches } = question;
  const { entries, newPosts = new Set<string>() } = known.ledger;
  const isNamed = ({ slug }: SitePost) => entries.has(slug) || (matches.get(slug)?.length ?? 0) > 0;
  if (wanted.posts.every((post) => isOwnText(post, question) && isNamed(post))) return new Map();
  const misnamed = new Set(wanted.posts.filter((post) => isNamed(post) && hasOtherText(post, question)));
  const names = new Set([...misnamed].map(({ slug }) => slug));
  const formers = findWithoutFile({ ...question, matches: new Map([...matches].filter(([slug]) => !names.has(slug))) });
  const found = new Map([...findMoved(question, formers), ...findByIds(question)]);
  const taken = new Set([...found.values()].map(({ former }) => former.slug));
  const open = wanted.posts.filter(
    (post) => (!isNamed(post) || misnamed.has(post)) && !newPosts.has(post.slug) && !found.has(post.slug),
  );
  const left = formers.filter(({ slug }) => !taken.has(slug));
  return new Map<string, Former>([...found, ...assign(open, left, question)]);
}

type Moved = Extract<Former, { kind: "is" }>;

/** Whether a post is the version that was published or last seen under its own name. */
function isOwnText({ slug, sourceHash }: SitePost, { known, matches }: FormerQuestion): boolean {
  return [{ entry: known.ledger.entries.get(slug) }, ...(matches.get(slug) ?? [])].some((own) =>
    hasSource(own, sourceHash),
  );
}

/** Whether a post has nothing but the name in common with the blog's post of that name. */
function hasOtherText(post: SitePost, question: FormerQuestion): boolean {
  const { known, matches } = question;
  const named = matches.get(post.slug) ?? [];
  if (isOwnText(post, question) || named.some(({ record }) => isSameTitle(record.title, post.title))) return false;
  const entry = known.ledger.entries.get(post.slug);
  // A post remembered under another name was recognized before, maybe by the author.
  if (entry?.remoteSlug !== undefined) return false;
  if (entry !== undefined) return shareOfLines(post, entry) < MOST_WORDS;
  const texts = named.flatMap(({ html }) => html ?? []);
  const own = texts.length === 0 ? undefined : shinglesOf(post.html);
  return own !== undefined && texts.every((html) => shareOf(own, shinglesOf(html)) < MOST_WORDS);
}

/**
 * Finds posts whose published text is now in another file, while their own file is gone or has different text: two
 * files swapped names, or a post took the name of one that was renamed or deleted.
 */
function findMoved(question: FormerQuestion, formers: readonly FormerPost[]): Map<string, Moved> {
  const { wanted, known } = question;
  const changed = wanted.posts.filter((post) => !isOwnText(post, question));
  const rewritten = changed.flatMap((post): FormerPost[] => {
    const entry = known.ledger.entries.get(post.slug);
    if (entry === undefined || shareOfLines(post, entry) >= MOST_WORDS) return [];
    return [{ slug: post.slug, entry, remote: undefined }];
  });
  const left = new Set([...rewritten, ...formers.filter((former) => isOurs(former, wanted))]);
  const moved = new Map<string, Moved>();
  for (const { slug, sourceHash, file } of changed) {
    const former = [...left].find(
      ({ slug: name, entry, remote }) => name !== slug && hasSource({ entry, marker: remote?.marker }, sourceHash),
    );
    if (former === undefined) continue;
    left.delete(former);
    moved.set(slug, { kind: "is", evidence: former.entry?.file === file ? "file" : "source", former });
  }
  return moved;
}

/** Finds posts whose front matter has an id that is remembered under another file name. */
function findByIds({ wanted, known: { ledger } }: FormerQuestion): Map<string, Moved> {
  const slugs = new Set(wanted.posts.map(({ slug }) => slug));
  const lost = [...ledger.entries].filter(([slug]) => !slugs.has(slug));
  return new Map(
    wanted.posts.flatMap(({ slug, remoteId }) => {
      const former = lost.find(([, { id }]) => id !== undefined && id === remoteId);
      if (former === undefined || ledger.entries.has(slug)) return [];
      const [name, entry] = former;
      return [[slug, { kind: "is", evidence: "id", former: { slug: name, entry, remote: undefined } }] as const];
    }),
  );
}

interface Sources {
  readonly entry?: PostEntry | undefined;
  readonly marker?: RemotePost["marker"];
}

function hasSource({ entry, marker }: Sources, sourceHash: string): boolean {
  return [entry?.source, entry?.seen, marker?.source].some(
    (source) => source !== undefined && isSameSource(source, sourceHash),
  );
}

function isOurs({ entry, remote }: FormerPost, { project }: WantedPosts): boolean {
  return entry !== undefined || isOwnMarker(remote?.marker, project);
}

/** Finds remembered posts whose file is gone, and unremembered posts of the blog that may be ours. */
export function findWithoutFile(question: FormerQuestion): readonly FormerPost[] {
  const { wanted, known, index } = question;
  const { held, unread = new Set<string>() } = wanted;
  const slugs = new Set([...question.matches.keys(), ...held.map(({ slug }) => slug)]);
  // A held file that took the name of another post has its own entry.
  const unknown = held.filter(({ slug }) => slug === undefined || !known.ledger.entries.has(slug));
  const files = new Set([...unknown.map(({ file }) => file), ...unread]);
  const remembered = [...known.ledger.entries].map(([slug, entry]): FormerPost & { readonly entry: PostEntry } => {
    return { slug, entry, remote: findListed({ slug, entry }, index) };
  });
  const matched = new Set<RemotePost | undefined>([...question.matches.values()].flat());
  const lost = remembered.filter(({ slug, entry, remote }) => {
    // A clone of the project renamed the file, as the marker shows.
    const isFound = remote !== undefined && matched.has(remote);
    return !isFound && !slugs.has(slug) && !files.has(entry.file) && !known.gone.has(slug);
  });
  const explained = new Set([...remembered.map(({ remote }) => remote), ...matched]);
  return [...lost, ...findUnexplained(question, explained)];
}

function findUnexplained(
  { wanted, known }: FormerQuestion,
  explained: ReadonlySet<RemotePost | undefined>,
): readonly FormerPost[] {
  const held = wanted.held.flatMap(({ slug }) => slug ?? []);
  const slugs = new Set(held);
  const uids = new Set(held.map((slug) => postUid({ collection: wanted.collection, slug })));
  const replaced = new Set([...known.ledger.entries.values()].flatMap(({ replaces = [] }) => replaces));
  return known.posts.flatMap((remote): FormerPost[] => {
    const { record, marker } = remote;
    const shown = slugOfRecord(record);
    const slug = shown ?? record.id;
    if (slug === undefined || explained.has(remote) || isWrittenOver(remote, known.ledger)) return [];
    const isReplaced = replaced.has(record.id ?? "") || replaced.has(slug);
    const isForeign = marker !== undefined && !isForgotten(known) && !mayBeOwn(remote, wanted);
    const isHeld = (marker !== undefined && uids.has(marker.uid)) || (shown !== undefined && slugs.has(shown));
    return isReplaced || isForeign || isHeld ? [] : [{ slug, entry: undefined, remote }];
  });
}

function findListed(
  { slug, entry }: { readonly slug: string; readonly entry: PostEntry },
  index: PostIndex,
): RemotePost | undefined {
  const byId = entry.id === undefined ? undefined : index.byId.get(entry.id)?.[0];
  if (byId !== undefined) return byId;
  const named = index.bySlug.get(entry.remoteSlug ?? slug)?.[0];
  return entry.id === undefined || named?.record.id === undefined ? named : undefined;
}

/** Whether a post has the marker of this project, or, if nothing is remembered here, of any project. */
export function mayBeOwn({ marker }: RemotePost, { project, isFresh = false }: WantedPosts): boolean {
  return isFresh ? marker !== undefined : isOwnMarker(marker, project);
}

const STRENGTHS: readonly Evidence[] = ["id", "file", "source", "git", "title", "words", "slug", "beginning", "place"];

/**
 * Assigns by the strongest evidence first. If two files have equal evidence for a former post, neither match is
 * certain.
 */
function assign(
  posts: readonly SitePost[],
  formers: readonly FormerPost[],
  question: FormerQuestion,
): ReadonlyMap<string, Former> {
  const evidenceOf = createEvidence(question);
  const pairs = posts.flatMap((post) =>
    formers.flatMap((former) => {
      if (former.slug === post.slug) return [];
      const evidence = evidenceOf(post, former);
      return evidence === undefined ? [] : [{ post, former, evidence }];
    }),
  );
  const found = new Map<string, Former>();
  const taken = new Set<FormerPost>();
  for (const evidence of STRENGTHS) {
    const left = pairs.filter(
      (pair) => pair.evidence === evidence && !found.has(pair.post.slug) && !taken.has(pair.former),
    );
    for (const [post, own] of Map.groupBy(left, (pair) => pair.post)) {
      const [first, ...others] = own.map(({ former }) => former).filter((former) => !taken.has(former));
      if (first === undefined) continue;
      const rivals = left.filter(({ former, post: other }) => former === first && other !== post);
      // If two files have the text of one post, the first is that post and the other a copy.
      const isOnly = evidence === "source" || (others.length === 0 && rivals.length === 0);
      if (isOnly && isCertain({ evidence, post, former: first }, question)) {
        taken.add(first);
        found.set(post.slug, { kind: "is", former: first, evidence });
      } else {
        found.set(post.slug, { kind: "resembles", formers: [first, ...others], evidence });
      }
    }
  }
  return found;
}

interface Pair {
  readonly post: SitePost;
  readonly former: FormerPost;
  readonly evidence: Evidence;
}

// A matching title or many shared words may be coincidence, and an error is correctable only if the service can change
// posts.
function isCertain({ evidence, post, former }: Pair, { rules, wanted }: FormerQuestion): boolean {
  if (!isOurs(former, wanted)) return false;
  if (evidence === "slug" || evidence === "beginning") return false;
  if (evidence === "title" || evidence === "words") {
    return rules.capabilities.operations.has("posts.patch") && isSameDay(post, former) === "same";
  }
  return true;
}

/** Whether nothing is, or was, remembered about the blog, so that a post without our marker may also be ours. */
function isForgotten({ ledger: { entries, learned } }: KnownPosts): boolean {
  return entries.size === 0 || learned.foundPosts === true;
}

function createEvidence({
  wanted,
  known,
}: FormerQuestion): (post: SitePost, former: FormerPost) => Evidence | undefined {
  const shinglesFor = createShingles();
  const mayBeUnmarked = isForgotten(known);
  const slugs = new Set(wanted.posts.map(({ slug }) => slug));
  return (post, former) => {
    const { entry, remote } = former;
    const { marker, record, html } = remote ?? {};
    const isSameFile = entry?.file === post.file && !slugs.has(former.slug);
    const hasText = hasSource({ entry, marker }, post.sourceHash);
    const hasTitle = record?.title !== undefined && isSameTitle(record.title, post.title);
    if (isSameFile && (hasText || hasTitle || shareOfLines(post, entry) >= MOST_WORDS)) return "file";
    if (hasText) return "source";
    if (isRenamedInGit(post, { former, wanted })) return "git";
    const day = isSameDay(post, former);
    const mayBeOurs = entry !== undefined || marker !== undefined || mayBeUnmarked;
    if (hasTitle && (mayBeOurs || day === "same")) return "title";
    if (known.ledger.onHold?.get(post.slug)?.includes(former.slug) === true) return "words";
    // Other people's posts are compared only if they have the same day.
    if (!mayBeOurs && day !== "same") return undefined;
    const share =
      html === undefined || remote === undefined
        ? shareOfLines(post, entry)
        : shareOf(shinglesFor(post, post.html), shinglesFor(remote, html));
    if (share >= (day === "other" ? NEARLY_ALL_WORDS : MOST_WORDS)) return "words";
    if (isSameFile) return "place";
    return entry === undefined && remote !== undefined
      ? findLikeness(post, remote, { isSameDay: day === "same" })
      : undefined;
  };
}

function isRenamedInGit(
  { file }: SitePost,
  { former: { entry, remote }, wanted }: { readonly former: FormerPost; readonly wanted: WantedPosts },
): boolean {
  const { collection, renamedFrom } = wanted;
  return (renamedFrom?.get(file) ?? []).some(
    ({ file: oldFile, slug }) =>
      oldFile === entry?.file ||
      postUid({ collection, slug }) === remote?.marker?.uid ||
      (remote !== undefined && slugOfRecord(remote.record) === slug),
  );
}

/** A service that sets dates itself shows the day of publishing, which proves nothing about the post. */
function isSameDay({ publishedAt }: SitePost, { entry, remote }: FormerPost): "same" | "other" | "unknown" {
  const listed = remote?.record.publishedAt;
  if (publishedAt === undefined || listed === undefined) return "unknown";
  if (dayOf(listed) === dayOf(publishedAt)) return "same";
  return entry !== undefined && entry.createdAt.startsWith(dayOf(listed)) ? "unknown" : "other";
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
