import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { shareDraft } from "../../src/cli/posts/send-one-post.ts";
import { openPostsProject, postText, outcomesOf, type PostsProject } from "./posts-project.ts";

const DRAFT = "draft: true\n";

async function openDraft(fields = DRAFT, year = 2026) {
  const project = await openPostsProject();
  await project.write("ink.md", postText("Ink", "Ink is a paint."));
  await project.sync();
  const text = postText("Paper", "Paper is **cloth**.", fields);
  await project.write("paper.md", text.replace("2026-", `${year}-`));
  return project;
}

/** What readers see of the blog: the slugs in its list, and the status of the post's page. */
async function readersSee({ service }: PostsProject) {
  const list = await (await fetch(`${service.pagesUrl}/blog/blog`)).text();
  const { status } = await fetch(`${service.pagesUrl}/blog/blog/paper`);
  return { listed: Array.from(list.matchAll(/<h2><a href="[^"]*\/([\w-]+)"/g), ([, slug]) => slug), status };
}

const HIDDEN = { listed: ["ink"], status: 404 };

async function listPosts({ service, request }: PostsProject): Promise<readonly { slug: string; status: string }[]> {
  const { baseUrl = "" } = request.target;
  const headers = { Authorization: `Bearer ${service.apiKey}` };
  const response = await fetch(`${baseUrl}/api/blogs/blog/posts`, { headers });
  const { data }: { data: { slug: string; status: string }[] } = JSON.parse(await response.text());
  return data.map(({ slug, status }) => ({ slug, status }));
}

describe.each([
  ["a draft", [DRAFT, 2026], ["draft: true", ""]],
  ["a scheduled post", ["", 2099], ["pubDate: 2099-01-05", "pubDate: 2026-01-05"]],
] as const)("%s", (_, [fields, year], [before, after]) => {
  it("has a preview link, is hidden from readers, and is published once when it is due", async () => {
    const project = await openDraft(fields, year);
    const { url } = await shareDraft(project.request, { slug: "paper" });
    expect(await (await fetch(url)).text()).toContain("<strong>cloth</strong>");
    expect(await readersSee(project)).toEqual(HIDDEN);
    expect(outcomesOf(await project.sync()).filter((line) => line.includes("paper"))).toEqual([]);
    expect(await readersSee(project)).toEqual(HIDDEN);
    await project.edit("paper.md", before, after);
    await project.sync();
    expect((await readersSee(project)).status).toBe(200);
    expect(await listPosts(project)).toHaveLength(2);
    expect((await fetch(url)).url).toBe(`${project.service.pagesUrl}/blog/blog/paper`);
    expect(outcomesOf(await project.sync()).filter((line) => line.includes("paper"))).toEqual([
      "post paper: keep done",
    ]);
  });

  it("is published once even if the project has lost its state", async () => {
    const project = await openDraft(fields, year);
    await shareDraft(project.request, { slug: "paper" });
    await rm(join(project.root, ".imprint"), { recursive: true });
    await rm(join(project.root, "imprint.lock.json"));
    await project.sync();
    expect(await readersSee(project)).toEqual(HIDDEN);
    await project.edit("paper.md", before, after);
    await project.sync();
    expect((await readersSee(project)).status).toBe(200);
    expect(await listPosts(project)).toHaveLength(2);
  });
});

it("an edited draft is shown by its earlier links once another one is created", async () => {
  const project = await openDraft();
  const first = await shareDraft(project.request, { slug: "paper" });
  await project.edit("paper.md", "cloth", "pulp");
  const second = await shareDraft(project.request, { slug: "paper", expiresInDays: 1 });
  for (const { url } of [first, second]) expect(await (await fetch(url)).text()).toContain("<strong>pulp</strong>");
  expect(second.expiresAt < first.expiresAt).toBe(true);
  expect(await readersSee(project)).toEqual(HIDDEN);
  expect(await listPosts(project)).toHaveLength(2);
});

it("a shared draft isn't duplicated if its file is renamed before publication", async () => {
  const project = await openDraft();
  await shareDraft(project.request, { slug: "paper" });
  const text = await project.read("paper.md");
  await project.remove("paper.md");
  await project.write("on-paper.md", text.replace(DRAFT, ""));
  await project.sync();
  expect((await listPosts(project)).map(({ slug }) => slug).toSorted()).toEqual(["ink", "paper"]);
});

it("a published post whose file became a draft stays unchanged", async () => {
  const project = await openDraft("");
  await project.sync();
  await project.edit("paper.md", "title: Paper", "title: Paper\ndraft: true");
  await expect(shareDraft(project.request, { slug: "paper" })).rejects.toMatchObject({ code: "USAGE" });
  expect((await readersSee(project)).status).toBe(200);
});

it.each([
  ["ready to be published", "", "paper"],
  ["not there", DRAFT, "string"],
])("a post that is %s gets no preview link, and nothing is sent", async (_, fields, slug) => {
  const project = await openDraft(fields);
  const since = new Date();
  await expect(shareDraft(project.request, { slug })).rejects.toMatchObject({ code: "USAGE" });
  expect(project.writes(since)).toEqual([]);
});

it("a service without preview links receives no draft", async () => {
  const project = await openPostsProject({ strict: true });
  await project.write("ink.md", postText("Ink", "Ink is a paint."));
  await project.sync();
  await project.write("paper.md", postText("Paper", "Paper is cloth.", DRAFT));
  const since = new Date();
  await expect(shareDraft(project.request, { slug: "paper" })).rejects.toMatchObject({ code: "NOT_SUPPORTED" });
  expect(project.writes(since)).toEqual([]);
});
