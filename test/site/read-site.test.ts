import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { BuildHints } from "../../src/site/build-hints.ts";
import { readBuiltSite } from "../../src/site/read-site.ts";
import { readSiteText } from "../../src/site/read-file.ts";
import { sha256 } from "../../src/base/hash.ts";
import { makeFolder, writeSiteFile } from "./rewrite/fixture.ts";

const PAGE = "<!DOCTYPE html><html><head><title>Page</title></head><body></body></html>";
const REDIRECT =
  '<!doctype html><title>Redirecting to: /about/</title><meta http-equiv="refresh" content="0;url=/about/">';

function makeSite(files: Readonly<Record<string, string>>): string {
  const dist = makeFolder();
  for (const [path, content] of Object.entries(files)) writeSiteFile(dist, path, content);
  return dist;
}

async function kindsOf(files: Readonly<Record<string, string>>, hints?: BuildHints) {
  const { pages } = await readBuiltSite(makeSite(files), hints);
  return Object.fromEntries(pages.map(({ route, kind }) => [route, kind]));
}

describe("readBuiltSite", () => {
  it("names the pages that require a server", async () => {
    const routes = [
      { pattern: "/", type: "page", files: ["index.html"] },
      { pattern: "/account", type: "page", files: [], isOnDemand: true },
    ] as const;
    const { onDemand } = await readBuiltSite(makeSite({ "index.html": PAGE }), { routes });
    expect(onDemand.map(({ pattern }) => pattern)).toEqual(["/account"]);
  });

  it("yields to the event loop while it reads many pages", async () => {
    const dist = makeSite(Object.fromEntries(Array.from({ length: 100 }, (_, page) => [`p${page}/index.html`, PAGE])));
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 0);
    await readBuiltSite(dist);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
  });

  it("finds the routes of both build formats, decoded and with one Unicode normalization", async () => {
    const site = await readBuiltSite(
      makeSite({
        "index.html": PAGE,
        "a/index.html": PAGE,
        "b.html": PAGE,
        "タグ/日本語/index.html": PAGE,
        "cafe\u0301.html": PAGE,
        "v1.2.html": PAGE,
      }),
    );
    expect(site.pages.map(({ route, file }) => [route, file])).toEqual([
      ["/", "index.html"],
      ["/a/", "a/index.html"],
      ["/b/", "b.html"],
      ["/caf\u00e9/", "cafe\u0301.html"],
      ["/v1.2/", "v1.2.html"],
      ["/タグ/日本語/", "タグ/日本語/index.html"],
    ]);
  });

  it("gives two files with the same address two routes", async () => {
    const site = await readBuiltSite(makeSite({ "x.html": PAGE, "x/index.html": PAGE }));
    expect(site.pages.map(({ route, file }) => [route, file])).toEqual([
      ["/x.html/", "x.html"],
      ["/x/", "x/index.html"],
    ]);
  });

  it("distinguishes pages, redirects, status pages, and partials by their content", async () => {
    expect(
      await kindsOf({
        "index.html": PAGE,
        "old/index.html": REDIRECT,
        "slow/index.html": REDIRECT.replace("0;", "30;"),
        "404.html": PAGE,
        "de/404.html": PAGE,
        "blog/404/index.html": PAGE,
        "part/index.html": "<p>A part.</p>",
        "bare/index.html": "<!DOCTYPE html><p>A page without a head.</p>",
        "empty.html": "",
      }),
    ).toEqual({
      "/": "page",
      "/old/": "redirect",
      "/slow/": "page",
      "/404/": "status",
      "/de/404/": "status",
      "/blog/404/": "page",
      "/part/": "partial",
      "/bare/": "page",
      "/empty/": "partial",
    });
  });

  it("recognizes endpoints, fallbacks, and public files from Astro's data", async () => {
    const hints: BuildHints = {
      locales: ["blog"],
      routes: [
        { pattern: "/", type: "page", files: ["index.html"] },
        { pattern: "/page.html", type: "endpoint", files: ["page.html"] },
        { pattern: "/old", type: "redirect", files: ["old/index.html"] },
        { pattern: "/de/[...slug]", type: "fallback", regex: "^\\/de(?:\\/(.*?))?\\/?$", files: [] },
      ],
    };
    const files = {
      "index.html": PAGE,
      "page.html": PAGE,
      "old/index.html": REDIRECT,
      "de/about/index.html": PAGE,
      "hand.html": PAGE,
      "blog/404.html": PAGE,
    };
    expect(await kindsOf(files, hints)).toEqual({
      "/": "page",
      "/page/": "endpoint",
      "/old/": "redirect",
      "/de/about/": "fallback",
      "/hand/": "public",
      "/blog/404/": "status",
    });
  });

  it("keeps a redirect's target", async () => {
    const { pages } = await readBuiltSite(makeSite({ "index.html": PAGE, "old.html": REDIRECT }));
    expect(pages.at(-1)).toEqual({
      hash: sha256(REDIRECT),
      route: "/old/",
      file: "old.html",
      kind: "redirect",
      redirectTo: "/about/",
    });
  });

  it("lists every other file with its size and hash, including hidden folders, but no repository and nothing behind a symbolic link", async () => {
    const outside = makeSite({ "secret.txt": "secret", "page.html": PAGE });
    const dist = makeSite({
      "index.html": PAGE,
      "_astro/a b[1].css": "a{}",
      ".well-known/security.txt": "mail",
      ".git/config": "x",
    });
    symlinkSync(join(outside, "secret.txt"), join(dist, "secret.txt"));
    symlinkSync(join(outside, "page.html"), join(dist, "page.html"));
    symlinkSync(outside, join(dist, "outside"));
    const site = await readBuiltSite(dist);
    expect([...site.files]).toEqual([
      [".well-known/security.txt", { bytes: 4, hash: sha256("mail") }],
      ["_astro/a b[1].css", { bytes: 3, hash: sha256("a{}") }],
    ]);
    expect(site.pages.map(({ file }) => file)).toEqual(["index.html"]);
  });

  it("reads the client folder of a build with an adapter", async () => {
    const dist = makeSite({ "client/index.html": PAGE, "server/entry.mjs": "" });
    expect((await readBuiltSite(dist)).root).toBe(join(dist, "client"));
  });

  it.each([
    ["/", '<link rel="canonical" href="https://example.com/about/">', "https://example.com"],
    ["/docs/", '<link href="https://example.com/docs/about" rel=canonical>', "https://example.com"],
    ["/docs/", '<link rel="stylesheet" href="/docs/_astro/a.css">', undefined],
    [
      "/",
      '<link rel="canonical" href="https://elsewhere.example/original/"><link rel="stylesheet" href="/_astro/a.css">',
      undefined,
    ],
    ["/", '<link rel="stylesheet" href="https://cdn.example/x/_astro/a.css">', undefined],
  ])("detects that the base is %s", async (expected, head, origin) => {
    const html = PAGE.replace("</head>", `${head}</head>`);
    const site = await readBuiltSite(makeSite({ "about/index.html": html }));
    expect({ origin: site.origin, base: site.base }).toEqual({ origin, base: expected });
  });

  it("uses the address and the base from the config", async () => {
    const site = await readBuiltSite(makeSite({ "index.html": PAGE }), {
      site: "https://example.com/x",
      base: "docs",
      assetsDir: "/assets/",
    });
    expect(site).toMatchObject({ origin: "https://example.com", base: "/docs/", assetsDir: "assets" });
  });

  it("rejects a missing folder", async () => {
    const missing = join(makeFolder(), "dist");
    await expect(readBuiltSite(missing)).rejects.toMatchObject({
      code: "DIST_MISSING",
      message: expect.stringContaining(missing),
    });
    const file = join(makeFolder(), "file");
    writeFileSync(file, "");
    await expect(readBuiltSite(file)).rejects.toMatchObject({ code: "DIST_MISSING" });
  });

  it("rejects an incomplete build", async () => {
    const dist = makeSite({ "index.html": PAGE, ".prerender/chunks/x.mjs": "" });
    await expect(readBuiltSite(dist)).rejects.toMatchObject({ code: "DIST_UNFINISHED" });
  });

  it("rejects a site without a page", async () => {
    const dist = makeSite({ "404.html": PAGE, "robots.txt": "" });
    await expect(readBuiltSite(dist)).rejects.toMatchObject({
      code: "DIST_EMPTY",
      message: expect.stringContaining(dist),
    });
  });

  it.skipIf(process.getuid?.() === 0)("names an unreadable page", async () => {
    const dist = makeSite({ "index.html": PAGE });
    chmodSync(join(dist, "index.html"), 0);
    await expect(readBuiltSite(dist)).rejects.toMatchObject({
      code: "PAGE_UNREADABLE",
      location: { file: "index.html" },
    });
  });
});

