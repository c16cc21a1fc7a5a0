import { listNames } from "../../base/list-names.ts";
import type { LostCharacter } from "../../html/lost-characters.ts";
import type { SitePost } from "../post.ts";
import type { PostChange } from "./changes.ts";
import { isSamePost, isSameTitle, normalizeTitle, slugOfRecord, type RemotePost } from "../identity/identity.ts";
import type { Evidence, Former, FormerPost } from "../identity/former-posts.ts";
import { NO_FILE } from "../memory/ledger.ts";
import type { KnownPosts } from "../identity/known-posts.ts";
import type { PostRules, WantedPosts } from "./plan.ts";

type Edited = Extract<PostChange, { kind: "update"; state: "edited" }>;
type Blocked = Extract<PostChange, { kind: "blocked" }>;

export const PUBLISH_THERE = "Publish it in the service's dashboard.";

export const WITHOUT_TEXT =
  "Find out the service's field name for a post's text, and set `dialect.postBody` in the options. Delete the empty post there, and run `imprint posts restore <slug>`.";

/** Returns why a post isn't sent and what its author can do. */
export function block({ slug, file }: SitePost, why: Pick<Blocked, "state" | "reason" | "hint" | "places">): Blocked {
  return { kind: "blocked", name: slug, file, ...why };
}

/** A new or edited post that links to others, named by slug or file, that the blog doesn't have. */
export function waitForPosts(post: SitePost, missing: readonly string[], seen?: Blocked["seen"]): Blocked {
  const [page] = missing.filter((each) => each.startsWith("/"));
  const reason = `it links to ${listNames(missing)}, which is not ${page === undefined ? "in the blog" : "published yet"}`;
  const hint = page === undefined ? undefined : "Run `imprint publish`, which publishes pages before posts.";
  return { ...block(post, { state: "blocked", reason, hint, places: [] }), ...(seen && { seen }) };
}

// The post that had this slug was renamed, and its address stays.
export function slugTaken(post: SitePost, holder: RemotePost): Blocked {
  return block(post, {
    state: "foreign",
    reason: `the blog has another post at this address${titleOf(holder.record.title)}`,
    hint: "Give your post another `slug` in its front matter.",
    places: [placeOf(holder)],
  });
}

// A file copied as the start of another post, including its id.
export function sharedId(post: SitePost, remoteId: string): Blocked {
  return block(post, {
    state: "blocked",
    reason: `another post has the same ID, ${remoteId}`,
    hint: `Remove the line \`imprintId\` from the copy.`,
    places: [],
  });
}

export function heldByAnother(post: SitePost, known: RemotePost): Blocked {
  return block(post, {
    state: "foreign",
    reason: `another project (${known.marker?.project}) has published a post with this slug to the blog`,
    hint: "Give your post another `slug` in its front matter, or publish to another blog with `posts.blog.id`.",
    places: [placeOf(known)],
  });
}

export function slugChanged(post: SitePost, { slug, entry, remote }: FormerPost): Blocked {
  const place = remote === undefined ? entry?.url : placeOf(remote);
  return block(post, {
    state: "slug-changed",
    reason: `it was published as "${slug}", and this service can't move a post`,
    hint: `Add \`slug: ${slug}\` to its front matter, or run \`imprint posts ack ${post.slug}\` to leave it at its old address.`,
    places: [place ?? slug],
  });
}

/** A post of ours that somebody unpublished on the service. */
export function hiddenThere(post: SitePost, known: RemotePost, consequence: string): Blocked {
  const reason = `the blog has it as "${known.record.status}", ${consequence}`;
  return block(post, { state: "blocked", reason, hint: PUBLISH_THERE, places: [placeOf(known)] });
}

/** A post of ours that readers see without its text. */
export function withoutText(post: SitePost, found: Shown): Blocked {
  return incomplete(post, found, { reason: "the service shows it without its text", hint: WITHOUT_TEXT });
}

