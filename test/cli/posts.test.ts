import { cp, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { expect, it, onTestFinished } from "vitest";
import { runCli } from "../../src/cli/run-cli.ts";
import { startService } from "../../src/service.ts";
import { acquireRunLock } from "../../src/memory/process-lock.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";
import { REPOSITORY } from "../posts/folder.ts";

async function openProject() {
  const root = await temporaryFolder();
  const blog = join(root, "src/content/blog");
  await mkdir(blog, { recursive: true });
  await writeFile(
    join(root, "imprint.config.mjs"),
    "export default { service: { port: 0, pagesPort: 0 }, posts: {} };\n",
  );
  const environment: NodeJS.ProcessEnv = { NO_COLOR: "1" };
  async function run(...argv: readonly string[]) {
    let [out, error] = ["", ""];
    const exitCode = await runCli(argv, {
      ...{ cwd: root, environment },
      out: { isTTY: true, columns: 80, write: (text) => void (out += text) },
      error: { write: (text) => void (error += text) },
    });
    return { exitCode, out, error };
  }
  return { root, blog, run, environment };
}

it("posts check reports every problem with its place, as text and for GitHub, and fails", async () => {
  const { blog, run } = await openProject();
  await cp(join(REPOSITORY, "test/fixtures/posts/messy"), blog, { recursive: true });
  const check = await run("posts", "check");
  expect(check.exitCode).toBe(1);
  expect(check.out).toContain('x src/content/blog/impossible-date.md:3:1  "date": "2024-02-30" is not a');
  expect(check.out).toContain("17 problems in 17 files");
  const annotated = await run("posts", "check", "--github");
  expect(annotated.out.split("\n").filter((line) => line.startsWith("::error file="))).toHaveLength(17);
  expect(annotated.out).toContain("::error file=src/content/blog/impossible-date.md,line=3,col=1,title=");
});

it("posts can be created, planned, published, listed, and edited with commands", async () => {
  const { blog, run } = await openProject();
  const begun = await run("posts", "new", "On ink: a beginning");
  expect(begun).toMatchObject({ exitCode: 0, out: "src/content/blog/on-ink-a-beginning.md\n" });
  expect((await run("posts", "new", "On ink: a beginning")).exitCode).toBe(2);
  const file = join(blog, "on-ink-a-beginning.md");
  expect((await run("posts", "plan")).out).toContain("posts  1 local · 1 draft");

  await writeFile(file, (await readFile(file, "utf8")).replace("draft: true\n", "") + "Ink is a paint.\n");
  expect((await run("posts", "plan")).out).toContain("+ src/content/blog/on-ink-a-beginning.md\n");
  expect((await run("posts", "sync")).out).toContain("posts  1 local · 1 created");
  expect((await run("posts", "sync")).out).toContain("posts  1 local · 1 unchanged");
  expect((await run("posts", "list")).out).toContain("On ink: a beginning");
  expect((await run("posts", "html", "on-ink-a-beginning")).out).toBe("<p>Ink is a paint.</p>\n");

  await writeFile(file, (await readFile(file, "utf8")).replace("a paint", "no paint"));
  expect((await run("posts", "plan")).out).toContain("~ src/content/blog/on-ink-a-beginning.md");
  const refused = await run("posts", "ack", "on-ink-a-beginning");
  expect(refused).toMatchObject({ exitCode: 2, error: expect.stringContaining("This service accepts edits") });
  expect((await run("posts", "sync")).out).toContain("posts  1 local · 1 updated");
  expect((await run("posts", "ack", "on-ink-a-beginning")).out).toContain("is already up to date");
  expect((await run("posts", "restore", "on-ink-a-beginning")).exitCode).toBe(2);
  const unknown = await run("posts", "new-post", "on-link");
  expect(unknown).toMatchObject({
    exitCode: 2,
    error: expect.stringContaining("`imprint posts plan` lists the posts"),
  });
});

it("posts plan lists actions with their commands, in 80 columns, as JSON, and as annotations; blocked posts make it fail", async () => {
  const service = await startService({ ephemeral: true, port: 0, pagesPort: 0, strict: true });
  onTestFinished(() => service.close());
  const { blog, run, environment } = await openProject();
  environment["IMPRINT_API_KEY"] = service.apiKey;
  const target = ["--service", service.baseUrl("a")];
  await writeFile(join(blog, "ink.md"), "---\ntitle: Ink\n---\n\nOne.\n\nTwo.\n");
  expect((await run("posts", "sync", ...target)).exitCode).toBe(0);
  await writeFile(join(blog, "ink.md"), "---\ntitle: On ink\n---\n\nOne.\n\n2.\n\nThree.\n");
  await writeFile(join(blog, "later.md"), "---\ntitle: Later\npubDate: 2099-01-01\n---\n");
  await writeFile(join(blog, "draft.md"), "---\ntitle: Draft\ndraft: true\n---\n");
  await writeFile(join(blog, "broken.md"), "---\ntitle: Broken\npubDate: 2026-02-30\n---\n");

  const plan = await run("posts", "plan", ...target);
  expect(plan.exitCode).toBe(1);
  for (const line of [
    "posts  4 local · 1 edited · 1 scheduled (2099-01-01) · 1 draft · 1 to fix",
    "  x src/content/blog/broken.md:3:1",
    "  ! src/content/blog/ink.md",
    "    copy   imprint posts html ink",
    "    done?  imprint posts ack ink",
    "  . src/content/blog/draft.md",
  ]) {
    expect(plan.out.split("\n")).toContain(line);
  }
  expect(plan.out.replaceAll(/\s+/g, " ")).toContain(
    "it was edited since it was posted (3 lines), and this service can't change a post",
  );
  expect(plan.out).toMatch(/> src\/content\/blog\/later\.md {2}2099-01-01 00:00 UTC, in \d+ days/);
  expect(plan.out.split("\n").filter((line) => line.length > 80)).toEqual([]);

  const json: unknown = JSON.parse((await run("posts", "plan", "--json", ...target)).out);
  expect(json).toMatchObject({
    version: 1,
    posts: [{ slug: "ink", kind: "blocked", state: "edited", edit: { lines: 3, images: 0 } }],
    problems: [{ file: "src/content/blog/broken.md", line: 3, column: 1 }],
    pages: [],
    outcomes: [],
  });
  environment["GITHUB_ACTIONS"] = "true";
  const { error } = await run("posts", "plan", "--json", ...target);
  expect(error).toContain("::warning file=src/content/blog/ink.md,title=Post not synced::");
  expect(error).toContain("::error file=src/content/blog/broken.md,line=3,col=1,");

  await rm(join(blog, "broken.md"));
  for (const command of ["plan", "sync"]) expect((await run("posts", command, ...target)).exitCode).toBe(1);
  const reposted = await run("posts", "repost", "ink", "--yes", "--json", ...target);
  expect(JSON.parse(reposted.out)).toMatchObject({
    version: 1,
    slug: "ink",
    place: expect.stringMatching(/\/ink-2$/),
    left: [expect.stringContaining("/ink (")],
  });
});

it("posts on hold are listed with their place, fail only a strict run, and aren't unpublished", async () => {
  const { blog, run, environment } = await openProject();
  await mkdir(join(blog, "_old"));
  await writeFile(join(blog, "_old/a.md"), "# A\n");
  await writeFile(join(blog, "ink.md"), "---\ntitle: Ink\n---\n\nOne.\n");
  expect((await run("posts", "sync", "--strict")).exitCode).toBe(0);
  await writeFile(join(blog, "ink.md"), "---\ntitle: Ink\nreadyToPublish: no\n---\n\nOne.\n");
  await writeFile(join(blog, "new.md"), "---\ntitle: New\nstatus: budding\n---\n\nNew.\n");

  const check = await run("posts", "check");
  expect(check.exitCode).toBe(0);
  expect(check.out).toContain('! src/content/blog/new.md:3:1  "status" is "budding", and imprint');
  expect(check.out).toContain("0 problems in 0 files, 2 warnings, 0 posts ready, 2 on hold");
  expect(check.out).toContain("1 private file (leading underscore) was skipped: src/content/blog/_old/a.md");
  expect((await run("posts", "check", "--strict")).exitCode).toBe(1);
  expect(JSON.parse((await run("posts", "check", "--json")).out)).toMatchObject({
    findings: [{ level: "warning", file: "src/content/blog/ink.md", line: 3 }, { line: 3 }],
    privateFiles: ["src/content/blog/_old/a.md"],
  });

  environment["GITHUB_ACTIONS"] = "true";
  const plan = await run("posts", "plan");
  expect(plan.exitCode).toBe(0);
  expect(plan.out).toContain("posts  2 local · 1 to unpublish by hand · 2 on hold · 1 private");
  expect(plan.out).toContain("\nOn hold (2)\n");
  expect(plan.out).toContain("  ! src/content/blog/new.md:3:1\n");
  expect(plan.error).toContain("::warning file=src/content/blog/new.md,line=3,col=1,title=Post on hold::");

  expect(await run("posts", "sync")).toMatchObject({ exitCode: 0 });
  expect(await run("posts", "plan", "--strict")).toMatchObject({ exitCode: 1 });
  expect(await run("posts", "sync", "--strict")).toMatchObject({ exitCode: 1 });
  expect((await run("posts", "list")).out).toContain("Ink");
});

it("posts ack and restore don't wait for a running publish, and don't change anything during it", async () => {
  const { root, blog, run } = await openProject();
  await writeFile(join(blog, "ink.md"), "---\ntitle: Ink\n---\n\nOne.\n");
  await run("posts", "sync");
  const lock = acquireRunLock(root);
  for (const command of ["ack", "restore"]) {
    const { exitCode, error } = await run("posts", command, "ink");
    expect({ exitCode, isLocked: error.includes("RUN_LOCKED") }).toEqual({ exitCode: 1, isLocked: true });
  }
  lock.release();
});

it("posts html links to posts at their addresses in the blog, and reports links that are left out", async () => {
  const { blog, run } = await openProject();
  await writeFile(join(blog, "ink.md"), "---\ntitle: Ink\n---\n\nInk.\n");
  await run("posts", "sync");
  await writeFile(join(blog, "new.md"), "---\ntitle: New\n---\n\nNew.\n");
  await writeFile(join(blog, "paper.md"), "---\ntitle: Paper\n---\n\nSee [ink](ink.md) and [new](new.md).\n");
  const { out, error } = await run("posts", "html", "paper");
  expect(out).toMatch(/^<p>See <a href="http:\/\/127\.0\.0\.1:\d+\/blog\/blog\/ink">ink<\/a> and new\.<\/p>\n$/);
  expect(error).toContain("! The link to new was left out");
});

it("posts html has the library's addresses of pictures, and reports only unpublished ones", async () => {
  const { blog, run } = await openProject();
  const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: "teal" } });
  await writeFile(join(blog, "ink.png"), await picture.png().toBuffer());
  await writeFile(join(blog, "ink.md"), "---\ntitle: Ink\n---\n\n![Ink](ink.png)\n");
  expect((await run("posts", "html", "ink")).error).toMatch(
    /^! ink\.png wasn't published from this folder\..* imprint-asset:\w{64}\.\n$/,
  );
  await run("posts", "sync");
  const { out, error } = await run("posts", "html", "ink");
  expect(out).toMatch(/^<p><img src="http:\/\/127\.0\.0\.1:\d+\/library\/[^"]+"/);
  expect(error).toBe("");
});

