import { expect, it } from "vitest";
import { dialectA, dialectB, type PostsDialect } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, openBehindProxy } from "./project.ts";

const POSTS = { posts: { blog: { create: true } }, brandKit: false };
const BODY = "<h1>About</h1><p>We print books by hand and mix our own inks, slowly.</p>";
const INK = "src/content/blog/ink.md";
const ink = (title: string) => `---\ntitle: ${title}\npubDate: 2026-03-05\n---\n\nThese are notes on ink and paint.\n`;

async function openRetitled(make: typeof dialectA, posts: Partial<PostsDialect> = {}) {
  const dialect = make("A", { posts: { tells: "url", ...posts }, pages: { putBody: "multipart" } });
  const project = await openAtStranger(dialect, POSTS);
  await project.write(INK, ink("On ink"));
  expect(await project.run("publish", "--accept", "--verify")).toMatchObject({ code: 0 });
  const retitle = (title: string) => {
    const post = [...project.stranger.world.posts.values()].flat().find(({ slug }) => slug === "ink");
    Object.assign(post ?? {}, { title });
  };
  return { ...project, retitle };
}

it.each([
  ["lists texts", dialectA, {}],
  ["lists no texts", dialectA, { lists: "no-text" }],
  ["lists texts", dialectB, {}],
] as const)("`--verify` names a post whose title was changed at a host that %s", async (_, make, posts) => {
  const { run, write, retitle } = await openRetitled(make, posts);
  retitle("Our news");
  const { code, said } = await run("publish", "--verify");
  expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining('its title is shown as "Our news"') });
  expect(said).toContain("/ink");
  await write(INK, ink("Our news"));
  expect(await run("posts", "ack", "ink")).toMatchObject({ code: 0 });
  expect(await run("publish", "--verify")).toMatchObject({ code: 0 });
  retitle("Our news | Acme");
  expect(await run("publish", "--verify")).toMatchObject({ code: 0 });
});

it.each([
  ["Our workshop", 1],
  ["Halden Press", 1],
  ["Acme | Who we are &amp; how we work", 0],
  ["Who we are &amp; how w…", 0],
  ["WHO WE ARE AND HOW WE WORK", 0],
])("`--verify` judges a page whose title is shown as %s", async (title, code) => {
  const { run, write, proxy } = await openBehindProxy(dialectA("A"), { posts: false, brandKit: false });
  await write("dist/about/index.html", htmlPage("Who we are &amp; how we work", BODY));
  expect(await run("publish", "--verify")).toMatchObject({ code: 0 });
  const html = await (await fetch(`${proxy.url}/p/about`)).text();
  const shown = html.replace(/<title>.*?<\/title>/s, `<title>${title}</title>`);
  proxy.meddle(({ path, answer }) =>
    path.startsWith("/p/about")
      ? Promise.resolve(void answer.writeHead(200, { "content-type": "text/html" }).end(shown))
      : undefined,
  );
  const found = code === 1 ? `its title is shown as "${title}"` : "all live";
  expect(await run("publish", "--verify")).toMatchObject({ code, said: expect.stringContaining(found) });
});

it("`--verify` accepts a host's own titles of pages once somebody accepted them", async () => {
  const dialect = dialectA("own titles", { pages: { keeps: "own-title" } });
  const { run, write } = await openAtStranger(dialect, { posts: false, brandKit: false });
  await write("dist/about/index.html", htmlPage("About", BODY));
  expect(await run("publish", "--accept")).toMatchObject({ said: expect.stringContaining("without their titles") });
  expect(await run("publish", "--verify")).toMatchObject({ code: 0 });
});
