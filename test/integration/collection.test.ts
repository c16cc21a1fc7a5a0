import { existsSync } from "node:fs";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { AstroInlineConfig, AstroIntegration } from "astro";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { parseOptions, publish } from "../../src/publish.ts";
import type { RunningService } from "../../src/service.ts";
import { IS_WHOLE, sampleOf } from "../whole.ts";
import {
  buildBlogSite,
  copyBlogSite,
  copyFixture,
  hashFiles,
  openService,
  publishTo,
  readBlog,
  startBlogService,
} from "./blog-site.ts";

describe("posts of a content collection, in a build,", () => {
  let [root, printed] = ["", ""];
  let service: RunningService;

  beforeAll(async () => {
    [root, service] = [await copyFixture("blog-site"), await startBlogService()];
    vi.spyOn(process.stdout, "write").mockImplementation((text) => ((printed += String(text)), true));
    publishTo(service);
    const options = { service: service.baseUrl("a"), posts: {} };
    await buildBlogSite(root, { options, config: { logLevel: "info" } });
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });
  afterAll(async () => {
    await service.close();
    await rm(root, { recursive: true });
  });

  it("are published as the site renders them: MDX with its components, optimized images, the site's own ids", async () => {
    const blog = await readBlog(service);
    expect([...blog.keys()].toSorted()).toEqual(["first", "its-own-slug", "second"]);

    const first = blog.get("first")?.html ?? "";
    expect(first).toContain("Jane Doe");
    expect(first).toContain('id="first-user-content-fn-1"');
    expect(first).toMatch(/<span style="color:#F97583">const<\/span>/);
    const images = [...first.matchAll(/<img [^>]*src="([^"]+)"/g)].map(([, address]) => address ?? "");
    expect(images).toHaveLength(2);
    const types = images.map(async (address) =>
      (await fetch(new URL(address, service.pagesUrl))).headers.get("content-type"),
    );
    expect(await Promise.all(types)).toEqual(["image/jpeg", "image/webp"]);

    const second = blog.get("second")?.html ?? "";
    expect(second).toMatch(/<aside class="note"[^>]*>Inside <strong>note<\/strong><\/aside>/);
    expect(second).toContain("<button>Count <!-- -->3</button>");
    expect(second).not.toMatch(/<script|astro-island|<link rel="stylesheet"/);
  });

  it("leave the built site unchanged, byte for byte", async () => {
    publishTo(service);
    onTestFinished(() => void vi.unstubAllEnvs());
    await buildBlogSite(root, { config: { outDir: join(root, "without") } });
    expect(await hashFiles(join(root, "dist"))).toEqual(await hashFiles(join(root, "without")));
  });

  it("cause warnings about components that don't work for readers", () => {
    expect(printed).toContain("The component Counter is sent as its initial HTML");
    expect(printed).toContain("The component Counter is rendered only by a script");
  });

  it("send nothing if nothing changed", async () => {
    publishTo(service);
    onTestFinished(() => void vi.unstubAllEnvs());
    const since = new Date();
    await buildBlogSite(root, { options: { service: service.baseUrl("a"), posts: {} } });
    expect(service.requests(since).filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it("are the same posts if the built folder is published separately", async () => {
    const { apiKey, pagesUrl } = service;
    const baseUrl = service.baseUrl("a");
    const target = { baseUrl, apiKey, pagesUrl, routeSet: "auto", identity: baseUrl, close: async () => {} } as const;
    const options = parseOptions({ posts: {}, site: { name: "Home" } });
    const report = await publish({ projectRoot: root, dist: join(root, "dist"), options, target });
    const posts = report.entries.filter(({ resource }) => resource === "post");
    expect(posts.map(({ kind, name, reason }) => [name, kind, reason])).toEqual([
      ["first", "keep", "nothing was edited; only its rendered HTML would differ"],
      ["second", "keep", "nothing was edited; only its rendered HTML would differ"],
      ["its-own-slug", "keep", "nothing changed"],
    ]);
  });
});

describe("a published MDX post that can't be extracted from its page", () => {
  it("is unchanged if the built folder is published separately, and a problem once it was edited", async () => {
    const [root, service] = [await copyBlogSite(), await openService()];
    const file = join(root, "src/content/blog/second.mdx");
    await buildBlogSite(root, { options: { service: service.baseUrl("a"), posts: {} } });
    await writeFile(join(root, "dist/blog/second/index.html"), "<html><body><p>Members only.</p></body></html>");
    const { apiKey, pagesUrl } = service;
    const baseUrl = service.baseUrl("a");
    const target = { baseUrl, apiKey, pagesUrl, routeSet: "auto", identity: baseUrl, close: async () => {} } as const;
    const request = { projectRoot: root, dist: join(root, "dist"), options: parseOptions({ posts: {} }), target };
    const report = await publish(request);
    const second = report.entries.filter(({ resource, name }) => resource === "post" && name.includes("second"));
    expect(second.map(({ kind, reason }) => [kind, reason])).toEqual([["keep", "nothing changed"]]);
    expect(report.exitCode).toBe(0);
    await writeFile(file, `${await readFile(file, "utf8")}\nAn edit.\n`);
    const edited = await publish(request);
    expect(edited.exitCode).toBe(1);
    expect(edited.entries.flatMap(({ error }) => error?.message ?? [])).toEqual([
      expect.stringMatching(/second\.mdx.* of the post's words.* Run `astro build` with imprint/),
    ]);
  });
});

describe("posts of a content collection, in a failing build,", () => {
  it("fail individually: an entry that can't be rendered stops only itself", async () => {
    const [root, service] = [await copyBlogSite(), await openService()];
    const broken = `---\ntitle: Broken\npubDate: 2026-01-01\n---\nimport Fail from "../../components/Fail.astro";\n\n<Fail />\n`;
    await writeFile(join(root, "src/content/blog/broken.mdx"), broken);
    await writeFile(join(root, "src/components/Fail.astro"), `---\nthrow new Error("No such thing.");\n---\n`);
    await rm(join(root, "src/pages/blog"), { recursive: true });
    const built = buildBlogSite(root, { options: { service: service.baseUrl("a"), posts: {} } });
    await expect(built).rejects.toThrow("The post can't be rendered: No such thing.");
    expect([...(await readBlog(service)).keys()].toSorted()).toEqual(["first", "its-own-slug", "second"]);
  });

  it("are rejected if the collection contains data, before anything is sent", async () => {
    const [root, service] = [await copyBlogSite(), await openService()];
    const built = buildBlogSite(root, {
      options: { service: service.baseUrl("a"), posts: { collection: "authors" } },
    });
    await expect(built).rejects.toThrow('The collection "authors" contains only data');
    expect(service.requests().filter(({ method }) => method !== "GET")).toEqual([]);
  });

  it.runIf(IS_WHOLE)(
    "come from the folder and the built pages if a middleware responds instead of the endpoint",
    async () => {
      const [root, service] = [await copyBlogSite(), await openService()];
      const middleware = `export const onRequest = ({ url }, next) => (url.pathname.includes("_imprint") ? new Response("no") : next());`;
      await writeFile(join(root, "src/middleware.js"), middleware);
      await buildBlogSite(root, { options: { service: service.baseUrl("a"), posts: {} } });
      const blog = await readBlog(service);
      expect([...blog.keys()].toSorted()).toEqual(["first", "its-own-slug", "second"]);
      expect(blog.get("second")?.html).toMatch(/<aside class="note"[^>]*>Inside <strong>note<\/strong><\/aside>/);
      expect(Object.keys(await hashFiles(join(root, "dist"))).filter((path) => path.includes("_imprint"))).toEqual([]);
    },
  );
});

const ADAPTER: AstroIntegration = {
  name: "server",
  hooks: {
    "astro:config:done": ({ setAdapter }) => {
      setAdapter({
        name: "server",
        serverEntrypoint: new URL("../fixtures/server-entry.js", import.meta.url),
        entrypointResolution: "auto",
        supportedAstroFeatures: { serverOutput: "stable", staticOutput: "stable", sharpImageService: "stable" },
      });
    },
  },
};

describe("the built site is byte for byte the same with and without posts", () => {
  const configs: Readonly<Record<string, AstroInlineConfig>> = {
    "with a base, on a server": { base: "/docs", trailingSlash: "always", output: "server", adapter: ADAPTER },
    "with a base": { base: "/docs", trailingSlash: "always" },
    "with files and an assets prefix": {
      build: { format: "file", assetsPrefix: "https://cdn.example.org", assets: "built" },
      trailingSlash: "never",
    },
    "with preserved names": { build: { format: "preserve" } },
    "on a server": { output: "server", adapter: ADAPTER },
  };

  const sample = sampleOf(Object.entries(configs), ([name]) => name === "with a base, on a server");

  it.each(sample)("%s", async (_, config) => {
    const [root, service] = [await copyBlogSite(), await openService()];
    await buildBlogSite(root, { config: { ...config, outDir: join(root, "without") } });
    const options = { service: service.baseUrl("a"), posts: {} };
    await buildBlogSite(root, { options, config: { ...config, outDir: join(root, "with") } });
    expect(await hashFiles(join(root, "with"))).toEqual(await hashFiles(join(root, "without")));
    const blog = await readBlog(service);
    expect(blog.size).toBe(3);
    expect(blog.get("second")?.html).toMatch(/<img [^>]*src="http[^"]+\.webp"/);
  });

  it.runIf(IS_WHOLE)(
    "if the site shows its posts nowhere, except for originals of their images that no page uses",
    async () => {
      const [root, service] = [await copyBlogSite(), await openService()];
      await rm(join(root, "src/pages/blog"), { recursive: true });
      await buildBlogSite(root, { config: { outDir: join(root, "without") } });
      const options = { service: service.baseUrl("a"), posts: {} };
      await buildBlogSite(root, { options, config: { outDir: join(root, "with") } });
      const [withPosts, without] = [await hashFiles(join(root, "with")), await hashFiles(join(root, "without"))];
      const missing = Object.keys(without).filter((path) => !(path in withPosts));
      expect(missing).toEqual([
        expect.stringMatching(/^_astro\/b\.[\w-]{8}\.jpg$/),
        expect.stringMatching(/^_astro\/c\.[\w-]{8}\.jpg$/),
      ]);
      const kept = Object.entries(without).filter(([path]) => !missing.includes(path));
      expect(withPosts).toEqual(Object.fromEntries(kept));
      expect((await readBlog(service)).get("second")?.html).toMatch(/<img [^>]*src="http[^"]+\.webp"/);
    },
  );

  it.runIf(IS_WHOLE)("if the build fails after the posts were collected", async () => {
    const [root, service] = [await copyBlogSite(), await openService()];
    const failing: AstroIntegration = {
      name: "failing",
      hooks: { "astro:build:done": () => Promise.reject(new Error("Something else fails.")) },
    };
    const options = { service: service.baseUrl("a"), posts: {} };
    const built = buildBlogSite(root, { options, config: { integrations: [failing] } });
    await expect(built).rejects.toThrow("Something else fails.");
    expect(Object.keys(await hashFiles(join(root, "dist"))).filter((path) => path.includes("imprint"))).toEqual([]);
  });
});

/** Prerenders like an adapter in another process: no global object is shared with the integration. */
function prerenderElsewhere(root: string): AstroIntegration {
  return {
    name: "elsewhere",
    hooks: {
      "astro:build:start": ({ setPrerenderer }) => {
        setPrerenderer((own) => ({
          ...own,
          async render(...values) {
            const symbol = Symbol.for(`astro-imprint.posts ${new URL(`file://${root}/`).href}`);
            const channel: unknown = Reflect.get(globalThis, symbol);
            Reflect.deleteProperty(globalThis, symbol);
            const response = await own.render(...values);
            if (channel !== undefined) Reflect.set(globalThis, symbol, channel);
            return response;
          },
        }));
      },
    },
  };
}

it.runIf(IS_WHOLE)(
  "posts prerendered by another process are passed in a file, which is deleted afterwards",
  async () => {
    const [root, service] = [await copyBlogSite(), await openService()];
    const options = { service: service.baseUrl("a"), posts: {} };
    await buildBlogSite(root, { options, config: { integrations: [prerenderElsewhere(root)] } });
    expect((await readBlog(service)).size).toBe(3);
    expect(Object.keys(await hashFiles(join(root, "dist"))).filter((path) => path.includes("imprint"))).toEqual([]);
    expect(await readFile(join(root, "dist/sitemap-0.xml"), "utf8")).not.toContain("_imprint");
  },
);

it.runIf(IS_WHOLE)("a posts file of a failed build is deleted when the process ends", async () => {
  const [root, service] = [await copyBlogSite(), await openService()];
  await writeFile(join(root, "src/pages/zoo.astro"), `---\nthrow new Error("This page fails.");\n---\n`);
  const options = { service: service.baseUrl("a"), posts: {} };
  const before = new Set(process.listeners("exit"));
  const built = buildBlogSite(root, { options, config: { integrations: [prerenderElsewhere(root)] } });
  await expect(built).rejects.toThrow("This page fails.");
  const file = join(root, "dist/_imprint/posts.json");
  expect(existsSync(file)).toBe(true);
  const added = process.listeners("exit").filter((listener) => !before.has(listener));
  for (const listener of added) {
    process.off("exit", listener);
    if (listener.name.includes("sweep")) listener(1);
  }
  expect(existsSync(join(root, "dist/_imprint"))).toBe(false);
});
