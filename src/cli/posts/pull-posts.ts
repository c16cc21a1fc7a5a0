import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { CliContext, ExitCode } from "../context.ts";
import { withPostsTarget } from "./open-posts.ts";
import type { PostsFlags } from "../posts-commands.ts";
import { paintFor } from "../terminal.ts";
import { ImprintError, messageOf, systemCodeOf } from "../../base/error.ts";
import type { Post } from "../../client/api.ts";
import { foldSlug, slugOfFile } from "../../posts/read/slugs.ts";
import { sentVersionOf } from "../../posts/identity/fingerprint.ts";
import { findMatches, indexPosts, isSamePost, slugOfRecord } from "../../posts/identity/identity.ts";
import { openPostRepository } from "../../posts/memory/repository.ts";
import type { PostEntry } from "../../posts/memory/ledger.ts";
import type { KnownPosts } from "../../posts/identity/known-posts.ts";
import { postUid, withoutPostMarkers } from "../../posts/identity/marker.ts";
import { htmlToMarkdown } from "../../posts/write/html-to-markdown.ts";
import { findNeighbours, findTemplate } from "../../posts/write/new-post.ts";
import { renderFrontMatter, type TemplateField } from "../../posts/write/template.ts";
import { buildPosts } from "../../sync/desired/build-posts.ts";
import { planDryRun, type PlannedSite } from "../../sync/plan-run.ts";
import type { Run } from "../../sync/run.ts";
import { withRun } from "../../target/open-run.ts";
import type { PostsRequest } from "./sync-posts.ts";
import { formatJson } from "../print.ts";

/** `imprint posts pull [slug…]`: files for posts of the blog that have none here. */
export async function postsPullCommand(
  { slugs, flags }: { readonly slugs: readonly string[]; readonly flags: PostsFlags },
  context: CliContext,
): Promise<ExitCode> {
  const pulled = await withPostsTarget({ flags, context }, (request) => pullPosts(request, slugs));
  const { out, environment } = context;
  if (flags.json === true) {
    out.write(formatJson({ version: 1, posts: pulled }));
  } else {
    const paint = paintFor(out, environment);
    for (const { slug, file, reason } of pulled) {
      out.write(file === undefined ? `${paint("warn", "!")} ${slug}  ${reason}.\n` : `${paint("good", "+")} ${file}\n`);
      if (file !== undefined && reason !== undefined) out.write(`    ${paint("warn", reason)}\n`);
    }
    if (pulled.length === 0) out.write("Every post of the blog has a file here.\n");
  }
  return pulled.some(({ reason }) => reason !== undefined) ? 1 : 0;
}

/** What became of one post of the blog that no file of the project is for. */
export interface PulledPost {
  readonly slug: string;
  /** Path of the new file, relative to the project; `undefined` when none was written. */
  readonly file: string | undefined;
  /** Why no file was written, or what is wrong with it. */
  readonly reason: string | undefined;
}

/**
 * Writes a markdown file for each post of the blog that has none, and remembers them as published as they are. Files
 * that are there are never changed. With slugs only these are looked at.
 */
export async function pullPosts(request: PostsRequest, slugs: readonly string[]): Promise<readonly PulledPost[]> {
  return await withRun({ ...request, only: "posts" }, async (run) => {
    const planned = await planDryRun(run);
    const { known } = planned;
    if (known.blog === undefined || known.posts === undefined) return [];
    const strangers = findStrangers(planned, known.posts);
    const wanted = strangers.filter((post) => slugs.length === 0 || slugs.includes(slugOfRecord(post) ?? ""));
    if (wanted.length === 0) return [];
    const bodies = await readBodies(run, known.blog.id);
    const pulled: (PulledPost & { readonly post: Post })[] = [];
    for (const post of wanted) {
      pulled.push({ post, ...(await pull({ ...post, html: post.html ?? bodies.get(post.id) }, run)) });
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

async function readBodies({ api }: Run, blogId: string): Promise<ReadonlyMap<string | undefined, string>> {
  const { items } = await api.posts.list(blogId, { content: true });
  return new Map(items.flatMap(({ id, html }) => (id === undefined || html === undefined ? [] : [[id, html]])));
}

async function pull(post: Post, { request }: Run): Promise<PulledPost> {
  const slug = foldSlug(slugOfRecord(post) ?? post.title ?? post.id ?? "");
  if (post.html === undefined) {
    return { slug, file: undefined, reason: "the service does not show its text to programs" };
  }
  const { projectRoot: root, options, logger } = request;
  const folder = options.posts === false ? "" : options.posts.folder;
  const paths = await findNeighbours(root, folder);
  const facts = { title: post.title ?? slug, date: post.publishedAt ?? new Date(), logger };
  const template = await findTemplate({ root, folder, paths }, facts);
  const fields = template.fields.flatMap((field) => fillField(field, post));
  const body = htmlToMarkdown(withoutPostMarkers(post.html));
  const file = `${folder}/${slug}.md`;
  try {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), renderFrontMatter(fields) + body, { flag: "wx" });
    return { slug, file, reason: undefined };
  } catch (error) {
    if (systemCodeOf(error) === "EEXIST") return { slug, file: undefined, reason: `${file} is there already` };
    throw new ImprintError("STATE_UNWRITABLE", `${file} can't be written: ${messageOf(error)}`, { cause: error });
  }
}

const EXCERPTS: ReadonlySet<string> = new Set(["description", "excerpt", "summary"]);

/** A field of a post that is published already: no draft, and with what the service shows of it. */
function fillField(field: TemplateField, { status, excerpt, author }: Post): readonly TemplateField[] {
  const key = field.key.toLowerCase();
  if (key === "draft") return status === undefined || status === "published" ? [] : [field];
  if (key === "published" && field.value === false) return [{ ...field, value: status !== "draft" }];
  const value = EXCERPTS.has(key) ? excerpt : key === "author" ? author : undefined;
  return [value === undefined ? field : { ...field, value, isOptional: false }];
}

interface Memory {
  readonly run: Run;
  readonly addresses: PlannedSite["addresses"];
  readonly blogId: string;
}

async function remember(
  pulled: readonly (PulledPost & { readonly post: Post })[],
  { run, addresses, blogId }: Memory,
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
    const { id, url, contentHash, publishedAt } = record;
    const remoteSlug = slugOfRecord(record);
    entries.set(post.slug, {
      id,
      url,
      contentHash,
      file: post.file,
      ...sentVersionOf(post),
      state: "adopted",
      ...(remoteSlug === undefined || remoteSlug === post.slug ? {} : { remoteSlug }),
      createdAt: (publishedAt ?? run.posts.clock.now()).toISOString(),
    });
    return result;
  });
  const files = new Set([...entries.values()].map(({ file }) => file));
  const orphaned = [...repository.ledger.entries].filter(([slug, { file }]) => files.has(file) && !entries.has(slug));
  await repository.record(new Map([...orphaned.map(([slug]) => [slug, undefined] as const), ...entries]));
  return results;
}
