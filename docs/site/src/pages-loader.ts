import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Loader, LoaderContext } from "astro/loaders";
import { collectPages, DOCS, type DocsPage } from "./pages.ts";

/** Loads the pages of `docs/` for Starlight. In `astro dev`, edited pages reload. */
export function pagesLoader(): Loader {
  return {
    name: "imprint-docs",
    async load(context) {
      await loadAll(context);
      const { watcher } = context;
      watcher?.add(fileURLToPath(DOCS));
      watcher?.on("change", (path) => void (path.endsWith(".md") && loadAll(context)));
    },
  };
}

async function loadAll(context: LoaderContext): Promise<void> {
  const { store, config } = context;
  store.clear();
  for (const page of collectPages(config.base)) {
    const { id, file, markdown } = page;
    const data = await context.parseData({ id, data: frontMatterOf(page) });
    const rendered = await context.renderMarkdown(markdown, { fileURL: file });
    const filePath = relative(fileURLToPath(config.root), fileURLToPath(file)).replaceAll("\\", "/");
    const assetImports = rendered.metadata?.imagePaths ?? [];
    store.set({ id, data, body: markdown, filePath, digest: context.generateDigest(markdown), rendered, assetImports });
  }
}

// A table of tests and whole files have many of the words that people search for, but explain none.
const UNSEARCHED = /^(?:route-coverage$|examples\/)/;

function frontMatterOf({ id, title, description }: DocsPage): Record<string, unknown> {
  return { title, description, editUrl: false, pagefind: !UNSEARCHED.test(id) };
}
