import { readdirSync, readFileSync } from "node:fs";

// The docs folder of the package for the built program, of the repository for the sources.
const DOCS = new URL(import.meta.url.endsWith(".ts") ? "../../docs/" : "../docs/", import.meta.url);

function pageNames(): readonly string[] {
  return readdirSync(DOCS)
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .map((name) => name.slice(0, -".md".length));
}

/** Returns a page of the docs in Markdown. */
export function readPage(name: string): string {
  return readFileSync(new URL(`${name}.md`, DOCS), "utf8");
}

/** Returns the second-level sections of a page by their headings in plain text. */
export function sectionsOf(page: string): ReadonlyMap<string, string> {
  const parts = readPage(page).split(/^(?=## )/m);
  return new Map(parts.slice(1).map((part) => [/^## (.*)/.exec(part)?.[1]?.replaceAll("`", "") ?? "", part]));
}

/** Returns the names of everything that the docs explain. */
export function findTopics() {
  return { pages: pageNames(), options: [...sectionsOf("options").keys()], errors: [...sectionsOf("errors").keys()] };
}
