import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { dialectA, dialectB, type PostsDialect } from "../../strangers/dialect.ts";
import { openAtStranger } from "./project.ts";

const POSTS = { posts: { blog: { create: true } }, brandKit: false };
const post = (title: string, body: string) => `---\ntitle: ${title}\npubDate: 2026-03-05\n---\n\n${body}\n`;

/** A project with two posts at a host, of which one was edited. */
async function openEdited(duplicates: PostsDialect["duplicates"], make: typeof dialectA = dialectA) {
  const dialect = make("A", { posts: { duplicates, tells: "url" }, pages: { putBody: "multipart" } });
  const project = await openAtStranger(dialect, POSTS);
  await project.write("src/content/blog/ink.md", post("On ink", "Ink is a paint."));
  await project.run("publish", "--accept");
  await project.write("src/content/blog/ink.md", post("About ink", "Ink is no paint."));
  return {
    ...project,
    probe: () => project.run("posts", "sync", "--probe-upsert", "--yes"),
    behave: (now: PostsDialect["duplicates"]) => void Object.assign(dialect.posts, { duplicates: now }),
    shown: (slug: string) => [...project.stranger.world.posts.values()].flat().filter((each) => each.slug === slug),
  };
}

describe("sending a post again", () => {
  it.each(["updated", "replaced"] as const)("is how posts are edited at a host where it is %s", async (duplicates) => {
    for (const make of [dialectA, dialectB]) {
      const { run, write, probe, shown } = await openEdited(duplicates, make);
      expect((await probe()).said).toContain("The service updates a post that is sent again");
      await write("src/content/blog/paper.md", post("About paper", "Paper has no grain."));
      expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("1 updated") });
      for (const slug of ["ink", "paper"]) expect(shown(slug)).toMatchObject([{ title: `About ${slug}` }]);
      expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
    }
  });

  it.each([
    ["title updated", "text"],
    ["text updated", "title"],
    ["returned", "title and text"],
  ] as const)("isn't called an update where it is %s", async (duplicates, old) => {
    const { run, probe } = await openEdited(duplicates);
    const probed = await probe();
    expect(probed).toMatchObject({ code: 1, said: expect.stringContaining(`still shows its old ${old}`) });
    expect(await run("publish")).toMatchObject({ code: 1 });
    expect(await run("posts", "ack", "ink")).toMatchObject({ code: 0 });
    expect(await run("publish")).toMatchObject({ code: 0 });
  });

  it.each([
    ["title updated", "text"],
    ["text updated", "title"],
    ["returned", "title and text"],
  ] as const)("is reported in each run once it is only %s", async (duplicates, old) => {
    const { run, write, probe, behave, loseState } = await openEdited("updated");
    await probe();
    behave(duplicates);
    await write("src/content/blog/paper.md", post("About paper", "Paper has no grain."));
    const said = expect.stringContaining(
      `paper.md was sent again: the service accepted it, but still shows its old ${old}`,
    );
    expect(await run("publish")).toMatchObject({ code: 1, said });
    expect(await run("publish")).toMatchObject({ code: 1 });
    await loseState();
    expect(await run("publish")).toMatchObject({ code: 1 });
    expect(await run("posts", "ack", "paper")).toMatchObject({ code: 0 });
    expect(await run("publish")).toMatchObject({ code: 0 });
  });

  it.each([
    ["unpublished", 'the service has it as "draft" now, so readers don\'t see it'],
    ["409", 'The blog has a post "paper" already.'],
  ] as const)("ends with the reason where it is %s", async (duplicates, reason) => {
    const { run, write, probe, behave } = await openEdited("updated");
    await probe();
    behave(duplicates);
    await write("src/content/blog/paper.md", post("About paper", "Paper has no grain."));
    const { code, said } = await run("publish");
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining(reason) });
    expect(said).not.toContain("the result is unknown");
    expect(await run("publish")).toMatchObject({ code: 1 });
  });
});

