import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { Placement, RewrittenPage } from "../../../src/site/model.ts";
import { isPublished, readBuiltSite } from "../../../src/site/read-site.ts";
import { createRewriter } from "../../../src/site/rewrite/rewriter.ts";
import { findSearchPage } from "../../../src/site/search-index.ts";
import { planSlugs } from "../../../src/site/slugs.ts";
import { makeFolder, PLACEMENTS, publish, rewriteSettings, wholePage, writeSiteFile } from "./fixture.ts";

const MODULE = `const at=import.meta.url;async function ask(){return fetch(at)}export{ask as init,ask as search};`;
const fragment = (url: string, meta = {}) => gzipSync(`pagefind_dcd${JSON.stringify({ url, content: "Words", meta })}`);

/** The index as written by Pagefind, with leftovers of an earlier build in its folder. */
const INDEX: Readonly<Record<string, string | Uint8Array>> = {
  "pagefind/pagefind.js": MODULE,
  "pagefind/pagefind-ui.js": `new URL(document.currentScript.src);const load=at=>import(at+"pagefind.js");`,
  "pagefind/pagefind-entry.json": JSON.stringify({
    languages: { en: { hash: "en_2", wasm: "en" }, "pt-br": { hash: "pt-br_1" } },
  }),
  "pagefind/pagefind.en_2.pf_meta": "meta",
  "pagefind/pagefind.pt-br_1.pf_meta": "meta",
  "pagefind/pagefind.de_9.pf_meta": "left over",
  "pagefind/wasm.en.pagefind": "wasm",
  "pagefind/wasm.unknown.pagefind": "wasm of other languages",
  "pagefind/wasm.de.pagefind": "left over",
  "pagefind/index/en_3.pf_index": "index",
  "pagefind/filter/en_4.pf_filter": "filter",
  "pagefind/fragment/en_5.pf_fragment": fragment("/about/"),
  "pagefind/fragment/pt-br_6.pf_fragment": fragment("/"),
  "pagefind/fragment/de_7.pf_fragment": "left over",
};
const CARRIED = [
  ["filter/en_4.pf_filter", "fragment/en_5.pf_fragment", "fragment/pt-br_6.pf_fragment", "index/en_3.pf_index"],
  ["pagefind-entry.json", "pagefind.en_2.pf_meta", "pagefind.pt-br_1.pf_meta"],
  ["wasm.en.pagefind", "wasm.unknown.pagefind"],
].flat();
const SEARCHING =
  "<!doctype html><title>Home</title><script type=module>const at=`/pagefind/`;import(`${at}pagefind.js`)</script>";

interface Wish {
  readonly placement?: Placement;
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly html?: string;
  readonly base?: string;
  /** Route of an unpublished page. */
  readonly exclude?: string;
  readonly maxPageBytes?: number;
}

async function rewrite({ placement = PLACEMENTS.library, files = INDEX, html = SEARCHING, ...wish }: Wish = {}) {
  const dist = makeFolder();
  for (const [path, content] of Object.entries(files)) writeSiteFile(dist, path, content);
  writeSiteFile(dist, "index.html", html);
  writeSiteFile(dist, "about/index.html", "<!doctype html><title>About</title><p>About us");
  const site = await readBuiltSite(dist, { site: "https://example.com", base: wish.base ?? "/" });
  const search = findSearchPage(site, { placement, maxPageBytes: wish.maxPageBytes });
  const pages = [
    ...site.pages.filter((page) => isPublished(page) && page.route !== wish.exclude),
    ...(search === undefined ? [] : [search]),
  ];
  const { slugs } = planSlugs(pages.map(({ route }) => route));
  const rewriter = createRewriter(site, rewriteSettings(slugs, { placement }));
  return new Map(pages.map((page) => [page.route, wholePage(rewriter.rewrite(page))]));
}

const show = (page: RewrittenPage | undefined) => publish(page?.html ?? "", page?.assets ?? []);
const warningsOf = (page: RewrittenPage | undefined) =>
  page?.warnings.map(({ code, message }) => `${code}: ${message}`);

