import { expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { openAtStranger, openBehindProxy } from "./project.ts";

const POSTS = { posts: { blog: { create: true } }, brandKit: false };
const post = (body: string) => `---\ntitle: About paper\npubDate: 2026-03-05\n---\n\n${body}\n`;
const BEGINNING = "Paper is made of fibers that are pressed and dried";
const AGAIN = { duplicates: "updated", tells: "url" } as const;

/** A project at a host that updates posts that are sent again, with a cache before their pages. */
async function openCached(make: typeof dialectA = dialectA) {
  const dialect = make("cached", { posts: AGAIN, pages: { putBody: "multipart" } });
  const project = await openBehindProxy(dialect, POSTS);
  const { stranger, proxy, run, write } = project;
  Object.assign(stranger.world.addresses, { pages: proxy.url });
  await write("src/content/blog/paper.md", post(`${BEGINNING}. It has no grain.`));
  await run("publish", "--accept");
  await write("src/content/blog/ink.md", post("Ink is no paint.").replace("paper", "ink"));
  expect(await run("posts", "sync", "--probe-upsert", "--yes")).toMatchObject({ code: 0 });
  const [[blog = ""] = []] = [...stranger.world.posts];
  const address = `${proxy.url}/blog/${blog}/paper`;
  const before = await (await fetch(address)).text();
  const show = (html: string) =>
    proxy.meddle(({ path, answer }) =>
      address.endsWith(path)
        ? Promise.resolve(void answer.writeHead(200, { "content-type": "text/html", age: "60" }).end(html))
        : undefined,
    );
  return { ...project, address, before, show };
}

it.each([
  ["other words", dialectA, "Sheets come without it."],
  ["one word less", dialectB, `${BEGINNING}. It has grain.`],
] as const)("`--verify` names an older text that readers still get of a post: %s", async (_, make, body) => {
  const { run, write, address, before, show, proxy } = await openCached(make);
  show(before);
  await write("src/content/blog/paper.md", post(body));
  for (let runs = 0; runs < 2; runs += 1) {
    const { code, said } = await run("publish", "--verify");
    expect({ code, said }).toMatchObject({
      code: 1,
      said: expect.stringContaining("an older text of the post is shown"),
    });
    expect(said).toContain(address);
    expect(said).toContain("clear the host's cache");
    expect(said).not.toContain("waits on the service");
  }
  proxy.meddle(() => undefined);
  expect(await run("publish", "--verify")).toMatchObject({ code: 0 });
});

it("`--verify` says what to do about an older text at a host that removes markers", async () => {
  const { run, write, before, show } = await openCached();
  show(before.replaceAll(/<span hidden[^>]*><\/span>/g, ""));
  await write("src/content/blog/paper.md", post("Sheets come without it."));
  const said = expect.stringMatching(/none of the post's text is shown.*If it shows an older text, run/);
  expect(await run("publish", "--verify")).toMatchObject({ code: 1, said });
});

it("`--verify` doesn't take another post on the page for an older text of this one", async () => {
  const { run, write, stranger, before, show } = await openCached();
  await write("src/content/blog/paper.md", post(`${BEGINNING}. It has a fine grain.`));
  expect(await run("publish", "--verify")).toMatchObject({ code: 0 });
  const [posts = []] = stranger.world.posts.values();
  const shown = posts.find(({ slug }) => slug === "paper")?.html ?? "";
  const other = shown.replace(/:[0-9a-f]{16}:[0-9a-f]{12}/, `:${"0".repeat(16)}:${"0".repeat(12)}`);
  show(`<!doctype html><title>About paper</title><article>${shown.replace("fine", "<i>finest</i>")}</article>${other}`);
  expect(await run("publish", "--verify")).toMatchObject({ code: 0 });
  show(before);
  expect(await run("publish", "--verify")).toMatchObject({ code: 1 });
});

it("`--verify` accepts a text that was changed by hand and acknowledged", async () => {
  const { run, write } = await openAtStranger(dialectA("by hand", { posts: { tells: "url" } }), POSTS);
  await write("src/content/blog/paper.md", post(`${BEGINNING}. It has no grain.`));
  await run("publish", "--accept");
  await write("src/content/blog/paper.md", post(`${BEGINNING}. It has grain.`));
  expect(await run("posts", "ack", "paper")).toMatchObject({ code: 0 });
  expect(await run("publish", "--verify")).toMatchObject({ code: 0 });
});