/** Returns what to do about a post of which readers see only the beginning. */
export function cutHint(slug: string): string {
  return `Shorten or split it, delete it there, and run \`imprint posts restore ${slug}\`; or, if that is fine, run \`imprint posts ack ${slug}\`.`;
}

/** A post of ours that the service cut off. */
export function cutOff(post: SitePost, found: Shown): Blocked {
  const reason = "the service cuts it off: readers see only its beginning";
  return incomplete(post, found, { reason, hint: cutHint(post.slug) });
}

export function describeLacks(parts: readonly string[]): string {
  return `readers get it without its ${listNames(parts)}`;
}

/** Names a character that readers don't see as a part of the post that it lacks. */
export function characterPart({ character, instead = "" }: LostCharacter): string {
  return instead === "" ? `${CHARACTER} "${character}"` : `${CHARACTER} "${character}", which became "${instead}"`;
}

const CHARACTER = "characters such as";

/** Names a title that readers don't see in full. */
export function titlePart({ instead }: { readonly instead: string }): string {
  return instead === "" ? TITLE : `${TITLE}, which became "${instead}"`;
}

const TITLE = "title";

/** Names the text of a post over which the service wrote another one. */
export function overwrittenPart(by: string): string {
  return `${OVERWRITTEN} ${by}`;
}

const OVERWRITTEN = "text, which became that of";

export function restoreHint(slug: string): string {
  return `Restore ${slug} in the service's dashboard (\`imprint posts html ${slug}\` prints it), and run \`imprint posts ack ${slug}\`.`;
}

/** All of a post's formatting, if readers see its HTML as text. */
export const MARKUP_AS_TEXT = "formatting, and see its HTML as text";

/** Returns what to do about a post from which the service removes parts. */
export function lacksHint(slug: string, parts: readonly string[]): string {
  const ack = `if readers don't need them, run \`imprint posts ack ${slug}\`.`;
  if (parts.includes(MARKUP_AS_TEXT)) {
    return `Ask the service to accept HTML posts, or set \`posts: { target: "pages" }\` to publish posts only as pages. Or, if that is fine, run \`imprint posts ack ${slug}\`.`;
  }
  if (parts.some((part) => part.startsWith(OVERWRITTEN))) return restoreHint(slug);
  if (parts.some((part) => part.startsWith(TITLE))) {
    return `Correct it in the service's dashboard, and run \`imprint posts ack ${slug}\`. Or give it a title that the service keeps, delete the post there, and run \`imprint posts restore ${slug}\`.`;
  }
  return parts.some((part) => part.startsWith(CHARACTER))
    ? `The service doesn't store them, or declares another encoding. Ask the service for UTF-8. Or use other characters, delete the post there, and run \`imprint posts restore ${slug}\`. Or, ${ack}`
    : `The service removes them. Publish them on a page of the site and link to it. Or, ${ack}`;
}

/** A post of ours from which the service removed parts. */
export function withoutParts(post: SitePost, found: Shown, parts: readonly string[]): Blocked {
  return incomplete(post, found, { reason: describeLacks(parts), hint: lacksHint(post.slug, parts) });
}

type Shown = Pick<Edited, "known" | "entry">;

function incomplete(post: SitePost, { known, entry }: Shown, why: Pick<Blocked, "reason" | "hint">): Blocked {
  return {
    ...block(post, { state: "blocked", ...why, places: [placeOf(known)] }),
    seen: { entry, formerSlug: undefined },
  };
}

/** Describes the location of a blog post for people. */
export function placeOf({ record }: RemotePost): string {
  const { id, url } = record;
  if (id === undefined || url === undefined) return url ?? id ?? record.slug ?? "a post without an address";
  return `${url} (${id})`;
}

/** A post that nobody edited but that is incomplete for readers. */
interface Damage extends Pick<PostRules, "capabilities"> {
  readonly state: "file-lost" | "link-lost";
  readonly reason: string;
}

export function lostFiles(files: readonly string[], { capabilities }: Pick<PostRules, "capabilities">): Damage {
  const reason = `${listNames(files)} is no longer at the library address that the post uses`;
  return { state: "file-lost", reason, capabilities };
}

