import { copyFile, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import mdx from "@astrojs/mdx";
import sitemap from "@astrojs/sitemap";
import { build, type AstroInlineConfig } from "astro";
import { expect, it, onTestFinished, vi } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { connect } from "../../src/client.ts";
import imprint, { type ImprintOptions } from "../../src/index.ts";
import { passOn, startProxy } from "../faults/proxy.ts";
import { IS_WHOLE } from "../whole.ts";
import { copyFixture, openService, readBlog } from "./blog-site.ts";

/**
 * A project like `npm create astro -- --template blog`: a schema without a draft field, and pages, a list, a
 * feed, and a sitemap with every entry of the collection.
 */
async function openTemplate() {
  const [root, service] = [await copyFixture("blog-template"), await openService()];
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  const target = { service: service.baseUrl("a") };
  await writeFile(join(root, "imprint.config.mjs"), `export default ${JSON.stringify({ ...target, posts: {} })};\n`);
  const api = await connect({ baseUrl: service.baseUrl("a"), apiKey: service.apiKey });
  onTestFinished(() => api.close());

  async function run(...argv: readonly string[]) {
    let [out, error] = ["", ""];
    const exitCode = await runCli(argv, {
      ...{ cwd: root, environment: { NO_COLOR: "1", IMPRINT_API_KEY: service.apiKey } },
      out: { write: (text) => void (out += text) },
      error: { write: (text) => void (error += text) },
    });
    return { exitCode, out, error };
  }

  /** Runs `astro build`, which publishes; returns its output. */
  async function buildSite({
    options = {},
    ...config
  }: AstroInlineConfig & { readonly options?: ImprintOptions } = {}): Promise<string> {
    const printed: string[] = [];
    const spy = vi.spyOn(process.stdout, "write").mockImplementation((text) => printed.push(String(text)) > 0);
    try {
      await build({
        ...{ root, configFile: false, logLevel: "info", cacheDir: join(root, ".cache") },
        site: "https://example.com",
        integrations: [mdx(), sitemap(), imprint({ ...target, posts: {}, ...options })],
        ...config,
      });
    } finally {
      spy.mockRestore();
    }
    return printed.join("");
  }

  return {
    ...{ root, run, buildSite, api, service: target.service, site: service.pagesUrl },
    files: async () => (await api.assets.list()).items.map(({ url }) => url).toSorted(),
    pages: async () => (await api.pages.list()).items.map(({ slug }) => slug).toSorted(),
    posts: async () => [...(await readBlog(service)).keys()].toSorted(),
    htmlOf: async (path: string) => (await fetch(new URL(path, service.pagesUrl))).text(),
    write: (name: string, text: string) => writeFile(join(root, "src/content/blog", name), text),
    read: (path: string) => readFile(join(root, path), "utf8"),
  };
}

const PAGES = ["blog", "blog-first-post", "blog-markdown-style-guide", "blog-using-mdx", "index"];
const PAPER = "---\ntitle: On paper\ndescription: About paper\npubDate: 2026-01-05\n---\n\nPaper is a felt.\n";
const DRAFT = PAPER.replace("---\n\n", "draft: true\n---\n\n");

it("posts check, plan, and sync exit with 0 on Astro's blog template, before and after its build", async () => {
  const { run, buildSite, posts, htmlOf, write, read } = await openTemplate();
  for (const command of ["check", "plan", "sync"]) {
    expect(await run("posts", command)).toMatchObject({ exitCode: 0 });
  }
  expect(await posts()).toEqual(["first-post", "markdown-style-guide"]);
  await buildSite();
  expect(await posts()).toEqual(["first-post", "markdown-style-guide", "using-mdx"]);
  expect(await htmlOf("/blog/blog/using-mdx")).toContain("Embedded component in MDX");
  for (const command of ["check", "plan", "sync"]) {
    expect(await run("posts", command)).toMatchObject({ exitCode: 0 });
  }
  expect((await run("posts", "plan")).out).toContain("posts  3 local · 3 unchanged\n");
  await write("using-mdx.mdx", `${await read("src/content/blog/using-mdx.mdx")}\nOne more sentence.\n`);
  const edited = await run("posts", "sync");
  expect(edited).toMatchObject({ exitCode: 0 });
  expect(edited.out).toContain("posts  3 local · 2 unchanged · 1 waiting for a build");
  expect(await posts()).toEqual(["first-post", "markdown-style-guide", "using-mdx"]);
});

it("posts sync after a build sends no pictures of posts that didn't change", async () => {
  const { root, run, buildSite, files, htmlOf, write } = await openTemplate();
  await copyFile(join(root, "src/assets/cover.jpg"), join(root, "src/assets/felt.jpg"));
  await write("paper.md", PAPER.replace("Paper is a felt.", "Paper is a felt.\n\n![Felt](../../assets/felt.jpg)"));
  await write("ink.md", PAPER.replace("On paper", "On ink"));
  await buildSite();
  const before = await files();
  await write("ink.md", PAPER.replace("On paper", "On black ink"));
  expect((await run("posts", "sync")).out).toContain("1 updated · 4 unchanged");
  expect(await files()).toEqual(before);
  // A changed post is sent with all its content.
  await write("paper.md", PAPER.replace("Paper is a felt.", "Paper is felt.\n\n![Felt](../../assets/felt.jpg)"));
  expect((await run("posts", "sync")).out).toContain("1 updated");
  expect(await files()).toHaveLength(before.length + 1);
  expect(await htmlOf("/blog/blog/paper")).toContain("/felt.");
});

it.runIf(IS_WHOLE)("posts sync after a build sends a picture again that was deleted from the library", async () => {
  const { root, run, buildSite, api, htmlOf, write, site } = await openTemplate();
  await copyFile(join(root, "src/assets/cover.jpg"), join(root, "src/assets/felt.jpg"));
  const cover = "pubDate: 2026-01-05\nheroImage: ../../assets/cover.jpg\n";
  const text = PAPER.replace("pubDate: 2026-01-05\n", cover);
  await write("paper.md", text.replace("Paper is a felt.", "Paper is a felt.\n\n![Felt](../../assets/felt.jpg)"));
  await buildSite();
  const { items } = await api.assets.list();
  for (const { id, name = "" } of items)
    if (/^cover\.[^.]+\.[^.]+\.jpg$/.test(name)) await api.assets.delete(id, { ifUsed: "delete" });
  expect(await run("posts", "sync")).toMatchObject({ exitCode: 0 });
  const html = await htmlOf("/blog/blog/paper");
  const pictures = Array.from(html.matchAll(/<img [^>]*src="([^"]+)"/g), ([, url = ""]) => new URL(url, site));
  expect(pictures).toHaveLength(2);
  for (const picture of pictures) expect((await fetch(picture)).status).toBe(200);
});

it.runIf(IS_WHOLE)("posts sync after a build sends a post with dead links again, with its pictures", async () => {
  const { root, run, buildSite, api, htmlOf, write, service } = await openTemplate();
  const proxy = await startProxy(new URL(service).origin);
  onTestFinished(() => proxy.close());
  const proxied = proxy.url + new URL(service).pathname;
  await copyFile(join(root, "src/assets/cover.jpg"), join(root, "src/assets/felt.jpg"));
  const text = "Paper is a felt. [All posts](/blog/)\n\n![Felt](../../assets/felt.jpg)";
  await write("paper.md", PAPER.replace("Paper is a felt.", text));
  await buildSite({ options: { service: proxied } });
  // A service that showed pages on a former domain, and that doesn't change the links in posts.
  proxy.meddle(({ method, path, answer, forward }) => {
    if (method !== "GET" || !/\/blogs\/[^/]+\/posts/.test(path)) return undefined;
    return forward().then(({ status, headers, bytes }) => {
      const moved = Buffer.from(bytes.toString().replaceAll("/p/blog", "http://former.invalid/blog"));
      passOn(answer, { status, headers: { ...headers, "content-length": String(moved.length) }, bytes: moved });
    });
  });
  // The texts of posts are read only if the list has an unknown post and a local one is new.
  const [blog] = (await api.blogs.list()).items;
  await api.posts.create(blog?.id ?? "", { slug: "by-hand", title: "By hand", html: "<p>Ink.</p>" });
  await write("ink.md", PAPER.replaceAll("aper", "rint"));
  const synced = await run("posts", "sync", "--service", proxied);
  expect(synced).toMatchObject({ exitCode: 0, out: expect.stringContaining("1 created · 1 updated") });
  expect(await htmlOf("/blog/blog/paper")).toContain("/felt.");
});

it("a new post is published neither as a post nor as a page, as `posts new` says", async () => {
  const { run, buildSite, pages, posts, write, read } = await openTemplate();
  const begun = await run("posts", "new", "On ink");
  expect(begun).toMatchObject({ exitCode: 0, out: "src/content/blog/_on-ink.md\n" });
  expect(begun.error).toContain('Your site has no drafts: the schema of the collection "blog" has no draft field.');
  const text = await read("src/content/blog/_on-ink.md");
  expect(text).not.toContain("draft");
  await write("_on-ink.md", `${text.replace('description: ""', "description: About ink")}Ink is a paint.\n`);
  const message =
    "1 page of the site is left out because its post is a draft: /blog/_on-ink/ (src/content/blog/_on-ink.md)";
  const printed = await buildSite();
  expect(printed).toContain(message);
  expect(printed).toContain('Exclude such files from the collection: `pattern: "**/[^_]*.{md,mdx}"`.');
  // As the message says, the site's own build creates a page for it.
  expect(await read("dist/blog/_on-ink/index.html")).toContain("Ink is a paint.");
  expect(await pages()).toEqual(PAGES);
  expect(await posts()).toEqual(["first-post", "markdown-style-guide", "using-mdx"]);
  const again = await run("publish");
  expect(again).toMatchObject({ exitCode: 0 });
  expect(again.out).toContain(message);
  expect(await pages()).toEqual(PAGES);
});

it("a draft is omitted together with links and feed items that lead to it, and the template that lists it is named", async () => {
  const { root, run, buildSite, pages, posts, htmlOf, write, service } = await openTemplate();
  await write("on-paper.md", PAPER);
  await buildSite();
  expect(await pages()).toEqual([...PAGES, "blog-on-paper"].toSorted());
  expect(await htmlOf("/p/blog")).toContain(`<a href="/p/blog-on-paper">`);
  const feed = await feedOf(htmlOf);
  expect(feed).toContain("<title>On paper</title>");

  // Its page was published: it is treated like a page that the site no longer has.
  await write("on-paper.md", DRAFT);
  await write("on-type.md", DRAFT.replaceAll("aper", "ype"));
  const printed = await buildSite();
  expect(printed).toContain("? blog-on-paper: its post is a draft; it is kept until you set `prune: true`");
  expect(printed).toContain(
    'src/pages/blog/index.astro:7  The links to /blog/on-paper/ and /blog/on-type/ are removed: their posts are drafts. Leave such posts out of lists: `getCollection("blog", ({ data }) => !data.draft)`',
  );
  const list = await htmlOf("/p/blog");
  expect(list).toMatch(/<a ?><h4 class="title"[^>]*>On paper<\/h4><\/a>/);
  expect(list).toContain(`<a href="/p/blog-first-post">`);
  expect(await feedOf(htmlOf)).toContain("<title>First post</title>");
  expect(await feedOf(htmlOf)).not.toContain("On paper");
  // No page links to a sitemap, so none is published.
  expect(list).not.toContain("sitemap");

  // With `posts.pages: "all"`, every page of the site is published.
  const options = { service, posts: { pages: "all" } };
  await writeFile(join(root, "imprint.config.mjs"), `export default ${JSON.stringify(options)};\n`);
  expect(await run("publish")).toMatchObject({ exitCode: 0 });
  expect(await pages()).toEqual([...PAGES, "blog-on-paper", "blog-on-type"].toSorted());
  expect((await posts()).filter((slug) => slug?.startsWith("on-t"))).toEqual([]);
});

const RELATIVE = `<html lang="en"><head><title>Team</title></head><body><a href="./blog">Blog</a></body></html>`;

it("imprint plan is empty after the integration published the build, or only built it", async () => {
  const { root, run, buildSite, htmlOf } = await openTemplate();
  await writeFile(join(root, "src/pages/team.astro"), RELATIVE);
  await rm(join(root, "src/pages/rss.xml.js"));
  const config = {
    base: "/docs",
    trailingSlash: "never",
    redirects: { "/crew": { status: 307, destination: "/docs/team" } },
  } as const;
  for (const publish of [true, false]) {
    await rm(join(root, ".imprint/build.json"), { force: true });
    await buildSite({ ...config, options: { publish } });
    expect(await htmlOf("/p/team")).toContain('href="/p/blog"');
    const { entries } = JSON.parse((await run("plan", "--json")).out);
    const changes = entries.filter(({ kind }: { kind: string }) => kind !== "keep");
    expect(changes.map(({ resource, kind, name }: Record<string, string>) => [publish, kind, resource, name])).toEqual(
      [],
    );
  }
  expect((await run("plan")).out).not.toContain("the built site has no ./blog");
  // State of a build that another one replaced isn't used: here without posts' state, and with pages in folders.
  await build({ root, configFile: false, logLevel: "silent", site: "https://example.com", integrations: [mdx()] });
  expect((await run("plan")).out).toContain("the built site has no ./blog");
});

async function feedOf(htmlOf: (path: string) => Promise<string>): Promise<string> {
  const [, address = ""] = /type="application\/rss\+xml"[^>]* href="([^"]+)"/.exec(await htmlOf("/p/blog")) ?? [];
  return htmlOf(address);
}