function filesOf(page: RewrittenPage | undefined): Readonly<Record<string, string>> {
  return JSON.parse(/data-imprint-search>(.*?)<\/script>/.exec(show(page))?.[1] ?? "{}");
}

function moduleOf(page: RewrittenPage | undefined): string {
  const source = page?.assets.find(({ name }) => name === "pagefind.js")?.source;
  return source?.kind === "text" ? source.text : "";
}

describe("Pagefind search", () => {
  it("imports its module by name, whatever address a script computes", async () => {
    const home = (await rewrite()).get("/");
    expect(show(home)).toContain('"@i/pagefind/pagefind.js":"https://library.example/pagefind.js"');
    expect(show(home)).toContain(
      String.raw`import((a=>/\/pagefind\/pagefind\.js(?:[?#]|$)/.test(a)?"@i/pagefind/pagefind.js":a)(`,
    );
    expect(show(home)).toContain("data-imprint-shim");
    expect(warningsOf(home)).toEqual([]);
  });

  it("stays the same if the published page is rewritten again", async () => {
    for (const placement of Object.values(PLACEMENTS)) {
      const home = (await rewrite({ placement })).get("/");
      expect((await rewrite({ placement, html: home?.html ?? "" })).get("/")?.html).toBe(home?.html);
    }
  });

  it("keeps Pagefind's original address, with the site's base", async () => {
    const pages = await rewrite({ base: "/docs" });
    expect(moduleOf(pages.get("/"))).toContain('const at="/docs/pagefind/pagefind.js"');
    expect(moduleOf(pages.get("/"))).toContain(
      '{"at":"/p/pagefind","folder":"/docs/pagefind/","origin":"https://example.com"}',
    );
  });

  it("doesn't change pages without a search", async () => {
    const withoutIndex = (await rewrite({ files: {} })).get("/about/");
    expect((await rewrite()).get("/about/")?.html).toBe(withoutIndex?.html);
  });

  it("has its own page with the library address of each index file", async () => {
    const page = (await rewrite()).get("/pagefind/");
    expect(Object.keys(filesOf(page)).toSorted()).toEqual(CARRIED);
    expect(filesOf(page)["index/en_3.pf_index"]).toBe("https://library.example/en_3.pf_index");
    expect(page?.html).toContain('<meta name="robots" content="noindex">');
  });

  it("has the index itself in that page if the library accepts only images", async () => {
    const pages = await rewrite({ placement: PLACEMENTS.inline });
    const files = filesOf(pages.get("/pagefind/"));
    expect(Object.keys(files).toSorted()).toEqual([...CARRIED, "pagefind.js"].toSorted());
    expect(atob(files["index/en_3.pf_index"]?.split(",")[1] ?? "")).toBe("index");
    expect(atob(files["pagefind.js"]?.split(",")[1] ?? "")).toContain('const at="/pagefind/pagefind.js"');
    expect(show(pages.get("/"))).toContain(
      'export const{init,search}=await import((await imprintOpened.files())[\\"pagefind.js\\"])',
    );
    expect(pages.get("/pagefind/")?.assets).toEqual([]);
  });

  it("doesn't change pages with a search if the index changes", async () => {
    const entry = JSON.stringify({ languages: { en: { hash: "en_20", wasm: "en" } } });
    const files = { ...INDEX, "pagefind/pagefind-entry.json": entry, "pagefind/pagefind.en_20.pf_meta": "more" };
    for (const placement of Object.values(PLACEMENTS)) {
      const [before, after] = [await rewrite({ placement }), await rewrite({ placement, files })];
      expect(after.get("/")?.html).toBe(before.get("/")?.html);
      expect(after.get("/pagefind/")?.hash).not.toBe(before.get("/pagefind/")?.hash);
    }
  });

  it("passes Pagefind's own interface its original address, from which it searches", async () => {
    const html = '<!doctype html><title>Home</title><script src="/pagefind/pagefind-ui.js"></script>';
    const home = (await rewrite({ html })).get("/");
    const source = home?.assets.find(({ name }) => name === "pagefind-ui.js")?.source;
    expect(source).toMatchObject({
      text: expect.stringContaining('new URL("https://example.com/pagefind/pagefind-ui.js")'),
    });
    expect(show(home)).toContain('"@i/pagefind/pagefind.js":');
  });

  it("works on pages from which a client router navigates to one with a search", async () => {
    const html = '<!doctype html><meta name="astro-view-transitions-enabled" content="true"><title>Home</title>';
    expect(show((await rewrite({ html })).get("/"))).toContain('"@i/pagefind/pagefind.js":');
  });

  it("is allowed by the page's policy", async () => {
    const policy = "default-src 'self'; connect-src 'none'; script-src 'self'";
    const html = SEARCHING.replace("<script", `<meta http-equiv="content-security-policy" content="${policy}"><script`);
    const home = show((await rewrite({ html })).get("/"));
    expect(home).toMatch(/connect-src 'self' https:\/\/library\.example[;"]/);
    expect(home).toMatch(/script-src 'self' [^;]*'wasm-unsafe-eval'/);
  });

  it("shows a result's image from the library", async () => {
    const about = fragment("/about/", { title: "About", image: "../plate.png" });
    const files = { ...INDEX, "plate.png": "picture", "pagefind/fragment/en_5.pf_fragment": about };
    const inPage = (await rewrite({ files, placement: PLACEMENTS.inline })).get("/pagefind/");
    expect(filesOf(inPage)["fragment/en_5.pf_fragment"]).toContain('"image":"https://library.example/plate.png"');
    const inLibrary = (await rewrite({ files })).get("/pagefind/");
    const { source } = inLibrary?.assets.find(({ name }) => name === "en_5.pf_fragment") ?? {};
    const text = source?.kind === "text" ? publish(source.text, inLibrary?.assets ?? []) : "";
    expect(text).toMatch(/^pagefind_dcd\{.*"image":"https:\/\/library\.example\/plate\.png"/);
  });

  it("omits the text of unpublished pages, and reports it", async () => {
    const page = (await rewrite({ exclude: "/about/", placement: PLACEMENTS.inline })).get("/pagefind/");
    expect(filesOf(page)["fragment/en_5.pf_fragment"]).toMatch(/^pagefind_dcd\{"url":"\/","content":""/);
    expect(filesOf(page)["fragment/pt-br_6.pf_fragment"]).toMatch(/^data:/);
    expect(warningsOf(page)).toEqual([
      "hidden-results: The search index contains pages that aren't published (about/index.html). Their text is left out, but their words are still found; build the index without them.",
    ]);
  });
});

describe("an unsupported search", () => {
  it("is reported if the site was built without its index", async () => {
    expect(warningsOf((await rewrite({ files: { "pagefind/pagefind.js": MODULE } })).get("/"))).toContain(
      "pagefind: Pagefind search won't work where the page is published: the built site has no index for it; build the index before publishing.",
    );
  });

  it("is reported with its size if it must be inlined and is too large", async () => {
    const files = { ...INDEX, "pagefind/wasm.en.pagefind": new Uint8Array(3 * 1024 * 1024) };
    expect((await rewrite({ files })).has("/pagefind/")).toBe(true);
    const pages = await rewrite({ files, placement: PLACEMENTS.inline });
    expect(pages.has("/pagefind/")).toBe(false);
    expect(warningsOf(pages.get("/"))).toContain(
      "pagefind: Pagefind search won't work where the page is published: its index is 3.0 MiB and must be embedded in a page, where at most 2.0 MiB is allowed; index less of each page, or publish to a service whose library accepts any file.",
    );
  });

  it("is reported if the service's page limit is too small", async () => {
    const pages = await rewrite({ maxPageBytes: 1000 });
    expect(pages.has("/pagefind/")).toBe(false);
    expect(warningsOf(pages.get("/"))?.join("\n")).toContain("its index exceeds the maximum page size of this service");
  });
});