export function lostLinks(
  links: readonly string[],
  { capabilities, deleted }: Pick<PostRules, "capabilities"> & { readonly deleted: ReadonlySet<string> },
): Damage {
  const isDeleted = links.some((link) => deleted.has(link));
  const why = isDeleted ? "a page that the site no longer has" : "which no longer exists";
  return { state: "link-lost", reason: `it links to ${listNames(links)}, ${why}`, capabilities };
}

/** Names links that were sent as plain text and whose targets are published now. */
export function findMissingLinks(
  post: SitePost,
  { unlinked = [] }: Pick<Edited["entry"], "unlinked">,
): readonly string[] {
  return unlinked.filter((link) => post.unlinked?.includes(link) !== true);
}

export function missingLinks(links: readonly string[], { capabilities }: Pick<PostRules, "capabilities">): Damage {
  const reason = `its link to ${listNames(links)} was left out, because nothing was published there`;
  return { state: "link-lost", reason, capabilities };
}

type Found = Pick<Edited, "post" | "known" | "entry" | "formerSlug" | "name" | "file">;

/** An update restores what is missing; otherwise the post is blocked. */
export function planRepair(
  { post, known, entry, formerSlug, name, file }: Found,
  { capabilities, state, reason }: Damage,
): Exclude<PostChange, { kind: "create" }> {
  if (capabilities.operations.has("posts.patch")) {
    return { kind: "update", state: "edited", by: "patch", name, file, post, known, entry, formerSlug, reason };
  }
  const hint = editHint(post, known);
  return {
    ...block(post, { state, reason, hint, places: [placeOf(known)] }),
    seen: { entry, formerSlug },
  };
}

/** A post that was edited and that a person has to change on the service. */
export function blockEdit(post: SitePost, known: RemotePost, why: Pick<Blocked, "reason" | "hint">): Blocked {
  const blocked = block(post, { state: "edited", ...why, places: [placeOf(known)] });
  return hasOtherTitle(post, known) ? { ...blocked, title: post.title } : blocked;
}

export function editHint(post: SitePost, known: RemotePost): string {
  const { slug } = post;
  const { url } = known.record;
  const open = url === undefined ? "Change it in the service's dashboard" : `Change it at ${url}`;
  const title = hasOtherTitle(post, known) ? `, set its title to "${post.title}"` : "";
  return `${open} (\`imprint posts html ${slug}\` prints it)${title}, then run \`imprint posts ack ${slug}\`.`;
}

/** Whether the service shows another title than the file's. */
export function hasOtherTitle({ title }: SitePost, { record }: RemotePost): boolean {
  return record.title !== undefined && !isSameTitle(record.title, title);
}

/** Whether the service can change a published post: in place, or by sending it again. */
export function mayChangePosts(
  { capabilities }: Pick<PostRules, "capabilities">,
  { ledger }: Pick<KnownPosts, "ledger">,
): boolean {
  return capabilities.operations.has("posts.patch") || ledger.learned.repeatedPost === "upserts";
}

interface Merging {
  /** Files that were replaced or removed on the service. */
  readonly replaced: readonly string[];
  /** Whether the service can change the post. */
  readonly mayChange: boolean;
}

/** What to do with a post that was edited both here and on the service. */
export function mergeHint(post: SitePost, known: RemotePost, { replaced, mayChange }: Merging): string {
  const first =
    replaced.length === 0
      ? "First copy the change made there into the file, so that it isn't lost."
      : "Also add the new file to your project.";
  const then = mayChange
    ? `Then run \`imprint posts ack ${post.slug}\`, and the next run sends the file.`
    : editHint(post, known);
  return `${first} ${then}`;
}

const EVIDENCE: Readonly<Record<Evidence, string>> = {
  id: "it has its ID",
  file: "it is the same file",
  source: "it has the same text",
  git: "git recorded the rename",
  title: "it has the same title",
  words: "it has most of the same words",
  slug: "its slug differs only by a date or number",
  beginning: "its title is the beginning of this one's",
  place: "it is the same file",
};

