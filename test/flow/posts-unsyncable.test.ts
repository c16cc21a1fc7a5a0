import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { repost } from "../../src/cli/posts/send-one-post.ts";
import { acquireRunLock } from "../../src/memory/process-lock.ts";
import { openPostsProject, postText, outcomesOf, type PostsProject, type ProjectOptions } from "./posts-project.ts";

/** A project with one post that was edited after it was posted, at a service that can't change posts. */
async function openEdited(service: ProjectOptions["service"] = {}): Promise<PostsProject> {
  const project = await openPostsProject({ strict: true, service });
  await project.write("ink.md", postText("On ink", "Ink is a paint."));
  await project.sync();
  await project.edit("ink.md", "a paint", "no paint");
  return project;
}

async function titlesIn({ service }: PostsProject): Promise<number> {
  const html = await (await fetch(`${service.pagesUrl}/blog/blog`)).text();
  return html.split("On ink").length - 1;
}

function createsOf({ service }: PostsProject): number {
  return service.requests().filter(({ operation }) => operation === "posts.create").length;
}

async function learnedOf({ root }: PostsProject): Promise<unknown> {
  const { posts } = JSON.parse(await readFile(join(root, "imprint.lock.json"), "utf8"));
  return Object.values(Object(posts)).map((blog) => Object(blog).learned.repeatedPost)[0];
}

describe("imprint posts sync --probe-upsert", () => {
  it.each([
    { repeatedPost: "upsert", answer: "upserts" },
    { repeatedPost: "reject", answer: "rejects" },
    { repeatedPost: "suffix", answer: "duplicates" },
    { repeatedPost: "duplicate", answer: "duplicates" },
  ] as const)("learns once that a service $repeatedPost s a repeated post", async ({ repeatedPost, answer }) => {
    const project = await openEdited({ quirks: { repeatedPost } });
    const { probe } = await project.sync({ probes: true });
    expect(probe).toMatchObject({ answer, name: "ink" });
    expect(probe?.places).toHaveLength(answer === "duplicates" ? 1 : 0);
    expect(await learnedOf(project)).toBe(answer);
    expect((await project.sync({ probes: true })).probe).toBeUndefined();
    expect(createsOf(project)).toBe(2);
  });

  it("then sends edits to a service that updates a repeated post, and nothing without edits", async () => {
    const project = await openEdited({ quirks: { repeatedPost: "upsert" } });
    await project.sync({ probes: true });
    await project.edit("ink.md", "no paint", "not paint");
    expect(outcomesOf(await project.sync())).toContain("post ink: update done");
    expect(await (await fetch(`${project.service.pagesUrl}/blog/blog/ink`)).text()).toContain("Ink is not paint.");
    expect(outcomesOf(await project.sync())).toContain("post ink: keep done");
    expect(createsOf(project)).toBe(3);
    expect(await titlesIn(project)).toBe(1);
  });

  it("sends nothing without an edit, and nothing to a blog whose list is incomplete", async () => {
    const project = await openEdited({ quirks: { lists: "cut" }, limits: { defaultListLimit: 10 } });
    for (let index = 0; index < 10; index++) {
      await project.write(`other-${index}.md`, postText(`Other ${index}`, "Text."));
    }
    await project.sync();
    const before = createsOf(project);
    expect((await project.sync({ probes: true })).probe).toBeUndefined();
    expect(createsOf(project)).toBe(before);
  });
});

describe("imprint posts repost", () => {
  it("publishes an edited post under another slug, keeps using it, and reports the address of the old one", async () => {
    const project = await openEdited();
    const { place, left } = await repost(project.request, "ink");
    expect(place).toMatch(/\/ink-2$/);
    expect(left).toEqual([expect.stringMatching(/\/ink \(po_\w+\)$/)]);
    expect(await (await fetch(place)).text()).toContain("Ink is no paint.");
    expect(outcomesOf(await project.sync())).toEqual(["blog Blog: keep done", "post ink: keep done"]);
    await expect(repost(project.request, "ink")).rejects.toMatchObject({ code: "USAGE" });

    await project.edit("ink.md", "no paint", "not paint");
    expect((await repost(project.request, "ink")).place).toMatch(/\/ink-3$/);
    expect(createsOf(project)).toBe(3);
  });

  it("creates no third post if the state is lost afterwards", async () => {
    const project = await openEdited();
    await repost(project.request, "ink");
    await rm(join(project.root, "imprint.lock.json"));
    const again = await project.sync();
    expect(again.plan.posts.map(({ kind, state }) => `${kind} ${state}`)).toEqual(["keep renamed", "orphan orphan"]);
    expect(createsOf(project)).toBe(2);
  });

  it("doesn't start while another run uses the project", async () => {
    const project = await openEdited();
    const lock = acquireRunLock(project.root);
    await expect(repost(project.request, "ink")).rejects.toMatchObject({ code: "RUN_LOCKED" });
    lock.release();
  });
});
