import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ImprintError, messageOf, systemCodeOf } from "../../base/error.ts";
import type { Post } from "../../client/api.ts";
import { entryOfVersion } from "../../posts/identity/found-post.ts";
import { findMatches, indexPosts, isSamePost, slugOfRecord } from "../../posts/identity/identity.ts";
import type { KnownPosts } from "../../posts/identity/known-posts.ts";
import { postUid, withoutPostMarkers } from "../../posts/identity/marker.ts";
import type { PostEntry } from "../../posts/memory/ledger.ts";
import { openPostRepository } from "../../posts/memory/repository.ts";
import { entriesOf } from "../../posts/read/field-keys.ts";
import { foldSlug, slugOfFile } from "../../posts/read/slugs.ts";
import { htmlToMarkdown } from "../../posts/write/html-to-markdown.ts";
import { findNeighbours, findTemplate } from "../../posts/write/new-post.ts";
import { renderFrontMatter, startOfDay, type TemplateField } from "../../posts/write/template.ts";
import { buildPosts } from "../../sync/desired/build-posts.ts";
import { planSite, type PlannedSite } from "../../sync/plan-run.ts";
import type { Run } from "../../sync/run.ts";
import type { AccountResult, AccountRun } from "../account/account-command.ts";
import { withPostsRun, withPostsTarget, type PostsRequest } from "./open-posts.ts";

/** `imprint posts list`: the posts of the blog, and the files that they came from. */
export async function list({ flags, context, paint }: AccountRun): Promise<AccountResult> {
  const posts = await withPostsTarget({ flags, context }, (request) =>
    withPostsRun({ ...request, dryRun: true }, async (run) => (await planSite(run)).known.posts),
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
  const { completeness } = posts ?? {};
  const doubt = completeness === undefined || completeness.kind === "proven" ? "" : ` (${completeness.reason})`;
  return { json: { version: 1, posts: rows }, text: `${[...lines, `${rows.length} posts${doubt}`].join("\n")}\n` };
}

/** `imprint posts pull [slug…]`: writes files for posts of the blog that have none. */
export async function pull({ args, flags, context, paint }: AccountRun): Promise<AccountResult> {
  const pulled = await withPostsTarget({ flags, context }, (request) => pullPosts(request, args));
  const lines = pulled.flatMap(({ slug, file, reason }) => {
    if (file === undefined) return [`${paint("warn", "!")} ${slug}  ${reason}.`];
    return [`${paint("good", "+")} ${file}`, ...(reason === undefined ? [] : [`    ${paint("warn", reason)}`])];
  });
  return {
    json: { version: 1, posts: pulled },
    text: `${lines.length === 0 ? "Every post of the blog has a local file." : lines.join("\n")}\n`,
    exitCode: pulled.some(({ reason }) => reason !== undefined) ? 1 : 0,
  };
}

/** The result for one post of the blog that has no file in the project. */
export interface PulledPost {
  readonly slug: string;
  /** Path of the new file, relative to the project; `undefined` if none was written. */
  readonly file: string | undefined;
  /** Why no file was written, or what is wrong with it. */
  readonly reason: string | undefined;
}

/**
 * Writes a Markdown file for each post of the blog that has none, and records these posts as up to date. Never changes
 * existing files. With `slugs`, handles only these posts.
 */
export async function pullPosts(request: PostsRequest, slugs: readonly string[]): Promise<readonly PulledPost[]> {
  return await withPostsRun(request, async (run) => {
    const planned = await planSite(run);
    const { known } = planned;
    if (known.blog === undefined || known.posts === undefined) return [];
    const strangers = findStrangers(planned, known.posts);
    const wanted = strangers.filter((post) => slugs.length === 0 || slugs.includes(slugOfRecord(post) ?? ""));
    if (wanted.length === 0) return [];
    const details = await readDetails(run, known.blog.id);
    const pulled: (PulledPost & { readonly post: Post })[] = [];
    for (const post of wanted) {
      const { html, tags } = details.get(post.id) ?? {};
      const found = { ...post, html: post.html ?? html, tags: post.tags ?? tags };
      pulled.push({ post, ...(await writePost(found, run)) });
    }
    return await remember(pulled, { run, addresses: planned.addresses, blogId: known.blog.id });
  });
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

async function writePost(post: Post, { request }: Run): Promise<PulledPost> {
  const slug = foldSlug(slugOfRecord(post) ?? post.title ?? post.id ?? "");
  if (post.html === undefined) {
    return { slug, file: undefined, reason: "the service's API doesn't return its text" };
  }
  const { projectRoot: root, options, logger } = request;
  const folder = options.posts === false ? "" : options.posts.folder;
  const paths = await findNeighbours(root, folder);
  const facts = { title: post.title ?? slug, date: post.publishedAt ?? startOfDay(new Date()), logger };
  const template = await findTemplate({ root, folder, paths }, facts);
  const fields = fillTags(
    template.fields.flatMap((field) => fillField(field, post)),
    { tags: post.tags, key: findTagsKey(template.fields, options) },
  );
  const body = htmlToMarkdown(withoutPostMarkers(post.html));
  const file = `${folder}/${slug}.md`;
  try {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), renderFrontMatter(fields) + body, { flag: "wx" });
    return { slug, file, reason: undefined };
  } catch (error) {
    if (systemCodeOf(error) === "EEXIST") return { slug, file: undefined, reason: `${file} already exists` };
    throw new ImprintError("STATE_UNWRITABLE", `${file} can't be written: ${messageOf(error)}`, { cause: error });
  }
}