it("posts check, plan, and sync leave MDX to the build and exit with 0; --strict counts it", async () => {
  const { blog, run } = await openProject();
  const mdx = `import Note from "../../components/Note.astro";\n\n<Note>Ink is a paint.</Note>\n`;
  await writeFile(join(blog, "ink.mdx"), `---\ntitle: Ink\n---\n\n${mdx}`);
  await writeFile(join(blog, "paper.md"), "---\ntitle: Paper\n---\n\nOn paper.\n");
  const check = await run("posts", "check");
  expect(check).toMatchObject({ exitCode: 0 });
  expect(check.out.replaceAll(/\s+/g, " ")).toContain(
    ". src/content/blog/ink.mdx rendered by `astro build`; not checked by this command",
  );
  const plan = await run("posts", "plan");
  expect(plan.exitCode).toBe(0);
  expect(plan.out).toContain("posts  2 local · 1 to create · 1 waiting for a build");
  expect(plan.out.replaceAll(/\s+/g, " ")).toContain(
    ". src/content/blog/ink.mdx rendered by `astro build`; not synced by this command",
  );
  expect((await run("posts", "sync")).exitCode).toBe(0);
  expect(await run("posts", "sync", "--strict")).toMatchObject({ exitCode: 1, error: "" });
});

it("posts repost and a probe explain that they need a confirmation, and how to give it", async () => {
  const { run } = await openProject();
  const refused = await run("posts", "repost", "ink");
  expect(refused.exitCode).toBe(2);
  expect(refused.error.replaceAll(/\s+/g, " ")).toMatch(
    /^Invalid usage\. USAGE Confirmation required: Publish "ink" again\?.* Add --yes to confirm\. $/,
  );
  expect((await run("posts", "sync", "--probe-upsert")).error).toContain("Confirmation required: Send one edited post");
});

