import { listNames } from "../../base/list-names.ts";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Options } from "../../options/schema.ts";
import type { BuiltPage, BuiltSite, SiteWarning } from "../../site/model.ts";
import type { CollectedPosts } from "../read/collected.ts";
import { entriesOf } from "../read/field-keys.ts";
import { isPrivateFile } from "../read/find-markdown.ts";
import type { ParsedPost } from "../read/parse-post.ts";
import { holdingOf, parsePosts, parsePrivateFiles } from "../read/parse-posts.ts";
import { positionAt } from "../read/problems.ts";
import { contentIdOf, pathBelow } from "../read/slugs.ts";
import { measureBody, MIN_SHARE } from "../render/lift/find-body.ts";
import type { HoldReason } from "../plan/changes.ts";
import {
  NONE_HELD,
  nounOfHold,
  reasonOfHold,
  reasonOfHolds,
  type HeldPage,
  type HeldPost,
  type HeldSite,
  type HeldText,
} from "./held-pages.ts";
import { findHeldTexts, isCalledLike } from "./held-texts.ts";

export interface HoldContext {
  readonly projectRoot: string;
  readonly options: Options;
  readonly collected: CollectedPosts | undefined;
}

/** Reads the posts of a site and decides which of its pages aren't published because their posts aren't. */
export async function holdPages(
  { built, candidates }: { readonly built: BuiltSite; readonly candidates: readonly BuiltPage[] },
  context: HoldContext,
): Promise<HeldSite> {
  const { projectRoot: root, options, collected } = context;
  if (options.posts === false) return NONE_HELD;
  const place = { ...options.posts, root, collected };
  const parsed = await parsePosts(place);
  if (options.posts.pages === "all") return { ...NONE_HELD, parsed };
  const hidden = collected === undefined ? await parsePrivateFiles(place) : [];
  const posts = [...parsed.parsed, ...hidden];
  const now = new Date();
  const held = new Map(posts.flatMap((post) => holdingOf(post, now).map(({ reason }) => [post, reason] as const)));
  if (held.size === 0) return { ...NONE_HELD, parsed };
  const named = findHeldPages({ built, candidates, options, posts, held, collected });
  const texts = findHeldTexts(built, { candidates, posts, held, routes: named.pages.map(({ route }) => route) });
  const pages = [...named.pages, ...texts.pages];
  const advice = { posts: options.posts, parsed: parsed.parsed };
  const links = Object.fromEntries(pages.map((page) => [page.route, describeLinks([page], advice)]));
  const describe = (found: readonly HeldPost[]) => describeText(found, advice);
  return {
    parsed,
    pages,
    links,
    blockedPages: mapValues(texts.blockedPages, describe),
    blockedFiles: mapValues(texts.blockedFiles, describe),
    warnings: [...named.doubts].flatMap(([route, doubt]) =>
      route in links || texts.blockedPages.has(route) ? [] : [doubt],
    ),
  };
}

function mapValues<From, To>(map: ReadonlyMap<string, From>, change: (value: From) => To): ReadonlyMap<string, To> {
  return new Map([...map].map(([key, value]) => [key, change(value)]));
}

interface HeldPages {
  readonly pages: readonly HeldPage[];
  /** By route: pages that may show a post on hold but are published anyway. */
  readonly doubts: ReadonlyMap<string, SiteWarning>;
}

interface HeldPagesSources {
  readonly built: BuiltSite;
  /** Pages that would be published. */
  readonly candidates: readonly BuiltPage[];
  readonly options: Options;
  /** All posts, published or not. */
  readonly posts: readonly ParsedPost[];
  readonly held: ReadonlyMap<ParsedPost, HoldReason>;
  readonly collected: CollectedPosts | undefined;
}

/**
 * Finds the built pages of posts that aren't to be published now: drafts, scheduled posts, and expired posts. A page is
 * left out only if its address names the post, no other post fits that address equally well, and the page shows the
 * post's text or title. In unclear cases, the page stays, and a warning names both.
 */
