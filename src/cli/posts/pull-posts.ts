import { ImprintError } from "../../base/error.ts";
import { pluralize } from "../../base/pluralize.ts";
import type { Post } from "../../client/api.ts";
import { wordsOf } from "../../posts/apply/dropped-fields.ts";
import { findChangedFields } from "../../posts/identity/fingerprint.ts";
import { entryOfVersion } from "../../posts/identity/found-post.ts";
import { findMatches, indexPosts, isSamePost, slugOfRecord } from "../../posts/identity/identity.ts";
import type { KnownPosts } from "../../posts/identity/known-posts.ts";
import { postUid } from "../../posts/identity/marker.ts";
import type { PostEntry } from "../../posts/memory/ledger.ts";
import { usualFolder } from "../../options/schema.ts";
import { openPostRepository } from "../../posts/memory/repository.ts";
import { slugOfFile } from "../../posts/read/slugs.ts";
import { createSiteRenderer } from "../../posts/render/render-markdown.ts";
import { hasCollections } from "../../posts/write/collection-schema.ts";
import type { MarkdownForm } from "../../posts/write/html-to-markdown.ts";
import { buildPosts } from "../../sync/desired/build-posts.ts";
import { planSite, type PlannedSite } from "../../sync/plan-run.ts";
import { nameBlogs } from "../../sync/plan.ts";
import type { Run } from "../../sync/run.ts";
import type { AccountResult, AccountRun } from "../account/account-command.ts";
import { withPostsRun, withPostsTarget, type PostsRequest } from "./open-posts.ts";
import { findPlaces } from "./published-places.ts";
import { chooseFile, findEntry, writePost, type PulledPost } from "./write-pulled-post.ts";

/** `imprint posts list`: the posts of the blog, and the files that they came from. */
export async function list({ flags, context, paint }: AccountRun): Promise<AccountResult> {
  const { posts, missing } = await withPostsTarget({ flags, context }, (request) =>
    withPostsRun({ ...request, dryRun: true, mayLackPosts: true }, async (run) => {
      const planned = await planSite(run);
      return { posts: planned.known.posts, missing: await describeMissingBlog(planned, run) };
    }),
  );
  const entries = [...(posts?.ledger.entries ?? [])];
  const rows = (posts?.posts ?? []).map(({ record }) => {
    const own = entries.find(([slug, entry]) => isSamePost(record, { slug, entry }));
    const { id, slug, title, url, status } = record;
    return { id, slug, title, url, status, file: own?.[1].file };
  });
  const lines = rows.flatMap(({ slug, title, status, url, id, file }) => {
    const hidden = status === undefined || status === "published" ? "" : paint("warn", ` (${status})`);
    const facts = [url, file ?? "no local file"].flatMap((fact) => fact ?? []);
    return [
      `${paint("strong", slug ?? id ?? "?")}  ${title ?? ""}${hidden}`,
      ...facts.map((fact) => `    ${paint("dim", fact)}`),
    ];
  });
  const json = { version: 1, posts: rows };
  if (missing !== undefined) return { json, text: `${missing.reason} ${missing.hint ?? ""}`.trimEnd() + "\n" };
  const { completeness } = posts ?? {};
  const doubt = completeness === undefined || completeness.kind === "proven" ? "" : ` (${completeness.reason})`;
  return { json, text: `${[...lines, `${pluralize(rows.length, "post")}${doubt}`].join("\n")}\n` };
}

/** `imprint posts pull [slug…]`: writes files for posts of the blog that have none. */
export async function pull({ args, flags, context, paint }: AccountRun): Promise<AccountResult> {
  const pulled = await withPostsTarget({ flags, context }, (request) => pullPosts(request, args));
  const lines = pulled.flatMap(({ slug, file, reason, missing = [] }) => {
    if (file === undefined) return [`${paint("warn", "!")} ${slug}  ${reason}.`];
    const lost = `The service doesn't show these as they were sent: ${missing.join(", ")}. Check them in the file.`;
    const notes = [...(reason === undefined ? [] : [reason]), ...(missing.length === 0 ? [] : [lost])];
    return [`${paint("good", "+")} ${file}`, ...notes.map((note) => `    ${paint("warn", note)}`)];
  });
  return {
    json: { version: 1, posts: pulled },
    text: `${lines.length === 0 ? "Every post of the blog has a local file." : lines.join("\n")}\n`,
    exitCode: pulled.some(({ reason }) => reason !== undefined) ? 1 : 0,
  };
}

/** Says why there is no blog to list, and which ones the service has; `undefined` if there is one. */
async function describeMissingBlog({ known, plan: { blog } }: PlannedSite, { api }: Run) {
  if (known.blog !== undefined || blog === undefined) return undefined;
  const reason = `The project has no blog yet: ${blog.reason}.`;
  if (blog.kind === "blocked") return { reason, hint: blog.hint };
  const { items } = api.capabilities.operations.has("blogs.list") ? await api.blogs.list() : { items: [] };
  const others = `The service has ${nameBlogs(items)}. To use one of them, set \`posts.blog.id\` to its ID.`;
  return { reason, hint: items.length === 0 ? "The first publish creates it." : others };
}

/**
 * Writes a Markdown file for each post of the blog that has none, and records these posts as up to date. Never changes
 * existing files. With `slugs`, handles only these posts.
 */