/** A post that may be one of the blog's: sending it could permanently duplicate that one. */
export function resembles(
  post: SitePost,
  { formers, evidence }: Extract<Former, { kind: "resembles" }>,
  { posts }: WantedPosts,
): PostChange {
  const [former] = formers;
  const { slug, entry, remote } = former;
  const own = (hasIdAsName(former) && remote !== undefined ? slugOfRecord(remote.record) : undefined) ?? slug;
  // Another file may have its slug now.
  const old = posts.some((each) => each.slug === own) ? (entry?.id ?? slug) : own;
  const names = new Intl.ListFormat("en", { type: "disjunction" }).format(formers.map((each) => `"${nameOf(each)}"`));
  const gone =
    formers.length === 1 && entry !== undefined && entry.file !== NO_FILE ? `, whose file ${entry.file} is gone` : "";
  return {
    ...block(post, {
      state: "resembles",
      reason: `it may be the published post ${names}${gone}: ${EVIDENCE[evidence]}`,
      hint: `If it is, run \`imprint posts rename ${old} ${post.slug}\`. If it is a new post, run \`imprint posts new-post ${post.slug}\`.`,
      places: formers.flatMap(({ remote }) => (remote === undefined ? [] : [placeOf(remote)])),
    }),
    formers: formers.map((each) => each.slug),
  };
}

/** Returns the name that readers know: the title of a post that is remembered by its id. */
function nameOf(former: FormerPost): string {
  const { slug, remote } = former;
  return (hasIdAsName(former) ? remote?.record.title : undefined) ?? slug;
}

/** Whether a post without a file is remembered by its id. */
function hasIdAsName({ slug, entry, remote }: FormerPost): boolean {
  return slug === entry?.id || slug === remote?.record.id;
}

/** Formats a title as the end of a sentence. */
export function titleOf(title: string | undefined): string {
  return title === undefined ? "" : `, "${title}"`;
}

// A list without slugs can't show whether an unremembered post is this one.
export function findUnclear(
  post: SitePost,
  { known, hidden }: { readonly known: KnownPosts; readonly hidden: readonly HiddenPost[] },
): PostChange | undefined {
  if (known.ledger.newPosts?.has(post.slug) === true) return undefined;
  const titled = hidden.filter(({ record }) => isSameTitle(record.title, post.title));
  const candidates = titled.length > 0 ? titled : hidden.filter(({ isTitled }) => !isTitled);
  const [first] = candidates;
  if (first === undefined) return undefined;
  const reason =
    titled.length > 0
      ? "the blog has a post with this title, and the service doesn't show whether it is this one"
      : "the service shows neither slug nor text of some posts in the blog, and this may be one of them";
  const id = first.record.id ?? "<id>";
  const hint = `If it is that post, run \`imprint posts rename ${id} ${post.slug}\`. If it is new, run \`imprint posts new-post ${post.slug}\`. Or restore imprint.lock.json, which remembers it.`;
  return block(post, { state: "resembles", reason, hint, places: candidates.map(placeOf) });
}

/** A listed post that nothing identifies. */
export interface HiddenPost extends RemotePost {
  /** Whether a local post has the same title. */
  readonly isTitled: boolean;
}

/** Finds posts that the service shows with neither slug nor text and that aren't remembered. */
export function findHiddenPosts({ posts: local }: WantedPosts, { posts, ledger }: KnownPosts): readonly HiddenPost[] {
  const titles = new Set(local.map(({ title }) => normalizeTitle(title)));
  const entries = [...ledger.entries];
  return posts.flatMap((remote): HiddenPost[] => {
    const { record, marker } = remote;
    if (slugOfRecord(record) !== undefined || marker !== undefined) return [];
    const isKnown = ledger.others?.has(record.id ?? "") === true;
    if (isKnown || entries.some(([slug, entry]) => isSamePost(record, { slug, entry }))) return [];
    return [{ ...remote, isTitled: titles.has(normalizeTitle(record.title)) }];
  });
}
