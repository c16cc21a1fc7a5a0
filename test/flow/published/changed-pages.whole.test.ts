import { expect, it } from "vitest";
import { dialectA, dialectB, type RewritingStore } from "../../strangers/dialect.ts";
import { htmlPage } from "../temporary-site.ts";
import { openAtStranger, writesAt } from "./project.ts";

const OPTIONS = { posts: false, brandKit: false };
const HOSTS = { A: dialectA, B: dialectB };
const LONG = Array.from({ length: 16_000 }, (_, index) => `word${index}`).join(" ");
const REDIRECT = `<!doctype html><title>Redirecting to: /about/</title><meta http-equiv="refresh" content="0;url=/about/"><link rel="canonical" href="/about/"><body><a href="/about/">Redirecting</a></body>`;

const STORES: readonly { readonly keeps: RewritingStore; readonly body: string; readonly says: string }[] = [
  { keeps: "64-KiB", body: `<h1>About</h1><p>${LONG}</p>`, says: "the service cuts about off: readers see" },
  { keeps: "no-ids", body: '<h2 id="team">Team</h2>', says: "without IDs, which links point to: " },
  { keeps: "no-classes", body: "<h1>About</h1>", says: "without classes, which style sheets select: " },
  { keeps: "no-refresh", body: "<h1>About</h1>", says: 'without redirects (<meta http-equiv="refresh">): ' },
  {
    keeps: "no-tables",
    body: "<table><tbody><tr><td>Mon</td><td>9-5</td></tr></tbody></table>",
    says: "without tables: ",
  },
  {
    keeps: "no-media",
    body: '<video src="https://x.example/v.mp4" controls></video>',
    says: "without video and audio: ",
  },
  { keeps: "no-buttons", body: '<button type="button">Push</button>', says: "without buttons: " },
  { keeps: "no-details", body: "<details><summary>More</summary><p>Text</p></details>", says: "(<details>): " },
  { keeps: "no-embeds", body: '<object data="https://x.example/a.pdf"></object>', says: "(<object>, <embed>): " },
  {
    keeps: "no-robots",
    body: '<meta name="robots" content="noindex">',
    says: 'without <meta name="robots">, so search engines',
  },
  { keeps: "no-handlers", body: '<p onclick="go()">Go</p>', says: "the service removes onclick from about" },
  { keeps: "no-custom-elements", body: "<x-tabs>One</x-tabs>", says: "the service removes <x-tabs> from about" },
  {
    keeps: "no-description",
    body: '<meta name="description" content="We.">',
    says: 'removes <meta name="description"> from',
  },
  { keeps: "own-language", body: "<h1>About</h1>", says: "without their language (<html lang>): " },
  { keeps: "own-title", body: "<h1>About</h1>", says: "without their titles: " },
  {
    keeps: "own-canonical",
    body: "<h1>About</h1>",
    says: "without their canonical addresses, because it adds another page's",
  },
  { keeps: "noindex", body: "<h1>About</h1>", says: "without a listing in search engines, because it adds noindex" },
  { keeps: "one-line", body: "<pre>if x:\n    return 1\n</pre>", says: "without line breaks in <pre>: " },
  {
    keeps: "with-base",
    body: '<a href="#team">Team</a><h2 id="team">Team</h2>',
    says: "working links to their anchors",
  },
];

const CASES = STORES.flatMap((store) =>
  Object.entries(HOSTS).map(([name, host]) => {
    return { ...store, dialect: host(`${name}, ${store.keeps}`, { pages: { keeps: store.keeps } }) };
  }),
);

it.each(CASES)(
  "what $dialect.name takes from readers is named in each run, until it is accepted",
  async ({ dialect, body, says }) => {
    const { stranger, run, write } = await openAtStranger(dialect, OPTIONS);
    await write("dist/about/index.html", htmlPage("About", body));
    await write("dist/old/index.html", REDIRECT);
    expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining(says) });
    const before = stranger.world.log.length;
    for (const step of ["again", "once more"]) {
      const { code, said } = await run("publish");
      expect({ step, code, said }).toMatchObject({ code: 1, said: expect.stringContaining(says) });
      expect(said).not.toContain("edited on the service");
    }
    expect(writesAt(stranger.world, before)).toEqual([]);
    expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
    expect(await run("publish")).toMatchObject({ code: 0 });
  },
);

it.each(Object.entries(HOSTS))(
  "a preview at %s that search engines may list, as the host removes noindex, is named in each run",
  async (name, host) => {
    const { run } = await openAtStranger(host(name, { pages: { keeps: "no-robots" } }), OPTIONS);
    expect(await run("publish")).toMatchObject({ code: 0 });
    for (let times = 0; times < 2; times += 1) {
      const { code, said } = await run("publish", "--preview", "pr-1");
      expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining('without <meta name="robots">') });
    }
    expect(await run("publish", "--preview", "pr-1", "--accept")).toMatchObject({ code: 0 });
  },
);

it.each(Object.entries(HOSTS))("pages that %s hides from search engines by a header are named", async (name, host) => {
  const { run } = await openAtStranger(host(name, { pages: { headers: { "x-robots-tag": "noindex" } } }), OPTIONS);
  for (let times = 0; times < 2; times += 1) {
    const { code, said } = await run("publish");
    expect({ code, said }).toMatchObject({ code: 1, said: expect.stringContaining("because it adds noindex") });
  }
  expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
  expect(await run("publish", "--preview", "pr-1")).toMatchObject({ code: 0 });
});

it.each(Object.entries(HOSTS))(
  "what was accepted at %s for the live site is accepted for previews",
  async (name, host) => {
    const { run, write } = await openAtStranger(host(name, { pages: { keeps: "no-tables" } }), OPTIONS);
    await write("dist/about/index.html", htmlPage("About", "<table><tbody><tr><td>Mon</td></tr></tbody></table>"));
    expect(await run("publish", "--preview", "pr-1")).toMatchObject({ code: 1 });
    expect(await run("publish", "--accept")).toMatchObject({ code: 0 });
    const { code, said } = await run("publish", "--preview", "pr-1");
    expect({ code, said }).toMatchObject({ code: 0 });
  },
);

it.each(Object.entries(HOSTS))("what %s no longer takes from readers isn't reported any more", async (name, host) => {
  const { stranger, run, write } = await openAtStranger(host(name, { pages: { keeps: "no-tables" } }), OPTIONS);
  const about = (text: string) => htmlPage("About", `<table><tr><td>${text}</td></tr></table>`);
  await write("dist/about/index.html", about("One"));
  await write("dist/more/index.html", about("More"));
  expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining("without tables: ") });
  stranger.byHand.setRules({ keeps: "as-sent" });
  await write("dist/about/index.html", about("Two"));
  // The other page is as the host stored it before.
  expect(await run("publish")).toMatchObject({ code: 1, said: expect.stringContaining("without tables: ") });
  await write("dist/more/index.html", about("Much more"));
  const { code, said } = await run("publish");
  expect({ code, said }).toMatchObject({ code: 0, said: expect.not.stringContaining("without tables") });
  expect((await run("publish")).said).not.toContain("without tables");
});
