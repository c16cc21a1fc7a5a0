import { expect, it } from "vitest";
import { connect } from "../../src/client.ts";
import { parseOptions, publish } from "../../src/publish.ts";
import { hostInProcess } from "./hosts.ts";
import { createTemporarySite, htmlPage } from "./temporary-site.ts";

const TEXT =
  "We bought the guillotine in Galashiels after all, and took a wall out of the loft so that it could come in through the roof on a Sunday.";

const draft = (title: string, body = "", fields = "draft: true") =>
  `---\ntitle: ${title}\npubDate: 2026-01-05\n${fields}\n---\n\n${body}\n`;

/** What readers would get after publishing these files. */
async function publishedOf(given: Readonly<Record<string, string>>) {
  const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: false })];
  for (const [path, text] of Object.entries(given)) await site.write(path, text);
  const report = await publish({
    projectRoot: site.root,
    dist: site.dist,
    options: parseOptions({ posts: {} }),
    target: { ...host, routeSet: "a", identity: host.baseUrl, close: async () => {} },
  });
  const api = await connect({ baseUrl: host.baseUrl, apiKey: host.apiKey });
  const [pages, library] = [await api.pages.list(), await api.assets.list()];
  const slugs = pages.items.map(({ slug }) => slug);
  const shown = slugs.map(async (slug) => (await fetch(`${host.pagesUrl}/p/${slug}`)).text());
  const html = (await Promise.all(shown)).join("");
  const files = library.items.map(({ name }) => name);
  const scripts = (await Promise.all(library.items.map(async ({ url }) => (await fetch(url)).text()))).join("");
  return { exitCode: report.exitCode, slugs, html, scripts, files };
}

/** The pages that a run omits and its warnings, for a project's files. */
async function heldOf(files: Readonly<Record<string, string>>) {
  const { heldPages = [], warnings, entries } = await planOf(files);
  return {
    held: heldPages.map(({ route, file, reason }) => `${route} ${file} ${reason}`),
    blocked: entries.filter(({ kind }) => kind === "blocked").map(({ name, reason }) => `${name}: ${reason}`),
    unclear: warnings.filter(({ code }) => code === "held-page").map(({ file }) => file),
  };
}

async function planOf(files: Readonly<Record<string, string>>) {
  const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: false })];
  for (const [path, text] of Object.entries(files)) await site.write(path, text);
  return await publish({
    projectRoot: site.root,
    dist: site.dist,
    options: parseOptions({ posts: {} }),
    target: { ...host, routeSet: "a", identity: host.baseUrl, close: async () => {} },
    dryRun: true,
  });
}

it("omits the page of a draft, a scheduled post, and an expired one", async () => {
  const held = await heldOf({
    "src/content/blog/ink.md": draft("On ink"),
    "dist/blog/ink/index.html": htmlPage("On ink | My blog", "<h1>On ink</h1>"),
    "src/content/blog/later.md": draft("Later", "Soon.", "").replace("2026", "2090"),
    "dist/blog/later/index.html": htmlPage("Later", "<h1>Later</h1><p>Soon.</p>"),
    "src/content/blog/over.md": draft("Over", "Gone.", "expiryDate: 2026-02-01"),
    "dist/blog/over/index.html": htmlPage("Over", "<h1>Over</h1><p>Gone.</p>"),
  });
  expect(held).toEqual({
    held: [
      "/blog/ink/ src/content/blog/ink.md draft",
      "/blog/later/ src/content/blog/later.md scheduled",
      "/blog/over/ src/content/blog/over.md expired",
    ],
    blocked: [],
    unclear: [],
  });
});

it("recognizes a draft's page by its text outside the blog", async () => {
  const held = await heldOf({
    "src/content/blog/guillotine.md": draft("The guillotine", TEXT),
    "dist/2026/01/guillotine/index.html": htmlPage("News", `<main><p>${TEXT}</p></main>`),
  });
  expect(held.held).toEqual(["/2026/01/guillotine/ src/content/blog/guillotine.md draft"]);
});

it("keeps pages that only end like a draft: of a tag, of the site, or of another language's post", async () => {
  const held = await heldOf({
    "src/content/blog/astro.md": draft("Why we use a static site generator", TEXT),
    "dist/tags/astro/index.html": htmlPage("Posts about astro", "<h1>Posts about astro</h1><ul><li>One</li></ul>"),
    "src/content/blog/de/ink.md": draft("Tinte", TEXT),
    "src/content/blog/en/ink.md": draft("Ink", "Ink is a paint.", ""),
    "dist/blog/en/ink/index.html": htmlPage("Ink", "<h1>Ink</h1><p>Ink is a paint.</p>"),
  });
  expect(held).toEqual({ held: [], blocked: [], unclear: [] });
});

it("keeps a page and warns if it is unclear whether it shows the draft", async () => {
  const held = await heldOf({
    "src/content/blog/astro.md": draft("Astro"),
    "dist/tags/astro/index.html": htmlPage("Astro", "<h1>Astro</h1>"),
  });
  expect(held).toEqual({ held: [], blocked: [], unclear: ["src/content/blog/astro.md"] });
});

