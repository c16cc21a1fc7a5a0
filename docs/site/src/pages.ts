import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path/posix";
import { renderApiPages } from "./api-pages.ts";

/** One page of the site. */
export interface DocsPage {
  /** The path of its address: `errors/slug_held`; `index` for the home page. */
  readonly id: string;
  readonly title: string;
  /** The first paragraph, for search engines. */
  readonly description: string;
  /** The text below the title, with the site's links. */
  readonly markdown: string;
  /** Its source. */
  readonly file: URL;
}

/** The source of a page: a file of the repository, or a part of one. */
interface Source {
  readonly id: string;
  /** Relative to the repository; links are relative to it. */
  readonly path: string;
  readonly text: string;
}

const REPOSITORY = new URL("../../../", import.meta.url);
/** Folder of the pages. */
export const DOCS = new URL("docs/", REPOSITORY);
/** Each section of this page becomes a page. */
const ERRORS = "docs/errors.md";

/** All pages: each file of `docs/`, each error, each example, and each group of operations of the API. */
export function collectPages(base: string): readonly DocsPage[] {
  const files = globSync(["docs/*.md", "docs/decisions/*.md", "CHANGELOG.md"], { cwd: REPOSITORY });
  const sources = [
    ...files.map(readSource),
    ...splitErrors(),
    ...globSync("docs/examples/*", { cwd: REPOSITORY }).map(readExample),
    ...renderApiPages().map((page) => ({ ...page, path: "docs/service-api.md" })),
  ];
  const ids = new Map(sources.filter(({ path, id }) => id === idOf(path)).map(({ path, id }) => [path, id]));
  return sources.map((source) => makePage(source, (path) => linkTo(path, ids, base)));
}

/** `docs/decisions/0001-a.md` is `decisions/0001-a`, and the readme of the folder is the home page. */
function idOf(path: string): string {
  const id = path.replace(/^docs\//, "").replace(/\.\w+$/, "");
  return id === "README" ? "index" : id.toLowerCase();
}

function readSource(found: string): Source {
  const path = found.replaceAll("\\", "/");
  const text = readFileSync(new URL(path, REPOSITORY), "utf8");
  return { id: idOf(path), path, text: path === ERRORS ? listErrors(text) : text };
}

function sectionsOfErrors(text: string): readonly string[] {
  return text.split(/^(?=## )/m).slice(1);
}

function listErrors(text: string): string {
  const rows = sectionsOfErrors(text).map((section) => {
    const [, code = "", title = ""] = /^## (\w+)\s+(.*)/.exec(section) ?? [];
    return `| [\`${code}\`](errors.md#${code.toLowerCase()}) | ${title} |`;
  });
  return `${text.split(/^## /m)[0]}| Code | Meaning |\n| --- | --- |\n${rows.join("\n")}\n`;
}

/** A page for each error: its title, its fix, and the pages that mention it. */
function splitErrors(): readonly Source[] {
  const texts = globSync("docs/*.md", { cwd: REPOSITORY })
    .map((path) => path.replaceAll("\\", "/"))
    .filter((path) => path !== ERRORS)
    .map((path) => ({ path, text: readFileSync(new URL(path, REPOSITORY), "utf8") }));
  return sectionsOfErrors(readFileSync(new URL(ERRORS, REPOSITORY), "utf8")).map((section) => {
    const [, code = "", title = "", fix = ""] = /^## (\w+)\s+(.*)\s+([\s\S]*)/.exec(section) ?? [];
    const naming = texts.filter(({ text }) => new RegExp(String.raw`\b${code}\b`).test(text));
    const links = naming.map(({ path, text }) => `- [${titleOf(text)}](${path.replace("docs/", "")})`);
    const related = links.length === 0 ? "" : `\n## Pages that mention it\n\n${links.join("\n")}\n`;
    const offline = `In a terminal, offline: \`npx imprint explain ${code}\`. [All errors](errors.md).`;
    const text = `# ${code}\n\n${title}\n\n## What to do\n\n${fix.trim()}\n\n${offline}\n${related}`;
    return { id: `errors/${code.toLowerCase()}`, path: ERRORS, text };
  });
}

const LANGUAGES: Readonly<Record<string, string>> = { yml: "yaml", service: "ini", conf: "nginx", mjs: "js" };

function readExample(found: string): Source {
  const path = found.replaceAll("\\", "/");
  const code = readFileSync(new URL(path, REPOSITORY), "utf8").trimEnd();
  const ending = /\.(\w+)$/.exec(path)?.[1] ?? "";
  const text = `# ${basename(path)}\n\nThe file \`${path}\` of the package.\n\n\`\`\`${LANGUAGES[ending] ?? ending}\n${code}\n\`\`\`\n`;
  return { id: idOf(path), path, text };
}

function titleOf(text: string): string {
  return /^# (.*)/m.exec(text)?.[1]?.replaceAll("`", "") ?? "";
}

function makePage({ id, path, text }: Source, link: (path: string) => string | undefined): DocsPage {
  const body = text.replace(/^# .*\n/m, "");
  const markdown = rewriteLinks(body, (target) => {
    const [place = "", anchor] = target.split("#");
    const found = link(place === "" ? path : normalize(join(dirname(path), place)));
    if (place === "" && found !== undefined && anchor !== undefined && path !== ERRORS) return `#${anchor}`;
    const isError = found?.endsWith("/errors/") && anchor !== undefined;
    if (isError) return `${found}${anchor}/`;
    return found === undefined ? target : found + (anchor === undefined ? "" : `#${anchor}`);
  });
  const description = /^(?![#|>!<`-])\S.*(?:\n(?!\n).+)*/m.exec(body)?.[0] ?? titleOf(text);
  return {
    id,
    title: titleOf(text),
    description: shorten(description.replaceAll(/\[([^\]]*)\]\([^)]*\)|[`*]/g, "$1").replaceAll("\n", " ")),
    markdown,
    file: new URL(path, REPOSITORY),
  };
}

function shorten(text: string): string {
  return text.length <= 160 ? text : `${text.slice(0, 157).replace(/\s+\S*$/, "")} …`;
}

/** Changes the targets of links to files, outside of code. */
function rewriteLinks(markdown: string, change: (target: string) => string): string {
  return markdown
    .split(/(^```[\s\S]*?^```)/m)
    .map((part, index) => {
      if (index % 2 === 1) return part;
      return part.replaceAll(/(?<!!)(\[[^\]]*\])\(([^)\s]+)\)/g, (link, label: string, target: string) =>
        /^(?:[a-z]+:|\/)/.test(target) ? link : `${label}(${change(target)})`,
      );
    })
    .join("");
}

function linkTo(path: string, ids: ReadonlyMap<string, string>, base: string): string | undefined {
  const id = ids.get(path);
  if (id === undefined) return undefined;
  return `${base.replace(/\/$/, "")}/${id === "index" ? "" : `${id}/`}`;
}
