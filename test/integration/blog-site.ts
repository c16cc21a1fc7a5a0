import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import mdx from "@astrojs/mdx";
import sitemap from "@astrojs/sitemap";
import { build, type AstroInlineConfig } from "astro";
import fastGlob from "fast-glob";
import { onTestFinished, vi } from "vitest";
import imprint, { type ImprintOptions } from "../../src/index.ts";
import { sha256 } from "../../src/base/hash.ts";
import { connect } from "../../src/client.ts";
import { startService, type RunningService } from "../../src/service.ts";
import { linkPackages } from "../link-packages.ts";

const FIXTURES = fileURLToPath(new URL("../fixtures", import.meta.url));

/** Copies a site with a content collection of posts; it is deleted after the test. */
export async function copyBlogSite(): Promise<string> {
  const root = await copyFixture("blog-site");
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  return root;
}

// Within the repository, because sites elsewhere all use `.astro` in the working directory, and tests build
// concurrently.
const SITES = fileURLToPath(new URL("../sites/.build-", import.meta.url));

/** Copies a fixture to a new folder, with this repository's packages. */
export async function copyFixture(name: string): Promise<string> {
  const root = await mkdtemp(SITES);
  await cp(join(FIXTURES, name), root, { recursive: true });
  await linkPackages(root);
  return root;
}

export async function openService(): Promise<RunningService> {
  const service = await startBlogService();
  onTestFinished(() => service.close());
  publishTo(service);
  onTestFinished(() => void vi.unstubAllEnvs());
  return service;
}

/** Starts a service that the caller closes. */
export function startBlogService(): Promise<RunningService> {
  return startService({ ephemeral: true, dev: true, port: 0, pagesPort: 0 });
}

/** Sets the environment for builds; the caller resets it with `vi.unstubAllEnvs`. */
export function publishTo(service: RunningService): void {
  vi.stubEnv("IMPRINT_API_KEY", service.apiKey);
  vi.stubEnv("NODE_ENV", "production");
}

export interface BlogBuild {
  readonly options?: ImprintOptions | undefined;
  readonly config?: AstroInlineConfig;
}

/** Builds the site; without `options`, as if imprint were not installed. */
export async function buildBlogSite(root: string, { options, config = {} }: BlogBuild): Promise<void> {
  const { integrations = [], ...rest } = config;
  // React chooses its build when it is loaded, so that has to happen after NODE_ENV is set.
  const { default: react } = await import("@astrojs/react");
  const own = options === undefined ? [] : [imprint(options)];
  await build({
    ...{ root, logLevel: "silent", configFile: false, site: "https://example.org" },
    cacheDir: join(root, ".cache"),
    integrations: [mdx(), react(), sitemap(), ...own, ...integrations],
    ...rest,
  });
}

/** Hashes every file in a folder. */
export async function hashFiles(folder: string): Promise<Readonly<Record<string, string>>> {
  const paths = await fastGlob.glob("**", { cwd: folder, dot: true });
  const hashes = paths.map(async (path) => [path, sha256(await readFile(join(folder, path)))] as const);
  return Object.fromEntries((await Promise.all(hashes)).toSorted());
}

/** Reads the posts of the only blog, by slug. */
export async function readBlog(service: RunningService) {
  const api = await connect({ baseUrl: service.baseUrl("a"), apiKey: service.apiKey });
  try {
    const [blog] = (await api.blogs.list()).items;
    const listed = blog === undefined ? [] : (await api.posts.list(blog.id)).items;
    const pages = listed.map(async ({ slug, title }) => {
      const page = await fetch(`${service.pagesUrl}/blog/${blog?.slug}/${slug}`);
      return [slug, { title, html: await page.text() }] as const;
    });
    return new Map(await Promise.all(pages));
  } finally {
    await api.close();
  }
}
