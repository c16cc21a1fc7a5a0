import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { build } from "astro";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { linkPackages } from "../link-packages.ts";
import { clientOf, openRunningService } from "../service/open-service.ts";

const repository = fileURLToPath(new URL("../..", import.meta.url));
const cli = join(repository, "dist/cli.js");

const page = (body: string) => `<html><head><title>${body}</title></head><body><h1>${body}</h1></body></html>\n`;

/** The config that a recipe shows, by its heading. */
async function configOf(recipe: string): Promise<string> {
  const [, text = ""] = (await readFile(join(repository, "docs/recipes.md"), "utf8")).split(`\n## ${recipe}\n`);
  return /```js\n\/\/ astro\.config\.mjs\n([\s\S]*?)```/.exec(text)?.[1] ?? "";
}

/** A project of these files, with the commands that the recipes show. */
async function openProject(files: Readonly<Record<string, string>>) {
  const root = await mkdtemp(join(repository, "test/sites/.build-"));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await linkPackages(root);
  await symlink(repository, join(root, "node_modules/astro-imprint"));
  for (const [path, text] of Object.entries({ "package.json": '{ "type": "module" }\n', ...files })) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  const service = await openRunningService();
  const env = { NODE_ENV: "production", IMPRINT_SERVICE: service.baseUrl("a"), IMPRINT_API_KEY: service.apiKey };
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  onTestFinished(() => void vi.unstubAllEnvs());
  // In this process, since starting Astro takes longer than building such a site.
  const buildSite = (folder = ".") => build({ root: join(root, folder), logLevel: "silent" });
  async function run(program: string, ...args: readonly string[]): Promise<string> {
    const options = { cwd: root, env: { ...env, PATH: process.env["PATH"], HOME: root } };
    return (await promisify(execFile)(process.execPath, [program, ...args], options)).stdout;
  }
  return { service, run, buildSite, send: clientOf(service, { routeSet: "a", document: "ignored" }) };
}

describe("the recipes", () => {
  it("i18n: each page of each language has a slug, and links between them lead to published pages", async () => {
    const { service, buildSite, send } = await openProject({
      "astro.config.mjs": await configOf("A site in several languages"),
      "src/pages/index.astro": page('<a href="/de/preise/">Preise</a>'),
      "src/pages/prices.astro": page("Prices"),
      "src/pages/de/preise.astro": page("Preise"),
      "src/pages/de/index.astro": page("Start"),
    });
    await buildSite();
    const slugs = (await send("GET", "/api/pages")).items.map(({ slug }) => slug);
    expect(slugs).toEqual(expect.arrayContaining(["index", "prices", "de", "de-preise"]));
    const home = await (await fetch(`${service.pagesUrl}/p/index`)).text();
    const [, link = ""] = /href="([^"]*de-preise[^"]*)"/.exec(home) ?? [];
    expect(await (await fetch(new URL(link, `${service.pagesUrl}/p/index`))).text()).toContain("<h1>Preise</h1>");
  });

  it("MDX: a page and a post are published with the output of their components", async () => {
    const { service, buildSite, send } = await openProject({
      "astro.config.mjs": await configOf("MDX posts"),
      "src/components/Note.astro": "<aside>A note</aside>\n",
      "src/content.config.ts": `import { defineCollection } from "astro:content";
import { glob } from "astro/loaders";
export const collections = { blog: defineCollection({ loader: glob({ base: "src/content/blog", pattern: "*.mdx" }) }) };
`,
      "src/content/blog/rye.mdx":
        '---\ntitle: Rye\n---\n\nimport Note from "../../components/Note.astro";\n\nA loaf.\n\n<Note />\n',
      "src/pages/blog/[slug].astro": `---
import { getCollection, render } from "astro:content";
export async function getStaticPaths() {
  return (await getCollection("blog")).map((post) => ({ params: { slug: post.id }, props: { post } }));
}
const { post } = Astro.props;
const { Content } = await render(post);
---
<html><head><title>{post.data.title}</title></head><body><main><h1>{post.data.title}</h1><Content /></main></body></html>
`,
      "src/pages/index.mdx": 'import Note from "../components/Note.astro";\n\n# Home\n\n<Note />\n',
    });
    await buildSite();
    expect(await (await fetch(`${service.pagesUrl}/p/index`)).text()).toContain("<aside>A note</aside>");
    const [blog] = (await send("GET", "/api/blogs")).items;
    const { items } = await send("GET", `/api/blogs/${String(blog?.["slug"])}/posts`);
    expect(items.map(({ title }) => title)).toEqual(["Rye"]);
    const shown = await (await fetch(`${service.pagesUrl}/blog/${String(blog?.["slug"])}/rye`)).text();
    expect(shown).toContain("A note");
  });

  it("monorepo: two sites with the same slug stop before anything is sent, and a prefix resolves the conflict", async () => {
    const config = (options: string) => `import imprint from "astro-imprint";
import { defineConfig } from "astro/config";
export default defineConfig({ integrations: [imprint(${options})] });
`;
    const { run, buildSite, send } = await openProject({
      "apps/shop/astro.config.mjs": config(""),
      "apps/shop/src/pages/index.astro": page("Shop"),
      "apps/docs/astro.config.mjs": config(""),
      "apps/docs/src/pages/index.astro": page("Docs"),
      "apps/manual/astro.config.mjs": config('{ slugs: { prefix: "docs" } }'),
      "apps/manual/src/pages/index.astro": page("Docs"),
    });
    await buildSite("apps/shop");
    expect(await run(cli, "plan", "--root", "apps/shop")).toContain("unchanged");
    await expect(buildSite("apps/docs")).rejects.toThrow(expect.objectContaining({ name: "SLUG_HELD" }));
    expect((await send("GET", "/api/pages")).items.map(({ title }) => title)).toEqual(["Shop"]);
    await buildSite("apps/manual");
    expect((await send("GET", "/api/pages")).items.map(({ slug }) => String(slug)).toSorted()).toEqual([
      expect.stringMatching(/^docs/),
      "index",
    ]);
  });
});
