import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { AstroConfig } from "astro";
import { expect, expectTypeOf, it } from "vitest";
import { createAstroRenderer, type AstroMarkdownConfig } from "../../src/posts/render/render-markdown.ts";
import { createFolder, REPOSITORY } from "./folder.ts";

const CONTEXT = { file: join(REPOSITORY, "posts/a.md"), frontmatter: {} };

/** The processor that Astro adds to its config. */
async function createProcessor(options: object): Promise<AstroMarkdownConfig["markdown"]["processor"]> {
  const astro = createRequire(createRequire(join(REPOSITORY, "package.json")).resolve("astro/package.json"));
  const { satteri } = await import(pathToFileURL(astro.resolve("@astrojs/markdown-satteri")).href);
  return satteri(options);
}

it("a site's own processor and settings render its posts", async () => {
  const markdown = {
    processor: await createProcessor({ features: { smartPunctuation: false } }),
    shikiConfig: { theme: "github-light" },
  };
  const render = await createAstroRenderer("/nowhere", { markdown });
  const { html } = await render('"quoted"\n\n```js\n1\n```\n', CONTEXT);
  expect(html).toContain('<p>"quoted"</p>');
  expect(html).toContain("github-light");
});

it("Astro's defaults are used without a config", async () => {
  const render = await createAstroRenderer(REPOSITORY);
  expect((await render('"quoted"', CONTEXT)).html.trim()).toBe("<p>“quoted”</p>");
});

it("the Astro beside this package is used for a folder without one", async () => {
  const render = await createAstroRenderer(await createFolder({}));
  expect((await render("*a*", CONTEXT)).html.trim()).toBe("<p><em>a</em></p>");
});

it("an integration's config is used unchanged", () => {
  expectTypeOf<AstroConfig>().toExtend<AstroMarkdownConfig>();
});