describe("readSiteText", () => {
  it("removes the byte order mark", () => {
    const dist = makeFolder();
    writeSiteFile(dist, "a.html", "\uFEFFtext");
    expect(readSiteText(dist, "a.html")).toBe("text");
  });

  it.each([
    ["a.html", "<meta charset='iso-8859-1'><p>ü</p>", "<meta charset='utf-8'><p>ü</p>"],
    ["a.html", '<meta content="text/html; charset=Latin1">ü', '<meta content="text/html; charset=utf-8">ü'],
    ["a.css", '@charset "iso-8859-1";\na::after { content: "ü" }', '@charset "utf-8";\na::after { content: "ü" }'],
    ["a.xml", '<?xml version="1.0" encoding="ISO-8859-1"?><a>ü</a>', '<?xml version="1.0" encoding="utf-8"?><a>ü</a>'],
  ])("reads %s in the encoding that it declares: %s", (name, text, read) => {
    const dist = makeFolder();
    writeSiteFile(dist, name, Buffer.from(text, "latin1"));
    expect(readSiteText(dist, name)).toBe(read);
  });

  it.each([
    ["a.html", "list its route in `exclude`"],
    ["a.css", "`@charset"],
    ["a.js", "Save the file as UTF-8."],
  ])("names what can be done about %s", (name, remedy) => {
    const dist = makeFolder();
    writeSiteFile(dist, name, Buffer.from([0x66, 0xfc, 0x72]));
    expect(() => readSiteText(dist, name)).toThrow(expect.objectContaining({ hint: expect.stringContaining(remedy) }));
  });

  it("names a file that isn't UTF-8", () => {
    const dist = makeFolder();
    writeSiteFile(dist, "a.html", Buffer.from([0x66, 0xfc, 0x72]));
    expect(() => readSiteText(dist, "a.html")).toThrow(
      expect.objectContaining({ code: "PAGE_UNREADABLE", message: "a.html can't be read: it is not UTF-8." }),
    );
  });

  it("names a file that is a folder", () => {
    const dist = makeFolder();
    mkdirSync(join(dist, "a.html"));
    expect(() => readSiteText(dist, "a.html")).toThrow(expect.objectContaining({ code: "PAGE_UNREADABLE" }));
  });
});
