import { execFileSync } from "node:child_process";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PostsRun } from "../../src/cli/posts/sync-posts.ts";
import {
  command,
  openPostsProject,
  postText,
  outcomesOf,
  type PostsProject,
  type ProjectOptions,
} from "./posts-project.ts";

const BODY =
  "We looked at what paper costs this year, at three mills and two merchants. Rag paper went up by a fifth, and the " +
  "cheap stock for proofs by almost half. We keep both, and raise what we ask for small editions.";

/** A published post whose next version can have another file name. */
async function openPublished(settings: ProjectOptions = { strict: true }): Promise<PostsProject> {
  const project = await openPostsProject(settings);
  await project.write("pricing.md", postText("Pricing", BODY));
  await project.sync();
  return project;
}

function move({ root }: PostsProject, from: string, to: string): Promise<void> {
  return rename(join(root, "src/content/blog", from), join(root, "src/content/blog", to));
}

async function forget({ root }: PostsProject, what: "lock" | "both"): Promise<void> {
  await rm(join(root, "imprint.lock.json"));
  if (what === "both") await rm(join(root, ".imprint"), { recursive: true });
}

function createsOf({ service }: PostsProject): number {
  return service.requests().filter(({ operation }) => operation === "posts.create").length;
}

function statesOf({ plan }: PostsRun): readonly string[] {
  return plan.posts.map(({ name, kind, state }) => `${name}: ${kind} ${state}`);
}

async function readBlog({ service }: PostsProject, path: string): Promise<string> {
  return await (await fetch(`${service.pagesUrl}/blog/blog/${path}`)).text();
}

function commit({ root }: PostsProject): void {
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.org", ...args], { cwd: root, stdio: "pipe" });
  git("init", "--quiet");
  git("add", "src", "imprint.lock.json");
  git("commit", "--quiet", "--message", "Write");
}

describe("a renamed post at a service that can't change posts", () => {
  it("is matched to the published one if its text is the same", async () => {
    const project = await openPublished();
    await move(project, "pricing.md", "our-pricing.md");
    expect(statesOf(await project.sync())).toEqual(["our-pricing: keep renamed"]);
    expect(statesOf(await project.sync())).toEqual(["our-pricing: keep unchanged"]);
    expect(createsOf(project)).toBe(1);
  });

  it("is matched to the published one if its text is the last one seen under the old name", async () => {
    const project = await openPublished();
    await project.edit("pricing.md", "a fifth", "a quarter");
    expect(statesOf(await project.sync())).toEqual(["pricing: blocked edited"]);
    await move(project, "pricing.md", "our-pricing.md");
    expect(statesOf(await project.sync())).toEqual(["our-pricing: blocked edited"]);
    expect(statesOf(await project.sync())).toEqual(["our-pricing: blocked edited"]);
    expect(createsOf(project)).toBe(1);
  });

  it.each([
    ["the title stays", (text: string) => text.replace("a fifth", "a quarter")],
    ["the title changes and most words stay", (text: string) => text.replace("Pricing", "Our pricing")],
    [
      "the text is doubled",
      (text: string) => text.replace("Pricing", "On prices") + BODY.toUpperCase().split(" ").reverse().join(" "),
    ],
  ])("is on hold with both remedies if it was also edited and %s", async (_, edit) => {
    const project = await openPublished();
    await project.write("our-pricing.md", edit(await project.read("pricing.md")));
    await project.remove("pricing.md");
    const run = await project.sync();
    expect(statesOf(run)).toEqual(["our-pricing: blocked resembles", "pricing: orphan orphan"]);
    expect(run.plan.posts[0]?.hint).toBe(
      "If it is, run `imprint posts rename pricing our-pricing`. If it is a new post, run `imprint posts new-post our-pricing`.",
    );
    expect(createsOf(project)).toBe(1);
  });

  it("continues under its new name after `posts rename`", async () => {
    const project = await openPublished();
    await move(project, "pricing.md", "our-pricing.md");
    await project.edit("our-pricing.md", "a fifth", "a quarter");
    expect((await command(project, "sync")).out).toContain("On hold: new, or renamed (1)");
    const renamed = await command(project, "rename", "pricing", "our-pricing");
    expect(renamed).toMatchObject({ code: 0, out: expect.stringContaining("Its address in the blog doesn't change.") });
    expect(statesOf(await project.sync())).toEqual(["our-pricing: blocked edited"]);
    const acknowledged = await command(project, "ack", "our-pricing", "--json");
    expect(JSON.parse(acknowledged.out)).toMatchObject({ version: 1, slug: "our-pricing" });
    expect(statesOf(await project.sync())).toEqual(["our-pricing: keep unchanged"]);
    expect(createsOf(project)).toBe(1);
  });

  it("is published once after `posts new-post`", async () => {
    const project = await openPublished();
    await move(project, "pricing.md", "our-pricing.md");
    await project.edit("our-pricing.md", "a fifth", "a quarter");
    expect(await command(project, "new-post", "our-pricing")).toMatchObject({ code: 0 });
    expect(outcomesOf(await project.sync())).toContain("post our-pricing: create done");
    expect(outcomesOf(await project.sync())).toContain("post our-pricing: keep done");
    expect(createsOf(project)).toBe(2);
  });

  it("is recognized from git's history, committed or not", async () => {
    for (const isCommitted of [true, false]) {
      const project = await openPublished();
      commit(project);
      await move(project, "pricing.md", "a-new-name.md");
      await project.edit("a-new-name.md", "Pricing", "What it costs");
      await project.edit("a-new-name.md", "2026-01-05", "2026-02-07");
      if (isCommitted) commit(project);
      expect(statesOf(await project.sync())).toEqual(["a-new-name: blocked edited"]);
      expect(createsOf(project)).toBe(1);
    }
  });

  it.each(["lock", "both"] as const)("is on hold if the %s was lost, and the old one is reported", async (what) => {
    for (const quirks of [{}, { postHtml: "cleaned" }] as const) {
      const project = await openPublished({ strict: true, service: { quirks } });
      await project.write("second.md", postText("Second", `Another text. ${BODY.split(" ").reverse().join(" ")}`));
      await project.sync();
      await forget(project, what);
      await move(project, "second.md", "second-renamed.md");
      await project.edit("second-renamed.md", "Another", "A different");
      const run = await project.sync();
      expect(statesOf(run)).toContain("second-renamed: blocked resembles");
      expect(createsOf(project)).toBe(2);
      expect((await command(project, "rename", "second", "second-renamed")).code).toBe(0);
      expect(statesOf(await project.sync())).not.toContain("second-renamed: create create");
      expect(createsOf(project)).toBe(2);
    }
  });

  it("is matched to the published one if the lock file was lost and its text is the same", async () => {
    const project = await openPublished();
    await forget(project, "both");
    await move(project, "pricing.md", "our-pricing.md");
    expect(statesOf(await project.sync())).toEqual(["our-pricing: keep renamed"]);
    expect(createsOf(project)).toBe(1);
  });

  it("keeps its address from a new post with its old name", async () => {
    const project = await openPublished();
    await move(project, "pricing.md", "our-pricing.md");
    await project.write("pricing.md", postText("Pricing of something else", "Nothing of the old text is in this one."));
    const run = await project.sync();
    expect(statesOf(run)).toEqual(["our-pricing: keep renamed", "pricing: blocked foreign"]);
    expect(createsOf(project)).toBe(1);
  });
});

