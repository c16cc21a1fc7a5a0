import { basename } from "node:path";
import { parseHtml } from "../../html/parse.ts";
import { textOf, visitElements } from "../../html/tree.ts";
import type { Options } from "../../options/schema.ts";
import type { BuiltPage, BuiltSite, SiteWarning } from "../../site/model.ts";
import type { CollectedPosts } from "../read/collected.ts";
import { measureBody, MIN_SHARE } from "../render/lift/find-body.ts";
import type { ParsedPost } from "../read/parse-post.ts";
import { holdingOf } from "./read-posts.ts";
import { contentIdOf, pathBelow } from "../read/slugs.ts";
import { readSiteText } from "../../site/read-file.ts";
import type { HeldPage } from "./held-pages.ts";

export interface HeldPages {
  readonly pages: readonly HeldPage[];
  /** Pages that may show a post on hold and are published all the same. */
  readonly warnings: readonly SiteWarning[];
}

export interface HeldPagesSources {
  readonly built: BuiltSite;
  /** Pages that would be published. */
  readonly candidates: readonly BuiltPage[];
  readonly options: Options;
  /** All posts, published or not. */
  readonly posts: readonly ParsedPost[];
  readonly collected: CollectedPosts | undefined;
}

/**
 * Finds the built pages of posts that are not to be published now: drafts, scheduled and expired posts. A page is left
 * out only where its address names the post, no other post fits that address as well, and the page shows the post's text
 * or title. Where that is not clear, the page stays and a warning names both.
 */
export function findHeldPages(sources: HeldPagesSources): HeldPages {
  const { candidates, posts } = sources;
  const now = new Date();
  const held = new Map(posts.flatMap((post) => holdingOf(post, now).map(({ reason }) => [post, reason] as const)));
  const pages: HeldPage[] = [];
  const warnings: SiteWarning[] = [];
  if (held.size === 0) return { pages, warnings };
  const ids = new Map(posts.map((post) => [post, idsOf(post, sources)] as const));
  for (const page of candidates) {
    const owners = findOwners(page.route, ids);
    const owner = owners.find((post) => held.has(post));
    const reason = owner && held.get(owner);
    if (owner === undefined || reason === undefined) continue;
    const evidence = owners.length > 1 ? "unclear" : weigh(page, owner, sources);
    if (evidence === "shown") pages.push({ route: page.route, file: owner.file, reason });
    if (evidence === "unclear") warnings.push(doubt(page, owner));
  }
  return { pages, warnings };
}

/** What the address of a post's page may end with: ids, of which each is a list of parts. */
function idsOf({ file, slug, fields }: ParsedPost, { options, collected }: HeldPagesSources): readonly string[][] {
  const folder = options.posts === false ? "" : options.posts.folder;
  const path = pathBelow(folder, file) ?? basename(file);
  const entry = collected?.entries.find(({ filePath, id }) => (filePath?.replaceAll("\\", "/") ?? id) === file);
  const texts = [entry?.id, contentIdOf(path), fields.slug, slug].filter((text) => text !== undefined);
  return [...new Set(texts)].map((text) => partsOf(text.toLowerCase()));
}

/** The posts that an address names best: by most parts of their ids; several where it names them equally well. */
function findOwners(route: string, ids: ReadonlyMap<ParsedPost, readonly string[][]>): readonly ParsedPost[] {
  const parts = partsOf(route.toLowerCase());
  const scored = [...ids].map(([post, all]) => ({ post, score: Math.max(...all.map((id) => scoreOf(id, parts))) }));
  const best = Math.max(...scored.map(({ score }) => score));
  return best === 0 ? [] : scored.filter(({ score }) => score === best).map(({ post }) => post);
}

// A site may leave out the folders of an id, so that its last part alone counts too, but less than a whole id.
function scoreOf(id: readonly string[], route: readonly string[]): number {
  if (id.length === 0 || id.at(-1) !== route.at(-1)) return 0;
  const isWhole = id.every((part, index) => route[route.length - id.length + index] === part);
  return isWhole ? id.length : 0.5;
}

function partsOf(path: string): string[] {
  return path.split("/").filter((part) => part !== "");
}

type Evidence = "shown" | "unclear" | "none";

// Fewer words may stand in any page.
const ENOUGH_WORDS = 20;

function weigh(page: BuiltPage, post: ParsedPost, { built, options }: HeldPagesSources): Evidence {
  const { body, words, isAmongOthers } = measureBody(post.frontMatter.body, page, built);
  const share = body?.share ?? 0;
  const hasText = share >= MIN_SHARE && !isAmongOthers;
  const hasTitle = namesOf(page, built).some((name) => isTitleIn(post.fields.title, name));
  const isInBlog = isPlaceOfPosts(page, options);
  if (hasText && (hasTitle || words >= ENOUGH_WORDS)) return "shown";
  if (isInBlog && hasTitle) return "shown";
  return hasTitle || isInBlog || hasText ? "unclear" : "none";
}

/** Whether a page stands directly below the blog or the folder of the posts. */
function isPlaceOfPosts({ route }: BuiltPage, { posts }: Options): boolean {
  if (posts === false) return false;
  return [posts.blog.slug, posts.collection, basename(posts.folder)].includes(route.split("/").at(-3));
}

/** How a page calls itself: its title and its main headings. */
function namesOf(page: BuiltPage, { root }: BuiltSite): readonly string[] {
  const names: string[] = [];
  visitElements(parseHtml(readSiteText(root, page.file)), (element) => {
    if (element.tagName === "title" || element.tagName === "h1") names.push(textOf(element));
  });
  return names;
}

function isTitleIn(title: string | undefined, name: string): boolean {
  const plain = (text: string) => text.normalize("NFC").toLowerCase().replaceAll(/\s+/g, " ").trim();
  return title !== undefined && plain(name).startsWith(plain(title));
}

function doubt({ route }: BuiltPage, { file }: ParsedPost): SiteWarning {
  const message = `The page ${route} is published, although its address ends like this post, which is on hold: it isn't clear that it shows the post. If it does, add "${route}" to the \`exclude\` option.`;
  return { code: "held-page", file, message };
}