function findHeldPages(sources: HeldPagesSources): HeldPages {
  const { candidates, posts, held } = sources;
  const pages: HeldPage[] = [];
  const doubts = new Map<string, SiteWarning>();
  const ids = new Map(posts.map((post) => [post, idsOf(post, sources)] as const));
  for (const page of candidates) {
    const owners = findOwners(page.route, ids);
    const owner = owners.find((post) => held.has(post));
    const reason = owner && held.get(owner);
    if (owner === undefined || reason === undefined) continue;
    const evidence = owners.length > 1 ? "unclear" : weigh(page, owner, sources);
    if (evidence === "shown") pages.push({ route: page.route, file: owner.file, reason });
    if (evidence === "unclear") doubts.set(page.route, doubt(page, owner));
  }
  return { pages, doubts };
}

/** Possible endings of the address of a post's page: ids, each a list of segments. */
function idsOf({ file, slug, fields }: ParsedPost, { options, collected }: HeldPagesSources): readonly string[][] {
  const folder = options.posts === false ? "" : options.posts.folder;
  const path = pathBelow(folder, file) ?? basename(file);
  const entry = collected?.entries.find(({ filePath, id }) => (filePath?.replaceAll("\\", "/") ?? id) === file);
  const texts = [entry?.id, contentIdOf(path), fields.slug, slug].filter((text) => text !== undefined);
  return [...new Set(texts)].map((text) => partsOf(text.toLowerCase()));
}

/** The posts that an address names best, by matching id segments; several if they match equally well. */
function findOwners(route: string, ids: ReadonlyMap<ParsedPost, readonly string[][]>): readonly ParsedPost[] {
  const parts = partsOf(route.toLowerCase());
  const scored = [...ids].map(([post, all]) => ({ post, score: Math.max(...all.map((id) => scoreOf(id, parts))) }));
  const best = Math.max(...scored.map(({ score }) => score));
  return best === 0 ? [] : scored.filter(({ score }) => score === best).map(({ post }) => post);
}

// A site may omit the folders of an id, so the last segment alone also counts, but less than a whole id.
function scoreOf(id: readonly string[], route: readonly string[]): number {
  if (id.length === 0 || id.at(-1) !== route.at(-1)) return 0;
  const isWhole = id.every((part, index) => route[route.length - id.length + index] === part);
  return isWhole ? id.length : 0.5;
}

function partsOf(path: string): string[] {
  return path.split("/").filter((part) => part !== "");
}

type Evidence = "shown" | "unclear" | "none";

// Fewer words may appear in any page.
const ENOUGH_WORDS = 20;

function weigh(page: BuiltPage, post: ParsedPost, { built, options }: HeldPagesSources): Evidence {
  const { body, words, isAmongOthers } = measureBody(post.frontMatter.body, page, built);
  const share = body?.share ?? 0;
  const hasText = share >= MIN_SHARE && !isAmongOthers;
  const hasTitle = isCalledLike(post, page, built);
  const isInBlog = isPlaceOfPosts(page, options);
  if (hasText && (hasTitle || words >= ENOUGH_WORDS)) return "shown";
  if (isInBlog && hasTitle) return "shown";
  return hasTitle || isInBlog || hasText ? "unclear" : "none";
}

/** Whether a page is directly below the blog or the posts folder. */
function isPlaceOfPosts({ route }: BuiltPage, { posts }: Options): boolean {
  if (posts === false) return false;
  return [posts.blog.slug, posts.collection, basename(posts.folder)].includes(route.split("/").at(-3));
}

function doubt({ route }: BuiltPage, { file }: ParsedPost): SiteWarning {
  const message = `The page ${route} is published, although its address ends with the slug of this post, which is on hold: imprint doesn't know whether the page shows the post. If it does, add "${route}" to the \`exclude\` option.`;
  return { code: "held-page", file, message };
}