describe("a published post of this project without a source file", () => {
  it("is reported even without memory", async () => {
    const project = await openPublished();
    await project.write(
      "paper.md",
      postText("Paper", "A text of its own, about the grain of paper and how to find it."),
    );
    await project.sync();
    await forget(project, "both");
    await project.remove("pricing.md");
    expect(statesOf(await project.sync())).toEqual(["paper: keep unchanged", "pricing: orphan orphan"]);
  });
});

describe("a renamed post at a service that can change posts", () => {
  it("is changed in place if it was also edited, and keeps its address", async () => {
    const project = await openPublished({});
    await move(project, "pricing.md", "our-pricing.md");
    await project.edit("our-pricing.md", "a fifth", "a quarter");
    expect(outcomesOf(await project.sync())).toContain("post our-pricing: update done");
    expect(await readBlog(project, "pricing")).toContain("went up by a quarter");
    expect(statesOf(await project.sync())).toEqual(["our-pricing: keep unchanged"]);
    await project.edit("our-pricing.md", "a quarter", "a half");
    expect(outcomesOf(await project.sync())).toContain("post our-pricing: update done");
    expect(createsOf(project)).toBe(1);
  });

  it("keeps its address if only its slug changed", async () => {
    const project = await openPublished({});
    await project.edit("pricing.md", "title:", "slug: our-prices\ntitle:");
    expect(statesOf(await project.sync())).toEqual(["our-prices: keep renamed"]);
    await project.edit("pricing.md", "a fifth", "a quarter");
    expect(outcomesOf(await project.sync())).toContain("post our-prices: update done");
    expect(createsOf(project)).toBe(1);
  });

  it("is distinguished from another post whose file took its name", async () => {
    const project = await openPublished({});
    const other = postText("Paper", "A text of its own, about the grain of paper and how one finds it by hand.");
    await project.write("paper.md", other);
    await project.sync();
    await mkdir(join(project.root, "aside"));
    await move(project, "paper.md", "../../../aside/paper.md");
    await move(project, "pricing.md", "paper.md");
    await move(project, "../../../aside/paper.md", "pricing.md");
    expect(statesOf(await project.sync()).toSorted()).toEqual(["paper: keep renamed", "pricing: keep renamed"]);
    await project.edit("pricing.md", "by hand", "with water");
    expect(outcomesOf(await project.sync())).toContain("post pricing: update done");
    expect(await readBlog(project, "paper")).toContain("with water");
    expect(await readBlog(project, "pricing")).toContain("went up by a fifth");
    expect(createsOf(project)).toBe(2);
  });

  it("isn't pruned while a file may be its source or can't be read", async () => {
    const project = await openPublished({});
    const options = { ...project.request.options, prune: true };
    await project.remove("pricing.md");
    await project.write("our-pricing.md", "---\ntitle: [Pricing\n---\n\n" + BODY);
    expect(statesOf(await project.sync({ options }))).toEqual(["pricing: orphan orphan"]);
    await project.write("our-pricing.md", postText("Costs", BODY).replace("2026-01-05", "2026-03-09"));
    expect(statesOf(await project.sync({ options }))).toEqual([
      "our-pricing: blocked resembles",
      "pricing: orphan orphan",
    ]);
    expect(await readBlog(project, "pricing")).toContain("went up by a fifth");
  });
});
