import { expect, it } from "vitest";
import { parseOptions, publish } from "../../src/publish.ts";
import { hostInProcess } from "./hosts.ts";
import { createTemporarySite, htmlPage } from "./temporary-site.ts";

const TEXT =
  "We bought the guillotine in Galashiels after all, and took a wall out of the loft so that it could come in through the roof on a Sunday.";

const draft = (title: string, body = "", fields = "draft: true") =>
  `---\ntitle: ${title}\npubDate: 2026-01-05\n${fields}\n---\n\n${body}\n`;

/** What a run leaves out and what it warns of, for files of a project. */
async function heldOf(files: Readonly<Record<string, string>>) {
  const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: false })];
  for (const [path, text] of Object.entries(files)) await site.write(path, text);
  const { heldPages = [], warnings } = await publish({
    projectRoot: site.root,
    dist: site.dist,
    options: parseOptions({ posts: {} }),
    target: { ...host, routeSet: "a", identity: host.baseUrl, close: async () => {} },
    dryRun: true,
  });
  return {
    held: heldPages.map(({ route, file, reason }) => `${route} ${file} ${reason}`),
    unclear: warnings.filter(({ code }) => code === "held-page").map(({ file }) => file),
  };
}

it("leaves out the page of a draft, of a scheduled post and of an expired one", async () => {
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
    unclear: [],
  });
});

it("knows the page of a draft by its text where it stands outside of the blog", async () => {
  const held = await heldOf({
    "src/content/blog/guillotine.md": draft("The guillotine", TEXT),
    "dist/2026/01/guillotine/index.html": htmlPage("News", `<main><p>${TEXT}</p></main>`),
  });
  expect(held.held).toEqual(["/2026/01/guillotine/ src/content/blog/guillotine.md draft"]);
});

it("keeps pages that only end like a draft: those of a tag, of a page of the site, of another language's post", async () => {
  const held = await heldOf({
    "src/content/blog/astro.md": draft("Why we use a static site generator", TEXT),
    "dist/tags/astro/index.html": htmlPage("Posts about astro", "<h1>Posts about astro</h1><ul><li>One</li></ul>"),
    "src/content/blog/de/ink.md": draft("Tinte", TEXT),
    "src/content/blog/en/ink.md": draft("Ink", "Ink is a paint.", ""),
    "dist/blog/en/ink/index.html": htmlPage("Ink", "<h1>Ink</h1><p>Ink is a paint.</p>"),
  });
  expect(held).toEqual({ held: [], unclear: [] });
});

it("keeps a page and warns where it is not clear that it shows the draft", async () => {
  const held = await heldOf({
    "src/content/blog/astro.md": draft("Astro"),
    "dist/tags/astro/index.html": htmlPage("Astro", "<h1>Astro</h1>"),
  });
  expect(held).toEqual({ held: [], unclear: ["src/content/blog/astro.md"] });
});
