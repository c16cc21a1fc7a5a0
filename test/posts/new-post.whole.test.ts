import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeNewPost } from "../../src/posts/write/new-post.ts";
import { readPosts } from "../../src/posts/local/read-posts.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";
import { sampleOf } from "../whole.ts";
import { createAstroProject } from "./astro-project.ts";
import { FIELD_SETTINGS } from "./folder.ts";

const DATE = new Date("2026-11-21T10:00:00Z");

async function openFolder(files: Readonly<Record<string, string>>) {
  const root = await temporaryFolder();
  const folder = join(root, "src/content/blog");
  await mkdir(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const begin = (title: string) => writeNewPost({ root, folder: "src/content/blog", title, date: DATE });
  return { root, begin };
}

async function openAstroProject(schema: string) {
  const root = await createAstroProject(schema);
  const begin = (title: string) => writeNewPost({ root, folder: "src/content/blog", title, date: DATE });
  return { root, begin };
}

describe("a new post in an Astro project", () => {
  it("has the front matter that the collection's schema requires, as described by Astro itself", async () => {
    const { begin } = await openAstroProject(`({ image }) => z.object({
      title: z.string(),
      description: z.string().max(180),
      pubDate: z.coerce.date(),
      updatedDate: z.coerce.date().optional(),
      cover: image(),
      kind: z.enum(["note", "essay"]),
      tags: z.array(z.string()).min(1),
      draft: z.boolean().default(false),
    })`);
    const { file, open, hiddenBy } = await begin("On ink: a beginning");
    expect(await readFile(file, "utf8")).toBe(`---
title: 'On ink: a beginning'
description: "" # at most 180 characters
pubDate: 2026-11-21
# updatedDate: 2026-11-21
cover: ""
kind: note # one of: note, essay
tags: # at least 1
  - ''
draft: true
---

`);
    expect({ open, hiddenBy }).toEqual({ open: ["description", "cover", "tags"], hiddenBy: "draft" });
  });

  const schemas = sampleOf(["object", "strictObject"], (kind) => kind === "object");

  it.each(schemas)("is hidden by its name if the schema has no draft field: %s", async (kind) => {
    const { begin } = await openAstroProject(`z.${kind}({ title: z.string() })`);
    const { file, hiddenBy } = await begin("On ink");
    expect(file).toMatch(/\/_on-ink\.md$/);
    expect(hiddenBy).toBe("name");
    expect(await readFile(file, "utf8")).toBe("---\ntitle: On ink\n---\n\n");
  });

  it("is a draft if the schema passes unknown keys through", async () => {
    const { begin } = await openAstroProject(`z.looseObject({ title: z.string() })`);
    const { file, hiddenBy } = await begin("On ink");
    expect(hiddenBy).toBe("draft");
    expect(await readFile(file, "utf8")).toBe("---\ntitle: On ink\ndraft: true\n---\n\n");
  });
});

describe("a new post in a plain folder", () => {
  it("has the same front matter as existing posts, and the date in its name if theirs have it", async () => {
    const { begin } = await openFolder({
      "2026-01-01-one.md": `---\nlayout: post\ntitle: One\ndate: 2026-01-01\ncategories: [a]\n---\n`,
      "2026-02-01-two.md": `---\nlayout: post\ntitle: Two\ndate: 2026-02-01\ncategories: []\n---\n`,
    });
    const { file } = await begin("Three");
    expect(file).toMatch(/\/2026-11-21-three\.md$/);
    expect(await readFile(file, "utf8")).toBe(
      `---\nlayout: post\ntitle: Three\ndate: 2026-11-21\ncategories: []\ndraft: true\n---\n\n`,
    );
  });

  it("is a draft with title, description, and date if it is the first post, and is read as one", async () => {
    const { root, begin } = await openFolder({});
    const { file } = await begin("12:30");
    expect(await readFile(file, "utf8")).toBe(
      `---\ntitle: '12:30'\ndescription: ""\npubDate: 2026-11-21\ndraft: true\n---\n\n`,
    );
    const render = async () => ({ html: "" });
    const settings = { root, folder: "src/content/blog", now: DATE, render, resolveLink: () => undefined };
    const { posts, held, problems } = await readPosts({ ...FIELD_SETTINGS, ...settings });
    expect({ posts, problems, held }).toMatchObject({
      posts: [],
      problems: [],
      held: [{ title: "12:30", reason: "draft" }],
    });
  });
});
