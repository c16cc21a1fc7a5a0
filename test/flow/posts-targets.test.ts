import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { publish } from "../../src/publish.ts";
import { openPostsProject, postText, outcomesOf } from "./posts-project.ts";
import { createTemporarySite } from "./temporary-site.ts";
import { sampleOf } from "../whole.ts";

const WORLDS = (["a", "b"] as const).flatMap((routeSet) =>
  [false, true].map((strict) => ({ routeSet, strict, mode: strict ? "strict" : "full" })),
);

async function visit(address: string): Promise<{ readonly status: number; readonly html: string }> {
  const answer = await fetch(address);
  return { status: answer.status, html: await answer.text() };
}

const sample = sampleOf(WORLDS, ({ routeSet, strict }) => strict === (routeSet === "a"));

describe.each(sample)("route set $routeSet, $mode", ({ routeSet, strict }) => {
  it("`blog` sends the whole post", async () => {
    const { service, sync, write } = await openPostsProject({ routeSet, strict });
    await write("ink.md", postText("On ink", "Ink is a paint."));
    expect(outcomesOf(await sync())).toEqual(["blog Blog: create done", "post ink: create done"]);
    expect((await visit(`${service.pagesUrl}/blog/blog/ink`)).html).toContain("Ink is a paint.");
  });

  it("`pointer` sends a short post and a page, and an edit of the text changes only the page", async () => {
    const project = await openPostsProject({ routeSet, strict, posts: { target: "pointer" } });
    const { service, sync, write, edit, writes } = project;
    await write("ink.md", postText("On ink", "Ink is a paint.\n\nIt dries slowly.", "description: About ink\n"));
    const first = await sync();
    expect(outcomesOf(first)).toEqual([
      "page blog-ink: create done",
      "blog Blog: create done",
      "post ink: create done",
    ]);
    const post = await visit(`${service.pagesUrl}/blog/blog/ink`);
    expect(post.html).toContain("About ink");
    expect(post.html).toMatch(/href="(?:http:\/\/[^"/]+)?\/p\/blog-ink"/);
    expect(post.html).not.toContain("It dries slowly.");
    expect((await visit(`${service.pagesUrl}/p/blog-ink`)).html).toContain("It dries slowly.");

    await edit("ink.md", "slowly", "at once");
    const since = new Date();
    const second = await sync();
    expect(outcomesOf(second)).toContain("page blog-ink: update done");
    expect(second.plan.posts.map(({ state }) => state)).toEqual(["unchanged"]);
    // Twice on route set B without extensions: the tag of `GET /api/pages/:slug/raw` isn't the record's.
    expect(new Set(writes(since))).toEqual(new Set(["pages.put"]));
    expect((await visit(`${service.pagesUrl}/p/blog-ink`)).html).toContain("It dries at once.");

    const again = new Date();
    await sync();
    expect(writes(again)).toEqual([]);
  });

  it("`pages` creates only pages, changes them, and deletes them on request", async () => {
    const project = await openPostsProject({ routeSet, strict, posts: { target: "pages" } });
    const { service, request, sync, write, edit, remove } = project;
    await write("ink.md", postText("On ink", "Ink is a paint. See [paper](./paper.md)."));
    await write("paper.md", postText("On paper", "Paper has a grain."));
    expect(outcomesOf(await sync())).toEqual(["page blog-ink: create done", "page blog-paper: create done"]);
    const { html } = await visit(`${service.pagesUrl}/p/blog-ink`);
    expect(html).toContain("<h1>On ink</h1>");
    expect(html).toContain('href="/p/blog-paper"');

    await edit("ink.md", "a paint", "no paint");
    expect(outcomesOf(await sync())).toContain("page blog-ink: update done");
    await remove("paper.md");
    expect(outcomesOf(await sync())).toContain("page blog-paper: orphan skipped");
    const pruning = { ...request.options, prune: true, maxDeleteShare: 1 };
    expect(outcomesOf(await sync({ options: pruning }))).toContain("page blog-paper: delete done");
    expect([404, 410]).toContain((await visit(`${service.pagesUrl}/p/blog-paper`)).status);
    expect((await visit(`${service.pagesUrl}/p/blog-ink`)).status).toBe(200);
    expect(service.requests().filter(({ operation }) => operation === "posts.create")).toEqual([]);
  });
});

it("a page stays if its post has an error, even when pages without a post are deleted", async () => {
  const project = await openPostsProject({ posts: { target: "pages" } });
  const { request, sync, write, edit } = project;
  await write("ink.md", postText("On ink", "Ink is a paint."));
  await write("paper.md", postText("On paper", "Paper has a grain."));
  await sync();
  await edit("ink.md", "2026-01-05", "2026-02-30");
  const options = { ...request.options, prune: true, maxDeleteShare: 1 };
  expect(outcomesOf(await sync({ options }))).toEqual(["page blog-paper: keep done", "page blog-ink: blocked skipped"]);
  await edit("ink.md", "2026-02-30", "2026-01-05");
  expect(outcomesOf(await sync({ options }))).toEqual(["page blog-ink: keep done", "page blog-paper: keep done"]);
});

it("a pointer isn't sent if its page couldn't be published", async () => {
  const project = await openPostsProject({ posts: { target: "pointer" } });
  await project.write("ink.md", postText("On ink", "Ink is a paint."));
  const refusal = { kind: "status", status: 500 } as const;
  project.service.setFaults({ rules: [{ operation: "pages.put", fault: refusal }] });
  const run = await project.sync();
  expect(run.outcomes.find(({ resource }) => resource === "post")?.error?.code).toBe("POST_PAGE_MISSING");
  expect(project.service.requests().filter(({ operation }) => operation === "posts.create")).toEqual([]);
});

it("a post uses the page that the site already has for it, and gets no other", async () => {
  const { root, sync, write } = await openPostsProject({ posts: { target: "pointer" } });
  await write("ink.md", postText("On ink", "Ink is a paint."));
  await writeFile(
    join(root, "imprint.lock.json"),
    JSON.stringify({ version: 1, slugs: { "/notes/ink/": "notes-ink" } }),
  );
  expect(outcomesOf(await sync())).toEqual(["blog Blog: create done", "post ink: create done"]);
  expect(JSON.parse(await readFile(join(root, "imprint.lock.json"), "utf8")).postPages).toBeUndefined();
});

it("a build publishes the pages of posts with the site's own, and a run of posts leaves the site's own unchanged", async () => {
  const [site, project] = [await createTemporarySite(), await openPostsProject({ posts: { target: "pages" } })];
  const request = { ...project.request, projectRoot: site.root };
  const report = await publish({ ...request, dist: site.dist });
  const pages = report.entries
    .filter(({ resource }) => resource === "page")
    .map(({ name, kind }) => `${name}: ${kind}`);
  expect(pages.toSorted()).toEqual([
    "about: create",
    "blog-ink: create",
    "blog-paper: create",
    "index: create",
    "services-letterpress: create",
  ]);
  expect(outcomesOf(await project.sync({ projectRoot: site.root }))).toEqual([
    expect.stringMatching(/^asset ink\..*: keep done$/),
    "page blog-ink: keep done",
    "page blog-paper: keep done",
  ]);
});
