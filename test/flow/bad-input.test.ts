import { spawnSync } from "node:child_process";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { startService, type RunningService } from "../../src/service.ts";
import { createTemporarySite, type TemporarySite } from "./temporary-site.ts";

interface Run {
  readonly code: number;
  readonly out: string;
  readonly error: string;
}

async function imprint(
  site: TemporarySite,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): Promise<Run> {
  let out = "";
  let error = "";
  const code = await runCli(args, {
    cwd: site.root,
    environment,
    out: { write: (text) => (out += text) },
    error: { write: (text) => (error += text) },
  });
  return { code, out, error };
}

async function openService(): Promise<RunningService> {
  const service = await startService({ ephemeral: true, dev: true, port: 0, pagesPort: 0 });
  onTestFinished(() => service.close());
  return service;
}

function environmentOf(service: RunningService): NodeJS.ProcessEnv {
  return { IMPRINT_API_KEY: service.apiKey, IMPRINT_SERVICE: service.baseUrl("a") };
}

function writesOf(service: RunningService): readonly string[] {
  return service
    .requests()
    .filter(({ method }) => method !== "GET" && method !== "HEAD")
    .map(({ method, path }) => `${method} ${path}`);
}

/** A 64 KiB disk mounted at a folder, unmounted after the test. */
function mountSmallDisk(folder: string): boolean {
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", folder]).status === 0;
  if (mounted) onTestFinished(() => void spawnSync("umount", [folder]));
  return mounted;
}