/** Describes the removal of links to pages on hold, and how to exclude such posts from a list. */
function describeLinks(pages: readonly [HeldPage, ...HeldPage[]], advice: AdviceContext): string {
  const [first, ...others] = pages;
  const routes = listNames(pages.map(({ route }) => route));
  const what =
    others.length === 0
      ? `The link to ${routes} is removed: ${reasonOfHold(first.reason)}.`
      : `The links to ${routes} are removed: ${reasonOfHolds(first.reason)}.`;
  return `${what} ${adviceFor(first, advice)}`;
}

interface AdviceContext {
  readonly posts: Options["posts"];
  readonly parsed: readonly ParsedPost[];
}

function adviceFor({ file, reason }: HeldPost, { posts, parsed }: AdviceContext): string {
  if (posts === false) return "";
  if (isPrivateFile(file, posts.folder)) {
    return 'Exclude such files from the collection: `pattern: "**/[^_]*.{md,mdx}"`.';
  }
  const collection = posts.collection ?? basename(posts.folder);
  const post = parsed.find((each) => each.file === file);
  const [date] = post === undefined ? [] : entriesOf(post.frontMatter.data, "date", posts.fields);
  const test = reason === "scheduled" ? `data.${date?.key ?? "pubDate"} <= new Date()` : "!data.draft";
  const query = `Leave such posts out of lists: \`getCollection("${collection}", ({ data }) => ${test})\``;
  return reason === "scheduled" ? `${query}.` : `${query}, with \`draft: z.boolean().optional()\` in the schema.`;
}

function describeText(found: readonly HeldPost[], advice: AdviceContext): HeldText {
  const [first] = found;
  const files = listNames(found.map(({ file, reason }) => `${file} (${nounOfHold(reason)})`));
  const hint = first === undefined ? "" : `${adviceFor(first, advice)} `;
  return {
    reason: `it contains the text of ${files}`,
    hint: `${hint}To publish it anyway, set \`posts.pages: "all"\`.`,
  };
}

export interface TemplateSources {
  readonly projectRoot: string;
  readonly options: Options;
  readonly built: BuiltSite;
  readonly held: HeldSite;
}

/** Replaces built pages with the templates that list posts on hold, each named once. */
export async function nameTemplates(
  warnings: readonly SiteWarning[],
  { projectRoot, options, built, held }: TemplateSources,
): Promise<readonly SiteWarning[]> {
  const templates = new Map(built.pages.map(({ file, template }) => [file, template]));
  const pages = new Map(held.pages.map((page) => [held.links[page.route], page]));
  const groups = new Map<string, { readonly warning: SiteWarning; readonly pages: Set<HeldPage> }>();
  const advice = { posts: options.posts, parsed: held.parsed?.parsed ?? [] };
  for (const warning of warnings.filter(({ code }) => code === "held-link")) {
    const page = pages.get(warning.message);
    if (page === undefined) continue;
    const template = templates.get(warning.file);
    const place = template === undefined ? {} : await placeOfQuery(projectRoot, template);
    const named = { ...warning, ...place };
    const key = JSON.stringify([named.file, named.line, page.reason, adviceFor(page, advice)]);
    const group = groups.get(key) ?? { warning: named, pages: new Set() };
    groups.set(key, { ...group, pages: group.pages.add(page) });
  }
  const merged = [...groups.values()].flatMap(({ warning, pages: [first, ...others] }) =>
    first === undefined ? [] : [{ ...warning, message: describeLinks([first, ...others], advice) }],
  );
  return [...warnings.filter(({ code }) => code !== "held-link"), ...merged];
}

async function placeOfQuery(projectRoot: string, file: string): Promise<Pick<SiteWarning, "file" | "line">> {
  const text = await readFile(join(projectRoot, file), "utf8").catch(() => "");
  const offset = text.indexOf("getCollection(");
  return offset === -1 ? { file } : { file, line: positionAt(text, offset).line };
}