it("posts preview prints a link to a draft, which the next sync publishes", async () => {
  const service = await startService({ ephemeral: true, port: 0, pagesPort: 0 });
  onTestFinished(() => service.close());
  const { blog, run: runAnywhere, environment } = await openProject();
  const run = (...argv: readonly string[]) => runAnywhere(...argv, "--service", service.baseUrl("a"));
  environment["IMPRINT_API_KEY"] = service.apiKey;
  await writeFile(join(blog, "ink.md"), "---\ntitle: Ink\n---\n\nInk.\n");
  await writeFile(join(blog, "paper.md"), "---\ntitle: Paper\ndraft: true\n---\n\nPaper.\n");
  expect(await run("posts", "preview", "paper")).toMatchObject({
    exitCode: 2,
    error: expect.stringContaining("the blog doesn't exist yet"),
  });
  await run("posts", "sync");
  expect((await run("posts", "preview", "paper", "--days", "31")).exitCode).toBe(2);
  const { exitCode, out } = await run("posts", "preview", "paper", "--days", "2");
  const [url = "", expiry] = out.split("\n");
  expect([exitCode, expiry]).toEqual([0, expect.stringMatching(/^Expires \d{4}-\d\d-\d\dT.*Z\.$/)]);
  expect(await (await fetch(url)).text()).toContain("<p>Paper.</p>");
  await writeFile(join(blog, "paper.md"), "---\ntitle: Paper\n---\n\nPaper.\n");
  expect((await run("posts", "sync")).out).toContain("posts  2 local · 1 updated · 1 unchanged");
  expect((await fetch(`${service.pagesUrl}/blog/blog/paper`)).status).toBe(200);
});
