import { execFileSync } from "node:child_process";
import { readFile, rename, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pullPosts } from "../../src/cli/posts/pull-posts.ts";
import { repost } from "../../src/cli/posts/send-one-post.ts";
import { parseOptions } from "../../src/publish.ts";
import { openPostsProject, postText, outcomesOf, type PostsProject } from "./posts-project.ts";

const HOUR_MS = 3_600_000;

async function setAge({ root }: PostsProject, name: string, ageMs: number): Promise<void> {
  const at = new Date(Date.now() - ageMs);
  await utimes(join(root, "src/content/blog", name), at, at);
}

describe("posts.settle", () => {
  it("keeps a new post on hold until it hasn't changed for that long, even in strict mode", async () => {
    const project = await openPostsProject({ posts: { settle: "24h" } });
    await project.write("ink.md", postText("On ink", "Ink is a paint."));
    const first = await project.sync();
    expect(outcomesOf(first)).toContain("post ink: wait skipped");
    expect(project.writes()).toEqual(["blogs.create"]);
    await setAge(project, "ink.md", 25 * HOUR_MS);
    expect(outcomesOf(await project.sync())).toContain("post ink: create done");
    await project.edit("ink.md", "a paint", "no paint");
    expect(outcomesOf(await project.sync())).toContain("post ink: update done");
  });

  it("uses the time of the last commit if the file is unchanged in git, because a checkout rewrites every file", async () => {
    const project = await openPostsProject({ posts: { settle: "24h" } });
    await project.write("ink.md", postText("On ink", "Ink is a paint."));
    const date = new Date(Date.now() - 48 * HOUR_MS).toISOString();
    const git = (...args: readonly string[]) =>
      execFileSync("git", args, {
        cwd: project.root,
        env: { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
      });
    git("init", "--quiet");
    git("add", "src");
    git("-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "--quiet", "--message", "Write");
    expect((await project.sync({ dryRun: true })).plan.posts.map(({ kind }) => kind)).toEqual(["create"]);
    await project.edit("ink.md", "a paint", "no paint");
    expect((await project.sync({ dryRun: true })).plan.posts.map(({ kind }) => kind)).toEqual(["wait"]);
  });
});

describe("posts.writeId", () => {
  it("writes the id into the file, which identifies a renamed and edited post without memory", async () => {
    const project = await openPostsProject({
      posts: { writeId: true },
      strict: true,
      service: { quirks: { postHtml: "cleaned" } },
    });
    const { root, sync, write, read, edit, service } = project;
    await write("ink.md", postText("On ink", "Ink is a paint."));
    await sync();
    expect(await read("ink.md")).toMatch(
      /^---\ntitle: On ink\npubDate: 2026-01-05\nimprintId: po_\w+\n---\n\nInk is a paint.\n$/,
    );
    expect(outcomesOf(await sync())).toContain("post ink: keep done");

    await rename(join(root, "src/content/blog/ink.md"), join(root, "src/content/blog/about-ink.md"));
    await edit("about-ink.md", "On ink", "About ink");
    await rm(join(root, "imprint.lock.json"));
    await rm(join(root, ".imprint"), { recursive: true });
    expect(outcomesOf(await sync())).toContain("post about-ink: keep done");
    expect(service.requests().filter(({ operation }) => operation === "posts.create")).toHaveLength(1);
  });

  it("a copy of a file with its id is reported and not published", async () => {
    const project = await openPostsProject({ posts: { writeId: true } });
    await project.write("ink.md", postText("On ink", "Ink is a paint."));
    await project.sync();
    await project.write("paper.md", (await project.read("ink.md")).replace("On ink", "On paper"));
    const run = await project.sync();
    expect(outcomesOf(run)).toEqual(expect.arrayContaining(["post ink: keep done", "post paper: blocked skipped"]));
    expect(run.plan.posts.find(({ name }) => name === "paper")?.reason).toContain("another post has the same ID");
  });

  it("a file that can't get the line stays unchanged, and its id is reported", async () => {
    const project = await openPostsProject({ posts: { writeId: true } });
    const text = `---json\n{ "title": "On ink" }\n---\nInk is a paint.\n`;
    await project.write("ink.md", text);
    const run = await project.sync();
    expect(run.outcomes.at(-1)?.hint).toMatch(/line `imprintId: po_\w+` couldn.t be added/);
    expect(await project.read("ink.md")).toBe(text);
  });
});

describe.each(["a", "b"] as const)("route set %s with a service that can change posts", (routeSet) => {
  it("applies edits, unpublished posts, and removals", async () => {
    const project = await openPostsProject({ routeSet });
    const { service, sync, write, edit, remove } = project;
    for (const name of ["ink", "paper", "type"]) await write(`${name}.md`, postText(`On ${name}`, `It is ${name}.`));
    await sync();
    await edit("ink.md", "It is", "It is not");
    await edit("paper.md", "title:", "draft: true\ntitle:");
    await remove("type.md");
    const options = parseOptions({ posts: { blog: { create: true } }, prune: true });
    expect(outcomesOf(await sync({ options }))).toEqual(
      expect.arrayContaining(["post ink: update done", "post paper: update done", "post type: delete done"]),
    );
    const visit = (slug: string) => fetch(`${service.pagesUrl}/blog/blog/${slug}`);
    expect(await (await visit("ink")).text()).toContain("It is not ink.");
    expect((await visit("paper")).status).toBe(404);
    expect([404, 410]).toContain((await visit("type")).status);

    await edit("paper.md", "draft: true\n", "");
    expect(outcomesOf(await sync({ options }))).toContain("post paper: update done");
    expect((await visit("paper")).status).toBe(200);
    const since = new Date();
    await sync({ options });
    expect(project.writes(since)).toEqual([]);
  });
});

it("a post whose file this run doesn't read is neither deleted nor mistaken for another one", async () => {
  const project = await openPostsProject();
  const { root, sync, write, read, remove } = project;
  await write("ink.md", postText("On ink", "Ink is a paint."));
  await write("paper.md", postText("On paper", "Paper has a grain."));
  await sync();
  // As left by a build that also includes Markdoc.
  await write("ink.mdoc", await read("ink.md"));
  await remove("ink.md");
  const lockFile = join(root, "imprint.lock.json");
  await writeFile(lockFile, (await readFile(lockFile, "utf8")).replace("blog/ink.md", "blog/ink.mdoc"));
  const options = parseOptions({ posts: { blog: { create: true } }, prune: true });
  expect(outcomesOf(await sync({ options }))).toEqual(["blog Blog: keep done", "post paper: keep done"]);
  expect(await pullPosts(project.request, [])).toEqual([]);
});

it("the file of a republished post has the id of the new one", async () => {
  const project = await openPostsProject({ strict: true, posts: { writeId: true } });
  await project.write("ink.md", postText("On ink", "Ink is a paint."));
  await project.sync();
  const before = await project.read("ink.md");
  await project.edit("ink.md", "a paint", "no paint");
  await repost(project.request, "ink");
  const after = await project.read("ink.md");
  expect(after.match(/imprintId: po_\w+/g)).toHaveLength(1);
  expect(after).not.toContain(/imprintId: po_\w+/.exec(before)?.[0]);
  expect(outcomesOf(await project.sync())).toContain("post ink: keep done");
});
