import { expect, it } from "vitest";
import { dialectA } from "../../strangers/dialect.ts";
import type { PostRecord } from "../../strangers/host/world.ts";
import { openAtStranger, writesAt } from "./project.ts";

const OPTIONS = { posts: { blog: { create: true } }, brandKit: false };
const TITLE = 'What we learned from printing "one" poster by hand';
const SHORT = `---\ntitle: '${TITLE}'\npubDate: 2026-03-05\n---\n\nIt's "one".\n`;

/** A post as a host shows it that dates slugs, cuts titles, changes quotes, and removes hidden elements. */
function rewritten({ sent, ...post }: PostRecord): PostRecord {
  const { slug, html, publishedAt = "" } = sent;
  const shown = String(html)
    .replace(/<span hidden.*/s, "")
    .replaceAll("'", "’");
  const dated = `${String(publishedAt).slice(0, 10)}-${String(slug)}`;
  const title = post.title.slice(0, 40);
  return { ...post, title, html: shown, sent: { ...sent, title, slug: dated, html: shown } };
}

async function publishShortPost() {
  const project = await openAtStranger(dialectA("A dates posts", { posts: { lists: "as-sent" } }), OPTIONS);
  await project.write("src/content/blog/one.md", SHORT);
  expect(await project.run("publish")).toMatchObject({ code: 0 });
  const { posts } = project.stranger.world;
  const [blog = ""] = posts.keys();
  const change = (work: (post: PostRecord) => PostRecord) => posts.set(blog, (posts.get(blog) ?? []).map(work));
  return { ...project, change, slugs: () => (posts.get(blog) ?? []).map(({ sent }) => sent["slug"]) };
}

it("a short post whose slug, title and text the host changed isn't sent again without both memories", async () => {
  const { run, change, slugs, stranger, loseState, loseLock } = await publishShortPost();
  change(rewritten);
  const before = slugs();
  expect(before).toContain("2026-03-05-one");
  await loseState();
  await loseLock();
  const sent = stranger.world.log.length;
  const held = { code: 1, said: expect.stringContaining('it may be the published post "2026-03-05-one"') };
  expect(await run("publish")).toMatchObject(held);
  expect(writesAt(stranger.world, sent)).toEqual([]);
  expect(slugs()).toEqual(before);
  for (const name of ["one", "ink", "paper"]) {
    const slug = before.find((each) => String(each).endsWith(name));
    expect(await run("posts", "rename", String(slug), name)).toMatchObject({ code: 0 });
  }
  expect(await run("publish")).toMatchObject({ code: 0 });
  expect(slugs()).toEqual(before);
});

it("somebody else's short post of another day with the beginning of its title isn't taken for it", async () => {
  const { run, change, slugs, loseState, loseLock } = await publishShortPost();
  change((post) => {
    if (post.sent["slug"] !== "one") return post;
    const html = "<p>It rained.</p>";
    const title = TITLE.slice(0, 40);
    return { ...post, title, html, sent: { ...post.sent, slug: "rain", title, html, publishedAt: "2025-01-01" } };
  });
  await loseState();
  await loseLock();
  expect(await run("publish")).toMatchObject({ code: 0 });
  expect(slugs()).toEqual(expect.arrayContaining(["rain", "one"]));
});