it.each([
  ["title updated", 2],
  ["text updated", 2],
  ["returned", 6],
] as const)(
  "an edit of which the service shows that it keeps the old version (%s) isn't waited for",
  async (now, most) => {
    const { run, write, probe, behave, stranger } = await openEdited("updated");
    await probe();
    behave(now);
    await write("src/content/blog/paper.md", post("About paper", "Paper has no grain."));
    const before = stranger.world.log.length;
    expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining("still shows its old") });
    const requests = stranger.world.log.slice(before);
    const sent = requests.findIndex(({ method, path }) => method === "POST" && path.endsWith("/posts"));
    const reads = requests.slice(sent).filter(({ method, path }) => method === "GET" && path.endsWith("/posts"));
    expect(reads.length).toBeLessThanOrEqual(most);
  },
);

describe("a probe that finds that posts are updated", () => {
  it("succeeds, and the edits of other posts are sent, too", async () => {
    const { run, write, probe, shown } = await openEdited("updated");
    await write("src/content/blog/paper.md", post("About paper", "Paper has no grain."));
    const { code, said } = await probe();
    expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining("2 updated") });
    expect(said).not.toMatch(/by hand|can't change a post|Edited since/);
    for (const slug of ["ink", "paper"]) expect(shown(slug)).toMatchObject([{ title: `About ${slug}` }]);
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
  });

  it("reports the update as JSON, with new posts of the run", async () => {
    const { run, write } = await openEdited("replaced");
    await write("src/content/blog/pens.md", post("On pens", "A pen holds ink."));
    await write("src/content/blog/paper.md", post("About paper", "Paper has no grain."));
    const { code, said } = await run("posts", "sync", "--probe-upsert", "--yes", "--json");
    expect(code).toBe(0);
    expect(JSON.parse(said)).toMatchObject({
      posts: expect.arrayContaining([
        expect.objectContaining({ slug: "ink", kind: "update", reason: "it was edited since it was posted (2 lines)" }),
        expect.objectContaining({ slug: "paper", kind: "update" }),
      ]),
      probe: { answer: "upserts", name: "ink" },
    });
  });
});

describe("a probe of an edit", () => {
  it("isn't made with a post that somebody also changed there", async () => {
    const { run, probe, shown, stranger } = await openEdited("updated");
    const [[blog = ""] = []] = [...stranger.world.posts];
    const [there] = shown("ink");
    stranger.byHand.editPost(blog, there?.id ?? "", (there?.html ?? "").replace("a paint", "a fine paint"));
    const { code, said } = await probe();
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("and in the service's dashboard") });
    expect(shown("ink")[0]?.html).toContain("a fine paint");
    expect(await run("publish")).toMatchObject({ code: 1 });
  });
});

describe.each(["another updated", "another returned"] as const)("an edit that is written over a post (%s)", (now) => {
  it("fails and names that post in each run, until somebody restored both", async () => {
    const { run, write, probe, behave, shown, loseState } = await openEdited("updated");
    await probe();
    const [ink] = shown("ink");
    behave(now);
    await write("src/content/blog/paper.md", post("About paper", "Paper has no grain."));
    const first = await run("publish");
    expect(first).toMatchObject({ code: 1, said: expect.stringMatching(/wrote it over another post: \S+\/ink \(/) });
    expect(first.said).toContain("`imprint posts html ink`");
    expect(first.said).not.toContain("second post");
    const later = expect.stringContaining("ink: readers get it without its text, which became that of paper");
    expect(await run("publish")).toMatchObject({ code: 1, said: later });
    await loseState();
    expect(await run("publish")).toMatchObject({ code: 1, said: later });
    const [other] = shown("ink");
    Object.assign(other ?? {}, { title: ink?.title, html: ink?.html });
    const [paper] = shown("paper");
    Object.assign(paper ?? {}, { title: "About paper", html: "<p>Paper has no grain.</p>" });
    for (const slug of ["ink", "paper"]) expect(await run("posts", "ack", slug)).toMatchObject({ code: 0 });
    expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("Nothing changed") });
  });

  it("isn't called a copy to delete by a project that lost its memory", async () => {
    const { run, write, probe, behave, shown, loseState, loseLock } = await openEdited("updated");
    await probe();
    const [ink] = shown("ink");
    behave(now);
    await write("src/content/blog/paper.md", post("About paper", "Paper has no grain."));
    await run("publish");
    await loseState();
    await loseLock();
    for (const command of [["publish"], ["posts", "sync"]]) {
      const { code, said } = await run(...command);
      expect({ code, said }).toMatchObject({
        code: 1,
        said: expect.stringContaining("Don't delete the one at the address of ink"),
      });
      expect(said).toContain("readers get it without its text, which became that of paper");
      expect(said).not.toMatch(/[Dd]elete (?:the others|all but one)|another `slug`/);
    }
    Object.assign(shown("ink")[0] ?? {}, { title: ink?.title, html: ink?.html });
    const restored = expect.stringContaining("! paper: it was edited since it was posted");
    expect(await run("publish")).toMatchObject({ code: 1, said: restored });
  });

  it("isn't found to be an update by a probe", async () => {
    const { run, probe } = await openEdited(now);
    const { code, said } = await probe();
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("over another one") });
    expect(said).not.toContain("Delete the second post");
    const later = expect.stringContaining("paper: readers get it without its text, which became that of ink");
    expect(await run("publish")).toMatchObject({ code: 1, said: later });
  });
});