export async function pullPosts(request: PostsRequest, slugs: readonly string[]): Promise<readonly PulledPost[]> {
  const mayLackPosts = await mayStartFolder(request);
  return await withPostsRun({ ...request, mayLackPosts }, async (run) => {
    const planned = await planSite(run);
    const { blog, posts } = planned.known;
    const missing = await describeMissingBlog(planned, run);
    if (missing !== undefined) throw new ImprintError("USAGE", missing.reason, { hint: missing.hint });
    if (blog === undefined || posts === undefined) return [];
    const strangers = findStrangers(planned, posts);
    const wanted = strangers.filter((post) => slugs.length === 0 || slugs.includes(slugOfRecord(post) ?? ""));
    if (wanted.length === 0) return [];
    const details = await readDetails(run, blog.id);
    const { options } = run.request;
    const files = new Map(wanted.map((post) => [post, chooseFile(post, { known: posts, options })]));
    const places = findPlaces(planned, { run, files });
    const flavor = await findFlavor(run);
    const pulled: Pulled[] = [];
    for (const [post, file] of files) {
      const found = { ...details.get(post.id), ...definedOf(post) };
      const entry = findEntry(post, posts)?.[1];
      pulled.push({ post, entry, ...(await writePost({ ...places, run, post: found, entry, file, flavor })) });
    }
    return await remember(pulled, { run, addresses: planned.addresses, blogId: blog.id });
  });
}

/** Before the first build, the files of a collection may be in another folder than the usual one. */
async function mayStartFolder({ options: { posts }, projectRoot }: PostsRequest): Promise<boolean> {
  if (posts === false) return false;
  return posts.folder !== usualFolder(posts) || !(await hasCollections(projectRoot));
}

interface Pulled extends PulledPost {
  readonly post: Post;
  readonly entry: PostEntry | undefined;
}

// A list may show less of a post than the post itself.
function definedOf(post: Post): Post {
  return Object.fromEntries(Object.entries(post).filter(([, value]) => value !== undefined));
}

/** Which Markdown the site renders: with tables, unless its Astro config excludes them. */
async function findFlavor({ request: { markdown, projectRoot } }: Run): Promise<MarkdownForm["flavor"]> {
  const render = markdown ?? createSiteRenderer(projectRoot);
  const table = render("| a |\n| - |\n", { file: `${projectRoot}/table.md`, frontmatter: {} });
  // What prevents rendering is reported with the posts.
  const hasTables = await table.then(
    ({ html }) => html.includes("<table"),
    () => true,
  );
  return hasTables ? "gfm" : undefined;
}

function findStrangers({ desired: { posts, blog }, local }: PlannedSite, known: KnownPosts): readonly Post[] {
  const { collection = "" } = blog ?? {};
  const own = new Set<Post>();
  const identities = [
    ...posts.map((post) => ({ slug: post.slug, post, remoteId: post.remoteId })),
    ...local.held.map(({ slug, file }) => ({ slug: slug ?? slugOfFile(file, collection) })),
  ];
  const index = indexPosts(known.posts);
  for (const identity of identities) {
    const entry = known.ledger.entries.get(identity.slug);
    const uid = postUid({ collection, slug: identity.slug });
    for (const { record } of findMatches({ ...identity, uid, entry }, index)) own.add(record);
  }
  const read = [...posts, ...local.held].map(({ file }) => file);
  const files = new Set([...read, ...(blog?.unread ?? [])]);
  const there = [...known.ledger.entries].filter(([, { file }]) => files.has(file));
  const isThere = (record: Post) => there.some(([slug, entry]) => isSamePost(record, { slug, entry }));
  const replaced = new Set([...known.ledger.entries.values()].flatMap(({ replaces = [] }) => replaces));
  return known.posts.flatMap(({ record }) => {
    const isReplaced = replaced.has(record.id ?? "") || replaced.has(slugOfRecord(record) ?? "");
    return own.has(record) || isReplaced || isThere(record) ? [] : [record];
  });
}

async function readDetails({ api }: Run, blogId: string): Promise<ReadonlyMap<string | undefined, Post>> {
  const { items } = await api.posts.list(blogId, { content: true });
  return new Map(items.flatMap((post) => (post.id === undefined ? [] : [[post.id, post]])));
}

interface RememberContext {
  readonly run: Run;
  readonly addresses: PlannedSite["addresses"];
  readonly blogId: string;
}

async function remember(
  pulled: readonly Pulled[],
  { run, addresses, blogId }: RememberContext,
): Promise<readonly PulledPost[]> {
  const { placed, posts: local } = await buildPosts(run, { addresses });
  const repository = await openPostRepository(run.posts.store, blogId);
  const entries = new Map<string, PostEntry>();
  const results = pulled.map(({ post: record, entry: former, ...result }): PulledPost => {
    const post = placed.posts.find(({ file }) => file === result.file);
    if (post === undefined) {
      const problem = local.problems.find(({ file }) => file === result.file);
      return { ...result, reason: result.reason ?? problem?.message };
    }
    const { publishedAt = run.posts.clock.now() } = record;
    const there = { ...record, slug: slugOfRecord(record) };
    const { createdAt = publishedAt.toISOString(), replaces, files } = former ?? {};
    const entry = entryOfVersion(post, there, { state: "adopted", createdAt, replaces });
    entries.set(post.slug, { ...entry, files });
    const changed = former === undefined ? [] : findChangedFields(post, former).map(nameOfField);
    const missing = [...(result.missing ?? []), ...changed];
    return { ...result, missing: missing.length === 0 ? undefined : missing };
  });
  const files = new Set([...entries.values()].map(({ file }) => file));
  const orphaned = [...repository.ledger.entries].filter(([slug, { file }]) => files.has(file) && !entries.has(slug));
  await repository.record(new Map([...orphaned.map(([slug]) => [slug, undefined] as const), ...entries]));
  return results;
}

function nameOfField(field: string): string {
  return field === "alt" ? "alt text of the cover" : wordsOf(field);
}
