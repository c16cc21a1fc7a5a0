import { describe, expect, it } from "vitest";
import { dialectA, dialectB } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger } from "./project.ts";

const BODY = `<style>.note { color: red }</style><style>@media (width > 40em) { .wide { width: 40em } }</style>
<h1 id="top">Paper</h1><p class="note">Kept <strong>dry</strong>.</p><p class="wide">Wide.</p>
<p><a href="https://mills.example/visit">The mill</a> <a href="mailto:press@mills.example">Write</a></p>
<img src="/photo.png" alt="A sheet"><img src="/photo.png?2" alt="Another sheet">
<form action="https://forms.example/send" method="post"><label for="mail">Mail</label>
<input id="mail" name="mail" required><button>Send</button></form>
<iframe src="https://maps.example/press" title="Map"></iframe>
<p hidden>Not yet</p><video src="/film.mp4" controls></video><table><caption>Sizes</caption><tr><td>A4</td></tr></table>
<script type="module">document.title += "";</script><pre>a\n  b</pre>`;

const PAGE = htmlPage("Paper", BODY).replace(
  "</head>",
  '<meta name="description" content="How we keep paper."></head>',
);

const AWAY = "sends readers away";

const LOSSES: readonly (readonly [string, (html: string) => string, string])[] = [
  [
    "form sends to somebody else",
    (html) => html.replace("https://forms.example/send", "https://host.example/c"),
    "<form action>",
  ],
  ["form loses its action", (html) => html.replace(/ action="[^"]*"/, ""), "<form action>"],
  ["fields are no longer required", (html) => html.replace(/ required(?:="")?/, ""), "required"],
  ["labels lose their fields", (html) => html.replace(/ for="mail"/, ""), "for"],
  ["one image loses its address", (html) => html.replace(/<img src=/, "<img data-src="), "<img src>"],
  ["one text for an image is lost", (html) => html.replace(/ alt="A sheet"/, ""), "alt"],
  ["one of two style elements is lost", (html) => html.replace(/<style>@media[^<]*<\/style>/, ""), "styles (@media"],
  ["classes get a prefix", (html) => html.replaceAll('class="', 'class="user-'), "class"],
  [
    "one link loses its address",
    (html) => html.replace(/ href="https:\/\/mills.example\/visit"/, ' href="#"'),
    "<a href>",
  ],
  ["an address for mail is lost", (html) => html.replace(/ href="mailto:[^"]*"/, ""), "<a href>"],
  ["a frame is shown after a click", (html) => html.replace(/<iframe src=/, "<iframe data-src="), "<iframe src>"],
  ["what is hidden is shown", (html) => html.replace(/<p hidden(?:="")?>/, "<p>"), "hidden"],
  ["a video loses its controls", (html) => html.replace(/ controls(?:="")?/, ""), "controls"],
  ["emphasis is lost", (html) => html.replace(/<strong>dry<\/strong>/, "dry"), "<strong>"],
  [
    "a description is the host's",
    (html) => html.replace("How we keep paper.", "Made with Acme."),
    "<meta> description",
  ],
  ["a module is run as a script", (html) => html.replace(' type="module"', ""), '<script type="module">'],
  [
    "a redirect is added",
    (html) => html.replace("</head>", '<meta http-equiv="refresh" content="5;url=https://host.example/"></head>'),
    AWAY,
  ],
];

const HARMLESS: readonly (readonly [string, (html: string) => string])[] = [
  ["a banner", (html) => html.replace("<body>", '<body><div class="ad"><a href="https://host.example">Acme</a></div>')],
  ["statistics", (html) => html.replace("</head>", '<script async src="https://host.example/s.js"></script></head>')],
  ["comments removed", (html) => html.replaceAll(/<!--[\s\S]*?-->/g, "")],
  ["shorter styles", (html) => html.replace(/\.note \{ color: red \}/, ".note{color:red}")],
  [
    "counted clicks",
    (html) =>
      html.replace("https://mills.example/visit", "https://host.example/out?to=https%3A%2F%2Fmills.example%2Fvisit"),
  ],
];

const HOSTS = [dialectA("A"), dialectB("B", { pages: { putBody: "multipart" } })];

describe.each(HOSTS)("at $name, what readers don't get of a page", (dialect) => {
  it.each(dialect.routeSet === "a" ? LOSSES : LOSSES.slice(0, 3))(
    "is found when it is published, and by `--verify` later: %s",
    async (_name, change, says) => {
      const { stranger, run, write } = await openAtStranger(dialect, { posts: false, brandKit: false });
      await write("dist/about/index.html", PAGE);
      await write("dist/film.mp4", "film");
      expect(await run("publish")).toMatchObject({ code: 0 });
      expect(await run("publish", "--verify")).toMatchObject({ code: 0 });
      stranger.byHand.deliver(change);
      const told = { code: 1, said: expect.stringContaining(says) };
      expect(await run("publish", "--verify")).toMatchObject(told);
      await write("dist/about/index.html", PAGE.replace("Wide.", "Wider."));
      expect(await run("publish")).toMatchObject(told);
      if (says === AWAY) return;
      expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
      expect(await run("publish", "--verify")).toMatchObject({ code: 0 });
    },
  );

  it.each(HARMLESS)("isn't reported for %s", async (_name, change) => {
    const { stranger, run, write } = await openAtStranger(dialect, { posts: false, brandKit: false });
    stranger.byHand.deliver(change);
    await write("dist/about/index.html", PAGE);
    await write("dist/film.mp4", "film");
    for (const argv of [[], ["--verify"]]) expect(await run("publish", ...argv)).toMatchObject({ code: 0 });
  });
});

it("accepting what a host removes doesn't cover what it removes later", async () => {
  const { stranger, run, write } = await openAtStranger(dialectA("A"), { posts: false, brandKit: false });
  await write("dist/about/index.html", PAGE);
  await write("dist/film.mp4", "film");
  const change = (html: string) => html.replaceAll(/ alt="[^"]*"/g, "");
  stranger.byHand.deliver(change);
  expect(await run("publish", "--accept")).toMatchObject({
    code: 0,
    said: expect.stringContaining("removes alt from"),
  });
  expect(await run("publish", "--verify")).toMatchObject({ code: 0 });
  stranger.byHand.deliver((html) => change(html).replace(' method="post"', ""));
  const told = { code: 1, said: expect.stringMatching(/removes (?:alt, method|method, alt) from/) };
  expect(await run("publish", "--verify")).toMatchObject(told);
  await write("dist/about/index.html", PAGE.replace("Wide.", "Wider."));
  expect(await run("publish")).toMatchObject(told);
});

it.each([
  dialectA("A", { posts: { tells: "url" } }),
  dialectB("B", { posts: { tells: "url" }, pages: { putBody: "multipart" } }),
])("a post that $name shows with another title fails its publish, and `--verify` later", async (dialect) => {
  const options = { posts: { blog: { create: true } }, brandKit: false };
  const change = (html: string) => html.replace(/<title>About ink<\/title>/, "<title>Acme</title><h1>Our post</h1>");
  const told = { code: 1, said: expect.stringContaining('"Our post"') };
  const { stranger, run, write } = await openAtStranger(dialect, options);
  await write("src/content/blog/ink.md", "---\ntitle: About ink\npubDate: 2026-03-05\n---\n\nIt dries in an hour.\n");
  expect(await run("publish")).toMatchObject({ code: 0 });
  stranger.byHand.deliver(change);
  expect(await run("publish", "--verify")).toMatchObject(told);
  const other = await openAtStranger(dialect, options);
  await other.write("src/content/blog/ink.md", "---\ntitle: About ink\npubDate: 2026-03-05\n---\n\nIt dries.\n");
  other.stranger.byHand.deliver(change);
  expect(await other.run("publish")).toMatchObject(told);
});