describe("publishing with invalid input", () => {
  it("holds the post with a broken image, reports the line, and publishes everything else", async () => {
    const [site, service] = [await createTemporarySite(), await openService()];
    const png = await readFile(join(site.root, "src/content/blog/images/ink.png"));
    await site.write("src/content/blog/images/broken.png", png.subarray(0, 60));
    await site.write("src/content/blog/broken.md", "---\ntitle: Broken\n---\n\nLook:\n\n![x](./images/broken.png)\n");
    await site.write("imprint.config.mjs", "export default { posts: {} };\n");
    const run = await imprint(site, ["publish"], environmentOf(service));
    expect(run.code).toBe(1);
    expect(run.out).toContain("src/content/blog/broken.md:7:6");
    const posts = service.requests().filter(({ operation }) => operation === "posts.create");
    expect(posts).toHaveLength(2);
    expect((await fetch(`${service.pagesUrl}/p/about`)).status).toBe(200);
    expect(writesOf(service).filter((write) => write.includes("broken"))).toEqual([]);
    await site.write("src/content/blog/images/broken.png", png);
    expect((await imprint(site, ["publish"], environmentOf(service))).code).toBe(0);
    expect(service.requests().filter(({ operation }) => operation === "posts.create")).toHaveLength(3);
  });

  it("reports that no key is set, and where to set it", async () => {
    const site = await createTemporarySite();
    const run = await imprint(site, ["publish"], { IMPRINT_SERVICE: "https://pages.example.org" });
    expect(run.code).toBe(1);
    expect(run.error).toContain("KEY_MISSING");
    expect(run.error).toContain("IMPRINT_API_KEY");
    expect(run.error).toContain("https://pages.example.org");
  });

  it("reports a rejected key without printing it", async () => {
    const [site, service] = [await createTemporarySite(), await openService()];
    const key = "another-services-key-0123456789";
    const run = await imprint(site, ["publish"], { ...environmentOf(service), IMPRINT_API_KEY: key });
    expect(run.code).toBe(1);
    expect(run.error).toContain("KEY_REJECTED");
    expect(run.error + run.out).not.toContain(key);
  });

  it("detects a mistyped key before any request", async () => {
    const [site, service] = [await createTemporarySite(), await openService()];
    const mistyped = service.apiKey.slice(0, -1) + (service.apiKey.endsWith("a") ? "b" : "a");
    const run = await imprint(site, ["publish"], { ...environmentOf(service), IMPRINT_API_KEY: mistyped });
    expect(run.error).toContain("KEY_MALFORMED");
    expect(service.requests()).toEqual([]);
  });

  it("reports that the service doesn't respond, with its address", async () => {
    const site = await createTemporarySite();
    const server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const address = `http://127.0.0.1:${port}`;
    const run = await imprint(site, ["publish", "--service", address], { IMPRINT_API_KEY: "k-0123456789" });
    expect(run.code).toBe(1);
    expect(run.error).toContain("SERVICE_UNREACHABLE");
    expect(run.error).toContain(address);
  });

  it("reports that the address isn't the service's", async () => {
    const site = await createTemporarySite();
    const server = createServer((_, response) => {
      response.setHeader("content-type", "text/html").end("<h1>A shop</h1>");
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await new Promise((resolve) => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const run = await imprint(site, ["publish", "--service", `http://127.0.0.1:${port}`], {
      IMPRINT_API_KEY: "k-0123456789",
    });
    expect(run.code).toBe(1);
    expect(run.error).toContain("SERVICE_WRONG_ADDRESS");
  });

  it("names both pages with the same slug, and sends nothing", async () => {
    const [site, service] = [await createTemporarySite(), await openService()];
    await site.write(
      "imprint.config.mjs",
      `export default { slugs: { "/about/": "same", "/services/letterpress/": "same" } };`,
    );
    const run = await imprint(site, ["publish"], environmentOf(service));
    expect(run.code).toBe(1);
    expect(run.error).toContain("/about/");
    expect(run.error).toContain("/services/letterpress/");
    expect(writesOf(service)).toEqual([]);
  });

  it("names a misspelled option and the closest match, before any request", async () => {
    const [site, service] = [await createTemporarySite(), await openService()];
    await site.write("imprint.config.mjs", `export default { brandKits: false };`);
    const run = await imprint(site, ["publish"], environmentOf(service));
    expect(run.code).toBe(2);
    expect(run.error).toContain("`brandKits` is not an option. Did you mean `brandKit`?");
    expect(service.requests()).toEqual([]);
  });

  it("names a broken image and the page that uses it, and sends nothing", async () => {
    const [site, service] = [await createTemporarySite(), await openService()];
    await site.write("dist/photo.png", Buffer.from("this is not an image"));
    const run = await imprint(site, ["publish"], environmentOf(service));
    expect(run.code).toBe(1);
    expect(run.error).toContain("IMAGE_BROKEN");
    expect(run.error).toContain("photo.png");
    expect(run.error).toContain("index.html");
    expect(writesOf(service)).toEqual([]);
  });

  it("names a post without a title, publishes the others, and exits with an error", async () => {
    const [site, service] = [await createTemporarySite(), await openService()];
    await site.write("src/content/blog/untitled.md", `---\npubDate: 2026-03-01\n---\n\nNo title.\n`);
    await site.write("imprint.config.mjs", `export default { posts: {} };`);
    const run = await imprint(site, ["publish"], environmentOf(service));
    expect(run.code).toBe(1);
    expect(run.out).toContain("src/content/blog/untitled.md:1");
    expect(writesOf(service).filter((write) => write.endsWith("/posts"))).toHaveLength(2);
  });

  it("reports that there is no built site", async () => {
    const [site, service] = [await createTemporarySite(), await openService()];
    const run = await imprint(site, ["publish", "no-such-folder"], environmentOf(service));
    expect(run.code).toBe(1);
    expect(run.error).toContain("DIST_MISSING");
    expect(run.error).toContain("no-such-folder");
    expect(run.error).toContain("astro build");
  });

  it("reports it even while the service is slow to respond, without waiting for it", async () => {
    const [site, service] = [await createTemporarySite(), await openService()];
    service.setFaults({ latencyMs: 60_000 });
    const run = await imprint(site, ["publish", "no-such-folder"], environmentOf(service));
    expect(run.error).toContain("DIST_MISSING");
    expect(service.requests()).toEqual([]);
  });

  it("rejects an incomplete build", async () => {
    const [site, service] = [await createTemporarySite(), await openService()];
    await site.write("dist/.prerender/entry.mjs", "");
    const run = await imprint(site, ["publish"], environmentOf(service));
    expect(run.error).toContain("DIST_UNFINISHED");
    expect(writesOf(service)).toEqual([]);
  });

  it("sends nothing if the local state isn't writable", async () => {
    const [site, service] = [await createTemporarySite(), await openService()];
    await site.write(".imprint/memory.sqlite/file", "a folder where a file has to be");
    const run = await imprint(site, ["publish"], environmentOf(service));
    expect(run.code).toBe(1);
    expect(run.error).toContain("STATE_UNWRITABLE");
    expect(run.error).toContain(".imprint");
    expect(writesOf(service)).toEqual([]);
    expect(await readdir(join(site.root, ".imprint"))).toEqual([".gitignore", "memory.sqlite", "run.lock"]);
  });

  it("sends nothing if the disk for .imprint is full, and leaves no partial files", async ({ skip }) => {
    const [site, service] = [await createTemporarySite(), await openService()];
    const folder = join(site.root, ".imprint");
    await mkdir(folder);
    if (!mountSmallDisk(folder)) skip("a small disk can only be mounted as root");
    await writeFile(join(folder, "filling"), Buffer.alloc(1 << 20)).catch(() => {});
    const run = await imprint(site, ["publish"], environmentOf(service));
    expect(run.code).toBe(1);
    expect(run.error).toContain("STATE_UNWRITABLE");
    expect(run.error).toContain("ENOSPC");
    expect(writesOf(service)).toEqual([]);
    expect((await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  it("keeps an unreadable lock file and names it", async () => {
    const [site, service] = [await createTemporarySite(), await openService()];
    await site.write("imprint.lock.json", "<<<<<<< HEAD\n{}");
    const run = await imprint(site, ["publish"], environmentOf(service));
    expect(run.error).toContain("imprint.lock.json");
    expect(writesOf(service)).toEqual([]);
  });

  it("reports an unknown flag and suggests the closest match", async () => {
    const run = await imprint(await createTemporarySite(), ["publish", "--prunee"]);
    expect(run.code).toBe(2);
    expect(run.error).toContain("--prune");
  });
});
