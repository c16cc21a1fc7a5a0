import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ImprintError, messageOf, systemCodeOf } from "../../base/error.ts";
import type { Post } from "../../client/api.ts";
import { hasWord } from "../../html/attributes.ts";
import { parseHtml } from "../../html/parse.ts";
import { findBodyLanguage } from "../../html/post-body.ts";
import { innerRange, visitElements } from "../../html/tree.ts";
import type { Options } from "../../options/schema.ts";
import { createAddressRestorer, restoreAddresses, type PublishedPlaces } from "../../posts/edit/restore-addresses.ts";
import { isSentWithout } from "../../posts/identity/fingerprint.ts";
import { isSamePost, slugOfRecord } from "../../posts/identity/identity.ts";
import type { KnownPosts } from "../../posts/identity/known-posts.ts";
import { withoutPostMarkers } from "../../posts/identity/marker.ts";
import type { PostEntry } from "../../posts/memory/ledger.ts";
import { canonicalOf } from "../../posts/post.ts";
import { foldSlug, pathBelow, slugOfFile } from "../../posts/read/slugs.ts";
import { createSiteRenderer } from "../../posts/render/render-markdown.ts";
import { fillFields } from "../../posts/write/fill-fields.ts";
import { htmlToMarkdown, type MarkdownForm } from "../../posts/write/html-to-markdown.ts";
import { findNeighbours, findTemplate, readNeighbours } from "../../posts/write/new-post.ts";
import { renderFrontMatter, startOfDay } from "../../posts/write/template.ts";
import { withoutScripts } from "../../posts/write/without-scripts.ts";
import type { Run } from "../../sync/run.ts";
import { readHtml } from "../../sync/seen.ts";

/** The result for one post of the blog that has no file in the project. */
export interface PulledPost {
  readonly slug: string;
  /** Path of the new file, relative to the project; `undefined` if none was written. */
  readonly file: string | undefined;
  /** Why no file was written, or what is wrong with it. */
  readonly reason: string | undefined;
  /** What the project's own post had, and the service doesn't show. */
  readonly missing?: readonly string[] | undefined;
}

// The words stay as they were written.
const PLAIN = { smartypants: false, syntaxHighlight: false };

export interface Restoring extends PublishedPlaces {
  readonly run: Run;
  readonly post: Post;
  /** What is remembered of the post. */
  readonly entry: PostEntry | undefined;
  /** The Markdown file to write, relative to the project. */
  readonly file: string;
  readonly flavor: MarkdownForm["flavor"];
}

/** Writes the Markdown file of a post of the blog. */
export async function writePost({ run, post, entry, file, flavor, ...places }: Restoring): Promise<PulledPost> {
  const slug = slugOfPulled(post);
  const page = entry?.pointsTo;
  const sent = page === undefined ? await readText(post, run, file) : await readPageText(page, run.api);
  if (sent === undefined) {
    const elsewhere = `the blog only has a link to its page, "${page}", whose text can't be restored`;
    const reason = page === undefined ? "the service's API doesn't return its text" : elsewhere;
    return { slug, file: undefined, reason };
  }
  const { projectRoot: root, options } = run.request;
  if (options.posts === false) return { slug, file: undefined, reason: undefined };
  const { folder, fields: mapping } = options.posts;
  const paths = await findNeighbours(root, folder);
  const facts = { title: post.title ?? slug, date: post.publishedAt ?? startOfDay(new Date()) };
  const template = await findTemplate({ root, folder, paths }, { ...facts, logger: run.request.logger });
  const restore = await createAddressRestorer({ ...places, root, file, entry });
  const html = withoutScripts(withoutPostMarkers(sent)).trim();
  const shown = ownFieldsOf(post, entry);
  const cover = post.cover === undefined ? undefined : (restore(post.cover) ?? post.cover);
  const values = { ...shown, cover, canonical: canonicalOf(post), language: findLanguage(html) };
  const neighbours = await readNeighbours({ root, folder, paths });
  const fields = fillFields(template.fields, { ...values, status: post.status }, { mapping, neighbours });
  const text = renderFrontMatter(fields) + htmlToMarkdown(restoreAddresses(html, restore), { flavor });
  try {
    await mkdir(dirname(join(root, file)), { recursive: true });
    await writeFile(join(root, file), text, { flag: "wx" });
    return { slug, file, reason: undefined, missing: findMissing({ ...post, html: sent }, entry) };
  } catch (error) {
    if (systemCodeOf(error) === "EEXIST") return { slug, file: undefined, reason: `${file} already exists` };
    throw new ImprintError("STATE_UNWRITABLE", `${file} can't be written: ${messageOf(error)}`, { cause: error });
  }
}

