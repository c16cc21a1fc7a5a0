import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import fastGlob from "fast-glob";
import { addressesInCss, readFacts, type PageFacts } from "./document.ts";

const ORIGIN = "http://built.invalid";

export interface BuiltLink {
  readonly href: string;
  /** Route of the target page; `undefined` for an external link. */
  readonly route: string | undefined;
  readonly fragment: string;
}

export interface BuiltPage {
  readonly route: string;
  readonly facts: PageFacts;
  readonly links: readonly BuiltLink[];
  readonly fonts: number;
  readonly cssImages: number;
}

export interface BuiltPost {
  readonly slug: string;
  readonly title: string;
  readonly words: string;
  readonly pictures: number;
  readonly links: readonly string[];
  readonly isDraft: boolean;
}

/** What must be live, read from the files of a build. */
export interface BuiltSite {
  readonly pages: readonly BuiltPage[];
  readonly posts: readonly BuiltPost[];
}

export async function readBuilt(project: string): Promise<BuiltSite> {
  const dist = join(project, "dist");
  const files = (await fastGlob.glob("**/*.html", { cwd: dist })).toSorted();
  const routes = new Set(files.map(routeOf));
  const pages = files.map(async (file): Promise<BuiltPage> => {
    const facts = readFacts(await readFile(join(dist, file), "utf8"));
    const route = routeOf(file);
    const sheets = facts.styleSheets.map((href) => readFile(join(dist, decodeURIComponent(href)), "utf8"));
    const css = addressesInCss([...facts.css, ...(await Promise.all(sheets))].join("\n"));
    const links = facts.links.map((href) => readLink(href, route, routes));
    return { route, facts, links, fonts: css.fonts.length, cssImages: css.images.length };
  });
  return { pages: await Promise.all(pages), posts: await readPosts(project) };
}

function routeOf(file: string): string {
  return `/${file.replace(/index\.html$/, "")}`;
}

function readLink(href: string, route: string, routes: ReadonlySet<string>): BuiltLink {
  const url = new URL(href, ORIGIN + route);
  const inside = url.origin === ORIGIN && routes.has(url.pathname);
  return { href, route: inside ? url.pathname : undefined, fragment: url.hash };
}

async function readPosts(project: string): Promise<readonly BuiltPost[]> {
  const folder = join(project, "src/content/blog");
  const files = (await fastGlob.glob("*.md", { cwd: folder })).toSorted();
  return await Promise.all(
    files.map(async (file) => {
      const [, matter = "", body = ""] = (await readFile(join(folder, file), "utf8")).split(/^---$/m);
      const text = body.replace(/!\[[^\]]*\]\([^)]*\)/g, " ").replace(/\[([^\]]*)\]\([^)]*\)/g, "$1");
      const links = [...body.matchAll(/(?<!!)\[[^\]]*\]\(([^)]*)\)/g)].flatMap((found) => found[1] ?? []);
      return {
        slug: basename(file, ".md"),
        title: /^title: (.*)$/m.exec(matter)?.[1] ?? "",
        words: text.replace(/\s+/g, " ").trim(),
        pictures: (body.match(/!\[/g) ?? []).length,
        links,
        isDraft: /^draft: true$/m.test(matter),
      };
    }),
  );
}
