import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Options } from "../../options/schema.ts";
import type { BuiltPage, BuiltSite, SiteWarning } from "../../site/model.ts";
import type { CollectedPosts } from "../read/collected.ts";
import { isPrivateFile, parsePrivateFiles, type ParsedFolder } from "../read/parse-folder.ts";
import { positionAt } from "../read/problems.ts";
import { fieldSettingsOf, parsePosts } from "./read-posts.ts";
import { reasonOfHold, reasonOfHolds, type HeldPage } from "./held-pages.ts";
import { findHeldPages } from "./find-held-pages.ts";
import { postsPlaceOf } from "./desire-posts.ts";

export interface HoldContext {
  readonly projectRoot: string;
  readonly options: Options;
  readonly collected: CollectedPosts | undefined;
}

/** The posts of a site as far as their front matter, and the pages that are left out with some of them. */
export interface HeldSite {
  readonly parsed: ParsedFolder | undefined;
  readonly pages: readonly HeldPage[];
  /** What to say of a link to each of these pages, by route. */
  readonly links: Readonly<Record<string, string>>;
  readonly warnings: readonly SiteWarning[];
}

export const NONE_HELD: HeldSite = { parsed: undefined, pages: [], links: {}, warnings: [] };

/** Reads the posts of a site, and decides which of its pages are not published because their posts are not. */
export async function holdPages(
  { built, candidates }: { readonly built: BuiltSite; readonly candidates: readonly BuiltPage[] },
  context: HoldContext,
): Promise<HeldSite> {
  const { options, collected } = context;
  if (options.posts === false) return NONE_HELD;
  const place = postsPlaceOf(options.posts, context);
  const parsed = await parsePosts(place);
  if (options.posts.pages === "all") return { ...NONE_HELD, parsed };
  const hidden = collected === undefined ? await parsePrivateFiles(place, fieldSettingsOf(place)) : [];
  const posts = [...parsed.parsed, ...hidden];
  const { pages, warnings } = findHeldPages({ built, candidates, options, posts, collected });
  const links = Object.fromEntries(pages.map((page) => [page.route, describeLinks([page], options.posts)]));
  return { parsed, pages, links, warnings };
}

/** Says that links to pages on hold are removed, and how to leave such posts out of a list. */
function describeLinks(pages: readonly [HeldPage, ...HeldPage[]], posts: Options["posts"]): string {
  const [first, ...others] = pages;
  const routes = new Intl.ListFormat("en").format(pages.map(({ route }) => route));
  const what =
    others.length === 0
      ? `The link to ${routes} is removed: ${reasonOfHold(first.reason)}.`
      : `The links to ${routes} are removed: ${reasonOfHolds(first.reason)}.`;
  return `${what} ${adviceFor(first, posts)}`;
}

function adviceFor({ file, reason }: HeldPage, posts: Options["posts"]): string {
  if (posts === false) return "";
  if (isPrivateFile(file, posts.folder)) {
    return 'Exclude such files from the collection: `pattern: "**/[^_]*.{md,mdx}"`.';
  }
  const collection = posts.collection ?? basename(posts.folder);
  const test = reason === "scheduled" ? "data.pubDate <= new Date()" : "!data.draft";
  const query = `Leave such posts out of lists: \`getCollection("${collection}", ({ data }) => ${test})\``;
  return reason === "scheduled" ? `${query}.` : `${query}, with \`draft: z.boolean().optional()\` in the schema.`;
}

export interface TemplateSources {
  readonly projectRoot: string;
  readonly options: Options;
  readonly built: BuiltSite;
  readonly held: HeldSite;
}

/** Names the templates that list posts on hold in place of the built pages that they made, each once. */
export async function nameTemplates(
  warnings: readonly SiteWarning[],
  { projectRoot, options, built, held }: TemplateSources,
): Promise<readonly SiteWarning[]> {
  const templates = new Map(built.pages.map(({ file, template }) => [file, template]));
  const pages = new Map(held.pages.map((page) => [held.links[page.route], page]));
  const groups = new Map<string, { readonly warning: SiteWarning; readonly pages: Set<HeldPage> }>();
  for (const warning of warnings.filter(({ code }) => code === "held-link")) {
    const page = pages.get(warning.message);
    if (page === undefined) continue;
    const template = templates.get(warning.file);
    const place = template === undefined ? {} : await placeOfQuery(projectRoot, template);
    const named = { ...warning, ...place };
    const key = JSON.stringify([named.file, named.line, page.reason, adviceFor(page, options.posts)]);
    const group = groups.get(key) ?? { warning: named, pages: new Set() };
    groups.set(key, { ...group, pages: group.pages.add(page) });
  }
  const merged = [...groups.values()].flatMap(({ warning, pages: [first, ...others] }) =>
    first === undefined ? [] : [{ ...warning, message: describeLinks([first, ...others], options.posts) }],
  );
  return [...warnings.filter(({ code }) => code !== "held-link"), ...merged];
}

async function placeOfQuery(projectRoot: string, file: string): Promise<Pick<SiteWarning, "file" | "line">> {
  const text = await readFile(join(projectRoot, file), "utf8").catch(() => "");
  const offset = text.indexOf("getCollection(");
  return offset === -1 ? { file } : { file, line: positionAt(text, offset).line };
}