it("recognizes a draft's page by its text and title if its address differs", async () => {
  const held = await heldOf({
    "src/content/blog/note-7.md": draft("The guillotine", TEXT),
    "src/content/blog/later.md": draft("In the year", `Soon: ${TEXT.toUpperCase()}`, "").replace("2026", "2090"),
    "dist/t/the-guillotine/index.html": htmlPage("The guillotine | My blog", `<main><p>${TEXT}</p></main>`),
    "dist/print/17/index.html": htmlPage("The guillotine", `<main><p>${TEXT}</p></main>`),
    "dist/t/2090/index.html": htmlPage("In the year", `<h1>In the year</h1><p>Soon: ${TEXT.toUpperCase()}</p>`),
  });
  expect(held.held.toSorted()).toEqual([
    "/print/17/ src/content/blog/note-7.md draft",
    "/t/2090/ src/content/blog/later.md scheduled",
    "/t/the-guillotine/ src/content/blog/note-7.md draft",
  ]);
});

it("doesn't send a page or file that contains a draft's text among other content", async () => {
  const page = (html: string) => htmlPage("Workshop", `<h1>Workshop</h1><p>Ink.</p>${html}`);
  const shown = TEXT.replace("guillotine", "<em>guillotine</em>").replace("Sunday", "<a href='/sunday/'>Sunday</a>");
  const files = {
    "src/content/blog/guillotine.md": draft("The guillotine", TEXT),
    "dist/index.html": page(`<article>${shown}</article>`),
    "dist/data/index.html": page(
      `<script type="application/json">${JSON.stringify([{ body: `\n${TEXT}\n` }])}</script>`,
    ),
    "dist/ink/index.html": page(
      `<a href="/llms-full.txt">All</a><a href="/feed.json">Feed</a><p>${TEXT.slice(0, 40)}</p>`,
    ),
    "dist/llms-full.txt": `# All\n\n${TEXT}\n`,
    "dist/feed.json": JSON.stringify({ items: [{ content_html: `<p>${shown}</p>` }] }),
    "dist/other.json": JSON.stringify({ items: ["Ink"] }),
  };
  const reason = "it contains the text of src/content/blog/guillotine.md (a draft)";
  const held = await heldOf(files);
  expect(held.held).toEqual([]);
  expect(held.blocked.toSorted()).toEqual([
    `/feed.json: ${reason}`,
    `/llms-full.txt: ${reason}`,
    `data: ${reason}`,
    `index: ${reason}`,
  ]);
  const published = await publishedOf(files);
  expect(published.slugs).toContain("ink");
  expect(published.html).not.toContain("through the roof");
  expect(published.files.filter((name) => /json|txt/.test(name ?? ""))).toEqual([]);
  expect(published.exitCode).toBe(1);
});

it("doesn't send a script that a bundler generated from a draft's text, and counts it among the files", async () => {
  const search = htmlPage("Search", '<h1>Search</h1><script type="module" src="/_astro/search.js"></script>');
  const files = {
    "src/content/blog/guillotine.md": draft("The guillotine", TEXT),
    "dist/search/index.html": search,
    "dist/_astro/search.js": `import{i}from"./index.data.js";document.title=i.length;`,
    "dist/_astro/index.data.js": `const i=JSON.parse('[{"body":"${TEXT}"}]');export{i};`,
  };
  const held = await heldOf(files);
  expect(held.blocked).toEqual([
    "/_astro/index.data.js: it contains the text of src/content/blog/guillotine.md (a draft)",
  ]);
  const { counts } = await planOf(files);
  expect([counts.asset.blocked, counts.host.blocked]).toEqual([1, 0]);
  const published = await publishedOf(files);
  expect(published.html + published.scripts).not.toContain("through the roof");
  expect(published.exitCode).toBe(1);
});

it("suggests the field that contains the post's date", async () => {
  const later = draft("Later", TEXT, "").replace("2026", "2090").replace("pubDate", "date");
  const { entries } = await planOf({
    "src/content/blog/later.md": later,
    "dist/search.json": JSON.stringify([{ title: "Later", text: TEXT }]),
  });
  expect(entries.map(({ hint }) => hint).join("")).toContain(
    'getCollection("blog", ({ data }) => data.date <= new Date())',
  );
});

it("recognizes a short draft by its full text and title", async () => {
  const held = await heldOf({
    "src/content/blog/soon.md": draft("The press", "It arrives in **May**."),
    "dist/search.json": JSON.stringify([{ title: "The press", text: "It arrives in **May**." }]),
    "dist/other.json": JSON.stringify([{ title: "Paper", text: "It arrives in May." }]),
  });
  expect(held.blocked).toEqual(["/search.json: it contains the text of src/content/blog/soon.md (a draft)"]);
});

it("keeps a page whose text is also in a published post", async () => {
  const held = await heldOf({
    "src/content/blog/guillotine.md": draft("The guillotine", TEXT, ""),
    "src/content/blog/guillotine-2.md": draft("The guillotine again", `${TEXT} And then it rained.`),
    "dist/index.html": htmlPage("Home", `<main><p>${TEXT}</p></main>`),
  });
  expect(held).toEqual({ held: [], blocked: [], unclear: [] });
});