const EXCERPTS: ReadonlySet<string> = new Set(["description", "excerpt", "summary"]);

/** Fills a field for a post that is already published: not a draft, with the values from the service. */
function fillField(field: TemplateField, { status, excerpt, author }: Post): readonly TemplateField[] {
  const key = field.key.toLowerCase();
  if (key === "draft") return status === undefined || status === "published" ? [] : [field];
  if (key === "published" && field.value === false) return [{ ...field, value: status !== "draft" }];
  const value = EXCERPTS.has(key) ? excerpt : key === "author" ? author : undefined;
  return [value === undefined ? field : { ...field, value, isOptional: false }];
}

function findTagsKey(fields: readonly TemplateField[], { posts }: Run["request"]["options"]): string {
  const mapping = posts === false ? {} : posts.fields;
  const keys = Object.fromEntries(fields.map(({ key }) => [key, key]));
  return entriesOf(keys, "tags", mapping)[0]?.key ?? mapping.tags ?? "tags";
}

interface Tags {
  readonly tags: readonly string[] | undefined;
  /** The key for tags in front matter of the project. */
  readonly key: string;
}

/** Sets the tags even if the template has no key for them, so that the next edit doesn't remove them from the post. */
function fillTags(fields: readonly TemplateField[], { tags, key }: Tags): readonly TemplateField[] {
  const place = fields.find((field) => field.key === key);
  if (tags === undefined || (tags.length === 0 && (place === undefined || place.isOptional === true))) return fields;
  if (place === undefined) return [...fields, { key, value: tags }];
  const value = typeof place.value === "string" ? tags.join(", ") : tags;
  return fields.map((field) => (field === place ? { ...field, value, isOptional: false } : field));
}

async function remember(
  pulled: readonly (PulledPost & { readonly post: Post })[],
  {
    run,
    addresses,
    blogId,
  }: { readonly run: Run; readonly addresses: PlannedSite["addresses"]; readonly blogId: string },
): Promise<readonly PulledPost[]> {
  const { placed, posts: local } = await buildPosts(run, { addresses });
  const repository = await openPostRepository(run.posts.store, blogId);
  const entries = new Map<string, PostEntry>();
  const results = pulled.map(({ post: record, ...result }): PulledPost => {
    const post = placed.posts.find(({ file }) => file === result.file);
    if (post === undefined) {
      const problem = local.problems.find(({ file }) => file === result.file);
      return { ...result, reason: result.reason ?? problem?.message };
    }
    const { publishedAt = run.posts.clock.now() } = record;
    const there = { ...record, slug: slugOfRecord(record) };
    entries.set(post.slug, entryOfVersion(post, there, { state: "adopted", createdAt: publishedAt.toISOString() }));
    return result;
  });
  const files = new Set([...entries.values()].map(({ file }) => file));
  const orphaned = [...repository.ledger.entries].filter(([slug, { file }]) => files.has(file) && !entries.has(slug));
  await repository.record(new Map([...orphaned.map(([slug]) => [slug, undefined] as const), ...entries]));
  return results;
}