describe("an edit where posts are sent again", () => {
  it("doesn't publish a post that somebody unpublished there", async () => {
    const { run, write, probe, shown } = await openEdited("updated");
    await probe();
    for (const each of shown("paper")) each.isDraft = true;
    await write("src/content/blog/paper.md", post("About paper", "Paper has no grain."));
    const said = expect.stringContaining('the blog has it as "draft", so what was edited here isn\'t sent');
    expect(await run("publish")).toMatchObject({ code: 1, said });
    expect(shown("paper")).toMatchObject([{ isDraft: true }]);
  });

  it("doesn't replace tags that somebody changed there", async () => {
    const dialect = dialectA("A", { posts: { duplicates: "updated", lists: "as-sent" } });
    const { run, write, stranger } = await openAtStranger(dialect, POSTS);
    await run("publish", "--accept");
    await write("src/content/blog/ink.md", post("About ink", "Ink is no paint."));
    await run("posts", "sync", "--probe-upsert", "--yes");
    const posts = [...stranger.world.posts.values()].flat();
    for (const { sent } of posts) Object.assign(sent, { tags: ["press"] });
    await write("src/content/blog/paper.md", post("About paper", "Paper has no grain."));
    const { code, said } = await run("publish");
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("and in the service's dashboard") });
    expect(said).toContain("ink: it was edited on the service since it was posted");
    expect(posts.map(({ sent }) => sent["tags"])).toEqual([["press"], ["press"]]);
  });

  it.each([false, true])(
    "keeps what somebody changed after another checkout's edit (cache lost: %s)",
    async (isLost) => {
      const { root, run, write, probe, shown, stranger, loseState } = await openEdited("updated");
      await probe();
      await run("publish");
      const lock = await readFile(join(root, "imprint.lock.json"), "utf8");
      const paper = post("On paper", "Paper has a grain, and a weight, which printers choose with care.");
      await write("src/content/blog/paper.md", paper);
      expect(await run("publish")).toMatchObject({ code: 0, said: expect.stringContaining("1 updated") });
      await write("imprint.lock.json", lock);
      if (isLost) await loseState();
      const [[blog = ""] = []] = [...stranger.world.posts];
      const [there] = shown("paper");
      stranger.byHand.editPost(blog, there?.id ?? "", (there?.html ?? "").replace("a weight", "a weight in grams"));
      for (let runs = 0; runs < 2; runs += 1) {
        const said = expect.stringContaining("it was edited on the service since it was posted");
        expect(await run("publish")).toMatchObject({ code: 0, said });
      }
      await write("src/content/blog/paper.md", paper.replace("care", "great care"));
      expect(await run("publish")).toMatchObject({
        code: 1,
        said: expect.stringContaining("and in the service's dashboard"),
      });
      expect(shown("paper")[0]?.html).toContain("a weight in grams");
    },
  );
});
