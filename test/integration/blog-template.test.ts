import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import mdx from "@astrojs/mdx";
import sitemap from "@astrojs/sitemap";
import { build } from "astro";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import imprint from "../../src/index.ts";
import { runCli } from "../../src/cli/run-cli.ts";
import { startService } from "../../src/service.ts";
import type { RunningService } from "../../src/service.ts";
import { copyFixture, readBlog } from "./blog-site.ts";

// The shape of `npm create astro -- --template blog`: a schema without a draft key, and pages, list, feed and sitemap
// of every entry of the collection. The tests are the days of one project: each goes on where the one before ended.

let root: string;
let service: RunningService;

beforeAll(async () => {
  [root, service] = [await copyFixture("blog-template"), await startService({ ephemeral: true, port: 0, pagesPort: 0 })];
  vi.stubEnv("IMPRINT_API_KEY", service.apiKey);
  vi.stubEnv("NODE_ENV", "production");
  const options = { service: service.baseUrl("a"), posts: {} };
  await writeFile(join(root, "imprint.config.mjs"), `export default ${JSON.stringify(options)};\n`);
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await service.close();
  await rm(root, { recursive: true, force: true });
});

async function run(...argv: readonly string[]) {
  let [out, error] = ["", ""];
  const exitCode = await runCli(argv, {
    ...{ cwd: root, environment: { NO_COLOR: "1", IMPRINT_API_KEY: service.apiKey } },
    out: { write: (text) => void (out += text) },
    error: { write: (text) => void (error += text) },
  });
  return { exitCode, out, error };
}

/** Runs `astro build`, which publishes; gives what it printed. */
async function buildSite(): Promise<string> {
  const printed: string[] = [];
  const spy = vi.spyOn(process.stdout, "write").mockImplementation((text) => printed.push(String(text)) > 0);
  try {
    await build({
      ...{ root, configFile: false, logLevel: "info", cacheDir: join(root, ".cache") },
      site: "https://example.com",
      integrations: [mdx(), sitemap(), imprint({ service: service.baseUrl("a"), posts: {} })],
    });
  } finally {
    spy.mockRestore();
  }
  return printed.join("");
}

const statusOf = async (path: string) => (await fetch(service.pagesUrl + path)).status;
const textOf = async (address: string) => (await fetch(address)).text();

it("posts check, plan and sync exit with 0 before the first build, which then publishes every post", async () => {
  for (const command of ["check", "plan", "sync"]) {
    expect(await run("posts", command)).toMatchObject({ exitCode: 0 });
  }
  expect([...(await readBlog(service)).keys()].toSorted()).toEqual(["first-post", "markdown-style-guide"]);
  await buildSite();
  const blog = await readBlog(service);
  expect([...blog.keys()].toSorted()).toEqual(["first-post", "markdown-style-guide", "using-mdx"]);
  expect(blog.get("using-mdx")?.html).toContain("Embedded component in MDX");
});

it("posts check, plan and sync exit with 0 after it, and know that the MDX post is published", async () => {
  for (const command of ["check", "plan", "sync"]) {
    expect(await run("posts", command)).toMatchObject({ exitCode: 0 });
  }
  expect((await run("posts", "plan")).out).toContain("posts  3 local · 3 unchanged\n");
  const file = join(root, "src/content/blog/using-mdx.mdx");
  await writeFile(file, `${await readFile(file, "utf8")}\nOne more sentence.\n`);
  const edited = await run("posts", "sync");
  expect(edited).toMatchObject({ exitCode: 0 });
  expect(edited.out).toContain("posts  3 local · 2 unchanged · 1 waiting for a build");
  expect((await readBlog(service)).size).toBe(3);
});
