import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { StartOptions } from "../../src/service.ts";
import { clientOf, fileForm, openRunningService, type Fields } from "../service/open-service.ts";
import { createTemporarySite } from "../flow/temporary-site.ts";
import { commandsFor } from "./run.ts";

const DAYS_AGO = 3 * 24 * 60 * 60 * 1000;
const longAgo = () => new Date(Date.now() - DAYS_AGO);
const PROJECT = "k3v9x2ab";
const HASH = `${PROJECT}.0123456789abcdef`;

/** A project that was never published, and a service with three-day-old library files. */
async function open(options: StartOptions = {}) {
  const service = await openRunningService({ now: longAgo, ...options });
  const site = await createTemporarySite();
  const { run } = await commandsFor(service, "a");
  const send = clientOf(service, { routeSet: "a" });
  const prune = (...flags: readonly string[]) =>
    run("assets", "prune", join(site.root, "dist"), "--root", site.root, ...flags);
  async function upload(name: string, content: string): Promise<Fields> {
    return (await send("POST", "/api/library", { form: fileForm([name, content]) })).body;
  }
  async function names(): Promise<readonly unknown[]> {
    return (await send("GET", "/api/library")).items.map(({ name }) => name).sort();
  }
  await writeFile(join(site.root, "astro.config.mjs"), "export default {};\n");
  const lock = { version: 2, project: PROJECT, slugs: {} };
  await writeFile(join(site.root, "imprint.lock.json"), JSON.stringify(lock));
  return { service, site, send, run, prune, upload, names };
}

async function publishPost(send: ReturnType<typeof clientOf>, fields: Fields): Promise<void> {
  await send("POST", "/api/blogs", { json: { name: "News", slug: "news" } });
  const { status } = await send("POST", "/api/blogs/news/posts", { json: { slug: "one", title: "One", ...fields } });
  expect(status).toBe(201);
}

it("doesn't mention a plan, unlike `imprint plan`", async () => {
  const { prune, run, site } = await open();
  const relies = "the plan relies on what the route set promises";
  expect((await prune()).error).not.toContain(relies);
  expect((await run("plan", site.dist, "--root", site.root)).error.replaceAll(/\s+/g, " ")).toContain(relies);
});

it("prunes on an account with posts, and keeps the files that they use", async () => {
  const { send, prune, upload, names } = await open();
  const used = await upload(`cover.${HASH}.txt`, "used");
  await upload(`gone.${HASH}.txt`, "unused");
  await upload("by-hand.txt", "not of imprint");
  await publishPost(send, { markdown: "x", coverImage: used.url, status: "draft" });
  const shown = await prune();
  expect(shown.code).toBe(0);
  expect(shown.out).toMatch(
    /^ {2}gone\.k3v9x2ab\.0123456789abcdef\.txt +6 B\nNot in use: 1 file \(6 B\)\. Delete with --yes\.$/m,
  );
  const report = {
    version: 1,
    unused: [{ name: `gone.${HASH}.txt`, size: 6 }],
    recent: [],
    undated: [],
    deleted: 0,
    kept: [],
  };
  expect((await prune("--json")).json()).toMatchObject(report);
  expect((await prune("--yes", "--json")).json()).toMatchObject({ ...report, deleted: 1 });
  expect(await names()).toEqual(["by-hand.txt", `cover.${HASH}.txt`]);
});

it("deletes an unused style sheet with the files that only it uses, at once", async () => {
  const { prune, upload, names } = await open();
  const image = await upload(`paper.${HASH}.txt`, "paper");
  const inner = await upload(`inner.${HASH}.css`, `a{background:url(${String(image.url)})}`);
  await upload(`outer.${HASH}.css`, `@import "${String(inner.url)}";`);
  const { code, out } = await prune("--yes");
  expect([code, out]).toEqual([0, expect.stringContaining("Deleted: 3 files.")]);
  expect(await names()).toEqual([]);
});

it("keeps files of the last 24 hours, which an open run may need, unless forced", async () => {
  const { prune, upload, names } = await open({ now: () => new Date() });
  await upload(`new.${HASH}.txt`, "new");
  const kept = await prune("--yes");
  expect([kept.code, kept.out]).toEqual([
    0,
    expect.stringContaining("Kept: 1 file (3 B) uploaded in the last 24 hours"),
  ]);
  expect(kept.out).toContain("--force");
  expect(await names()).toEqual([`new.${HASH}.txt`]);
  expect((await prune("--yes", "--force")).out).toContain("Deleted: 1 file.");
  expect(await names()).toEqual([]);
});

it("deletes the files that probed the library", async () => {
  const { prune, upload, names } = await open();
  await upload("imprint-probe.0123456789abcdef.css", "a{}");
  expect((await prune("--yes")).out).toContain("Deleted: 1 file.");
  expect(await names()).toEqual([]);
});

it("refuses with the reason on a service that neither counts uses nor shows the text of posts", async () => {
  const { service, send, prune, upload } = await open({ strict: true });
  await upload(`gone.${HASH}.txt`, "unused");
  await publishPost(send, { html: "<p>x</p>" });
  const { code, error } = await prune("--yes", "--pages-url", service.pagesUrl);
  expect([code, error]).toEqual([1, expect.stringContaining("doesn't show the text of the post one")]);
  expect((await send("GET", "/api/library")).items).toHaveLength(1);
});

it("names what uses a file that can't be removed without --force", async () => {
  const { send, run, upload } = await open();
  const used = await upload("cover.txt", "used");
  await publishPost(send, { markdown: "x", coverImage: used.url });
  const { code, error } = await run("assets", "remove", "cover.txt", "--yes");
  expect([code, error]).toEqual([1, expect.stringContaining("post news/one")]);
  expect((await run("assets", "remove", "cover.txt", "--yes", "--force")).code).toBe(0);
});
