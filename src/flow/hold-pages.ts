import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { Options } from "../options/schema.ts";
import type { BuiltPage, BuiltSite, SiteWarning } from "../site/model.ts";
import type { CollectedPosts } from "../site/posts/collection/collected.ts";
import type { ParsedFolder } from "../site/posts/parse-folder.ts";
import { parsePrivateFiles } from "../site/posts/private-files.ts";
import { positionAt } from "../site/posts/problems.ts";
import { fieldSettingsOf, parsePosts } from "../site/posts/read-posts.ts";
import type { HeldPage } from "../sync/desired.ts";
import { reasonOfHold } from "../sync/report/held-pages.ts";
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
  const collection = options.posts.collection ?? basename(options.posts.folder);
  const links = Object.fromEntries(pages.map(({ route, reason }) => [route, adviceFor(reason, collection)]));
  return { parsed, pages, links, warnings };
}

function adviceFor(reason: HeldPage["reason"], collection: string): string {
  const list = (test: string) =>
    `Leave such posts out of lists: \`getCollection("${collection}", ({ data }) => ${test})\``;
  const advice =
    reason === "scheduled"
      ? `${list("data.pubDate <= new Date()")}.`
      : `${list("!data.draft")}, with \`draft: z.boolean().optional()\` in the schema.`;
  return `${reasonOfHold(reason)}. ${advice}`;
}

/** Names the template that lists posts on hold in place of the built pages that it made. */
export async function nameTemplates(
  warnings: readonly SiteWarning[],
  { projectRoot, pages }: { readonly projectRoot: string; readonly pages: readonly BuiltPage[] },
): Promise<readonly SiteWarning[]> {
  const templates = new Map(pages.map(({ file, template }) => [file, template]));
  const named = new Map<string, SiteWarning>();
  for (const warning of warnings) {
    const template = warning.code === "held-link" ? templates.get(warning.file) : undefined;
    const place = template === undefined ? {} : await placeOfQuery(projectRoot, template);
    const told = { ...warning, ...place };
    named.set(`${told.file}:${told.line ?? 0} ${told.code} ${told.message}`, told);
  }
  return [...named.values()];
}

async function placeOfQuery(projectRoot: string, file: string): Promise<Pick<SiteWarning, "file" | "line">> {
  const text = await readFile(join(projectRoot, file), "utf8").catch(() => "");
  const offset = text.indexOf("getCollection(");
  return offset === -1 ? { file } : { file, line: positionAt(text, offset).line };
}
