import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openPostsProject, postText, outcomesOf, type PostsProject } from "./posts-project.ts";

interface Row {
  readonly name: string;
  readonly make: (project: PostsProject) => Promise<void>;
  readonly place: string;
  readonly message: string;
}

const put =
  (name: string, text: string | Uint8Array) =>
  async ({ root }: PostsProject) =>
    writeFile(join(root, "src/content/blog", name), text);
const BLOG = "src/content/blog";
const bomb = ["---", "title: A", "a: &a [x, x, x, x, x, x, x, x, x]"]
  .concat([..."bcdefgh"].map((key, index) => `${key}: &${key} [${`*${"abcdefg"[index]}, `.repeat(9)}x]`))
  .concat("---\n")
  .join("\n");

const ROWS: readonly Row[] = [
  {
    name: "two posts with the same slug",
    async make(project) {
      await project.write("a.md", postText("A", "A", "slug: same\n"));
      await project.write("b.md", postText("B", "B", "slug: same\n"));
    },
    place: `${BLOG}/a.md:4:1`,
    message: `${BLOG}/a.md and ${BLOG}/b.md have the same slug, "same"`,
  },
  {
    name: "a symbolic link",
    make: ({ root }) => symlink(join(root, BLOG, "good.md"), join(root, BLOG, "link.md")),
    place: `${BLOG}/link.md`,
    message: "symbolic link",
  },
  {
    name: "a folder that links to itself",
    make: ({ root }) => symlink(join(root, BLOG), join(root, BLOG, "loop")),
    place: `${BLOG}/loop`,
    message: "symbolic link",
  },
  {
    name: "a file that isn't UTF-8",
    make: put("latin.md", Buffer.from("---\ntitle: A\n---\nd\xe9j\xe0\n", "latin1")),
    place: `${BLOG}/latin.md:4:2`,
    message: "valid UTF-8",
  },
  {
    name: "a 50 MB file",
    make: put("large.md", Buffer.alloc(50_000_000, "a")),
    place: `${BLOG}/large.md`,
    message: "has 48 MB; at most 5 MB are read",
  },
  { name: "an alias bomb", make: put("bomb.md", bomb), place: `${BLOG}/bomb.md:1:1`, message: "too many" },
  {
    name: "JavaScript front matter",
    make: put("script.md", "---js\n{ title: process.exit(1) }\n---\n"),
    place: `${BLOG}/script.md:1:1`,
    message: "JavaScript front matter is not supported",
  },
  {
    name: "a missing image",
    make: put("lost.md", postText("A", "![](./lost.png)")),
    place: `${BLOG}/lost.md:6:5`,
    message: "does not exist",
  },
  {
    name: "an image outside the folder",
    make: put("outside.md", postText("A", "![](../../../../../../../etc/passwd)")),
    place: `${BLOG}/outside.md:6:5`,
    message: "outside the project",
  },
];

it.each(ROWS)("$name: reported with its place and not sent, while the others are", async ({ make, place, message }) => {
  const project = await openPostsProject();
  await project.write("good.md", postText("Good", "Good."));
  await make(project);
  const run = await project.sync();
  const lines = run.local.problems.map(({ file, line, column, message: text }) => {
    return `${[file, line, column].filter((part) => part !== undefined).join(":")} ${text}`;
  });
  expect(lines[0]?.startsWith(`${place} `)).toBe(true);
  expect(lines[0]).toContain(message);
  expect(outcomesOf(run)).toContain("post good: create done");
  expect(project.writes()).toEqual(["blogs.create", "posts.create"]);
});

it("a link to a draft: the post is sent, and the link is reported with its line", async () => {
  const project = await openPostsProject();
  await project.write("draft.md", postText("Draft", "Draft.", "draft: true\n"));
  await project.write("good.md", postText("Good", "See [that](draft.md)."));
  const run = await project.sync();
  expect(outcomesOf(run)).toContain("post good: create done");
  expect(run.local.warnings).toMatchObject([{ code: "link-to-draft", file: `${BLOG}/good.md`, line: 6 }]);
});

it("a missing folder of posts is an error before any request", async () => {
  const { service, sync } = await openPostsProject({ posts: { folder: "src/posts" } });
  const before = service.requests().length;
  await expect(sync()).rejects.toMatchObject({
    code: "OPTIONS_INVALID",
    message: expect.stringContaining("src/posts"),
  });
  expect(service.requests()).toHaveLength(before);
});