// A post may be stored as Markdown, such as one from the dashboard. It is pulled through its HTML, which has no scripts
// or addresses of published pages once it is in the project.
async function readText({ html, markdown }: Post, { request }: Run, file: string): Promise<string | undefined> {
  if (html !== undefined || markdown === undefined) return html;
  const render = request.markdown ?? createSiteRenderer(request.projectRoot, PLAIN);
  return (await render(markdown, { file: join(request.projectRoot, file), frontmatter: {} })).html;
}

function slugOfPulled(post: Post): string {
  return foldSlug(slugOfRecord(post) ?? post.title ?? post.id ?? "");
}

// A service may fill in what a post was sent without, such as an excerpt from its text.
function ownFieldsOf({ excerpt, author, tags }: Post, entry: PostEntry | undefined) {
  const isOwn = (field: "excerpt" | "author" | "tags") => entry === undefined || !isSentWithout(field, entry);
  return {
    excerpt: isOwn("excerpt") ? excerpt : undefined,
    author: isOwn("author") ? author : undefined,
    tags: isOwn("tags") ? tags : undefined,
  };
}

/** What the service doesn't show of a post that was sent with it. */
function findMissing({ cover, html = "" }: Post, entry: PostEntry | undefined): readonly string[] {
  const hasOther = Object.values(entry?.files ?? {}).some((path) => !html.includes(path));
  return cover === undefined && hasOther ? ["cover image"] : [];
}

/** The text in a page that was made from a post; `undefined` if another page shows the post. */
async function readPageText(slug: string, api: Run["api"]): Promise<string | undefined> {
  const html = (await readHtml(slug, api)) ?? "";
  const texts: string[] = [];
  visitElements(parseHtml(html), (element) => {
    const range = hasWord(element, "class", "post-body") ? innerRange(element) : undefined;
    if (range !== undefined) texts.push(html.slice(range.start, range.end));
  });
  return texts[0];
}

/** The language that imprint wrapped around the text. */
function findLanguage(html: string): string | undefined {
  return /^<div lang="[^"]+">/.test(html) && html.endsWith("</div>") ? findBodyLanguage(parseHtml(html)) : undefined;
}

/** Chooses the file of a post: the one that it came from, if its name gives the same slug. */
export function chooseFile(post: Post, { known, options }: { readonly known: KnownPosts; readonly options: Options }) {
  const [slug, entry] = findEntry(post, known) ?? [];
  const folder = options.posts === false ? "" : options.posts.folder;
  // The text of an MDX file is restored from its HTML.
  const former = entry?.file.replace(/\.mdx$/i, ".md") ?? "";
  const isOwn = pathBelow(folder, former) !== undefined && /\.(?:md|markdown)$/i.test(former);
  return isOwn && slugOfFile(former, folder) === slug ? former : `${folder}/${slugOfPulled(post)}.md`;
}

export function findEntry(record: Post, { ledger }: KnownPosts): readonly [string, PostEntry] | undefined {
  return [...ledger.entries].find(([slug, entry]) => isSamePost(record, { slug, entry }));
}
