import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";
import { REPOSITORY } from "../site/posts/folder.ts";

async function openProject() {
  const root = await temporaryFolder();
  const blog = join(root, "src/content/blog");
  await mkdir(blog, { recursive: true });
  await writeFile(
    join(root, "imprint.config.mjs"),
    "export default { service: { port: 0, pagesPort: 0 }, posts: {} };\n",
  );
  async function run(...argv: readonly string[]) {
    let [out, error] = ["", ""];
    const exitCode = await runCli(argv, {
      ...{ cwd: root, environment: {} },
      out: { write: (text) => void (out += text) },
      error: { write: (text) => void (error += text) },
    });
    return { exitCode, out, error };
  }
  return { root, blog, run };
}

it("posts check tells every problem with its place, for people and for GitHub, and fails", async () => {
  const { blog, run } = await openProject();
  await cp(join(REPOSITORY, "test/fixtures/posts/messy"), blog, { recursive: true });
  const told = await run("posts", "check");
  expect(told.exitCode).toBe(1);
  expect(told.out).toContain('x src/content/blog/impossible-date.md:3:1  "date": "2024-02-30" is no date');
  expect(told.out).toContain("17 problems in 17 files");
  const annotated = await run("posts", "check", "--github");
  expect(annotated.out.split("\n").filter((line) => line.startsWith("::error file="))).toHaveLength(17);
  expect(annotated.out).toContain("::error file=src/content/blog/impossible-date.md,line=3,col=1,title=");
});

it("posts are begun, planned, published, listed, edited and acknowledged by commands", async () => {
  const { blog, run } = await openProject();
  const begun = await run("posts", "new", "On ink: a beginning");
  expect(begun).toMatchObject({ exitCode: 0, out: "src/content/blog/on-ink-a-beginning.md\n" });
  expect((await run("posts", "new", "On ink: a beginning")).exitCode).toBe(2);
  const file = join(blog, "on-ink-a-beginning.md");
  expect((await run("posts", "plan")).out).toContain("posts  1 local · 1 draft");

  await writeFile(file, (await readFile(file, "utf8")).replace("draft: true\n", "") + "Ink is a paint.\n");
  expect((await run("posts", "plan")).out).toContain(
    "+ src/content/blog/on-ink-a-beginning.md  the blog has no such post",
  );
  expect((await run("posts", "sync")).out).toContain("posts  1 local · 1 created");
  expect((await run("posts", "sync")).out).toContain("posts  1 local · 1 unchanged");
  expect((await run("posts", "list")).out).toContain("On ink: a beginning");
  expect((await run("posts", "html", "on-ink-a-beginning")).out).toBe("<p>Ink is a paint.</p>\n");

  await writeFile(file, (await readFile(file, "utf8")).replace("a paint", "no paint"));
  expect((await run("posts", "plan")).out).toContain("~ src/content/blog/on-ink-a-beginning.md");
  expect((await run("posts", "ack", "on-ink-a-beginning")).exitCode).toBe(0);
  expect((await run("posts", "plan")).out).toContain("posts  1 local · 1 unchanged");
  expect((await run("posts", "restore", "on-ink-a-beginning")).exitCode).toBe(2);
});
