import { describe, expect, it } from "vitest";
import { readBuiltSite } from "../../../src/site/read-site.ts";
import { createRewriter } from "../../../src/site/rewrite/rewriter.ts";
import { planSlugs } from "../../../src/site/slugs.ts";
import { makeFolder, PLACEMENTS, rewriteSettings, wholePage, writeSiteFile } from "./fixture.ts";

const FILES = [
  "img/a.png",
  "img/b.png",
  "docs/marker.png",
  "one/pin.png",
  "two/pin.png",
  "two/shade.png",
  "docs/list.json",
  "docs/plug.js",
  "top.json",
  "blog/c.png",
  "blog/feed.xml",
  "blog/post/index.html",
  "_astro/built.css",
];

/** The files of the site that a page with such a script gets, and its warnings. */
async function rewrite(script: string, { style = "", more = [] as readonly string[] } = {}) {
  const dist = makeFolder();
  for (const file of [...FILES, ...more]) writeSiteFile(dist, file, file);
  writeSiteFile(dist, "index.html", `<!doctype html>${style}<script>${script}</script>`);
  const site = await readBuiltSite(dist, { site: "https://example.com", base: "/base/" });
  const settings = rewriteSettings(planSlugs(["/"]).slugs, { placement: PLACEMENTS.library });
  const [page] = site.pages.map((each) => wholePage(createRewriter(site, settings).rewrite(each)));
  const map = /data-imprint-map>(.*?)<\/script>/.exec(page?.html ?? "")?.[1];
  const { files = {} } = map === undefined ? {} : (JSON.parse(map) as { files?: Record<string, string> });
  return { files: Object.keys(files), warnings: page?.warnings };
}

describe("a script with a file's name without its folder", () => {
  it.each([
    ["after the base, in a template", "one.src = `${base}img/${id}.png`", ["img/a.png", "img/b.png"]],
    ["after the base, in a concatenation", 'one.src = base + "img/" + id + ".png"', ["img/a.png", "img/b.png"]],
    ["after a configured folder", 'one.src = options.path + "marker.png"', ["docs/marker.png"]],
    [
      "after the base without its slash",
      "one.src = `${`/base/`.replace(/\\/$/,``)}/img/${id}.png`",
      ["img/a.png", "img/b.png"],
    ],
    ["whole, after the base without its slash", "one.src = `${trim(`/base/`)}/img/a.png`", ["img/a.png"]],
    ["fetched, after the base without its slash", "fetch(`${`/base/`.replace(/\\/$/,``)}/top.json`)", ["top.json"]],
    ["in markup", 'box.innerHTML = `<img src="${base}img/a.png">`', ["img/a.png"]],
    ["as an argument of a function that adds the base", 'fetch(withBase("top.json"))', ["top.json"]],
    ["as a template for names", 'tiles("/base/img/{x}.png")', ["img/a.png", "img/b.png"]],
    [
      "as a template with a part that may be empty",
      'tiles("/base/img/{-y}{r}.png?key={key}")',
      ["img/a.png", "img/b.png"],
    ],
    ["as a template behind the base", 'tiles(base + "img/{y}{r}.png")', ["img/a.png", "img/b.png"]],
    ["with a condition", "one.src = `/base/img/a${dense?`@2x`:``}.png`", ["img/a.png"]],
    ["with a value and a condition", "one.src = `/base/img/${id}${dense?`@2x`:``}.png`", ["img/a.png", "img/b.png"]],
    [
      "with templates in a condition",
      "one.src = `/base/img/${id}${size?`-${size}`:``}.png`",
      ["img/a.png", "img/b.png"],
    ],
    [
      "with a joined condition",
      'one.src = "/base/img/" + id + (dense ? "@2x" : "") + ".png"',
      ["img/a.png", "img/b.png"],
    ],
    [
      "with an ending by a condition",
      "one.src = `/base/img/${id}${small===`y`?`.jpg`:`.png`}`",
      ["img/a.png", "img/b.png"],
    ],
    [
      "with a joined ending by a condition",
      'one.src = "/base/docs/ma" + id + (small ? ".jpg" : ".png")',
      ["docs/marker.png"],
    ],
    ["whose end may be empty", "one.src = `/base/img/a${dense}.png`", ["img/a.png"]],
    ["as the address of a script", 'tag.src = folder + "plug.js"', ["docs/plug.js"]],
    [
      "by its whole name, after its folder",
      'for (const name of names) one.src = "/base/img/" + name',
      ["img/a.png", "img/b.png"],
    ],
    ["by its whole name, in a template", "one.src = `/base/img/${item.file}`", ["img/a.png", "img/b.png"]],
    [
      "by its whole name, in markup",
      `box.innerHTML = '<img src="/base/img/' + item.file + '">'`,
      ["img/a.png", "img/b.png"],
    ],
    [
      "of a list, beside its folder, all of which it may load,",
      'const folder = "/base/img/"; ["a.png", "c.png"].map((name) => add(folder + name))',
      ["img/a.png", "img/b.png"],
    ],
    [
      "in parts, beside its folder, all of which it may load,",
      'const folder = "/base/docs/"; add("mark" + id + ".png")',
      ["docs/list.json", "docs/marker.png", "docs/plug.js"],
    ],
    ["behind a condition", 'one.src = "/base/img/" + (wide ? "b" : "a") + ".png"', ["img/a.png", "img/b.png"]],
    ["behind a call", 'one.src = "/base/docs/mark" + String(n + 1).padStart(2, "e") + ".png"', ["docs/marker.png"]],
    [
      "behind a list",
      'one.src = "/base/img/" + ["a", "b"][Math.floor(Math.random() * 2)] + ".png"',
      ["img/a.png", "img/b.png"],
    ],
    ["in several parts", 'one.src = "/base/docs/" + one + "r" + ("k" + two).slice(-3) + ".png"', ["docs/marker.png"]],
    [
      "in parts behind the base",
      'one.src = base + "docs/m" + (n ? "ar" : "er") + "ke" + r + ".png"',
      ["docs/marker.png"],
    ],
    ["that may be a page, so that only pictures are files", 'show("/base/blog/" + name)', ["blog/c.png"]],
    ["of another site", "one.src = `https://cdn.example/img/${name}`; two.src = '//cdn.example/img/' + name", []],
    ["that the site doesn't have", "one.src = `${base}none/${id}.png`", []],
    ["with only the extension as a literal", "one.src = `${base}${id}.png`", []],
    ["in a sentence", 'say("see top.json for more")', []],
    ["in an unused list of built files", 'const list = ["_astro/built.css"]', []],
  ])("%s gets the files that it can load", async (_where, script, files) => {
    expect((await rewrite(script)).files).toEqual(files);
  });

  it("gets it by its name alone if it looks for it beside the image of a style", async () => {
    const script = 'read(getComputedStyle(one), "background-image", ["pin.png", "shade.png", "gone.png"])';
    expect((await rewrite(script)).files).toEqual(["shade.png"]);
    const { files, warnings } = await rewrite(script, {
      style: "<style>p { background: url(/base/two/pin.png) }</style>",
    });
    expect(files).toEqual(["pin.png", "shade.png"]);
    expect(warnings).toEqual([]);
  });

  it("gets it if another script names its folder", async () => {
    const { files } = await rewrite('one.path = "/base/two/"</script><script>const icon = "pin.png"');
    expect(files).toEqual(["two/pin.png", "two/shade.png"]);
  });

  it.each([
    ["a library gets", 'loader.setDecoderPath("/base/two/")', ["two/pin.png", "two/shade.png"]],
    ["is joined with names", 'one.src = ["/base/one", name + ".png"].join("/")', ["one/pin.png"]],
    ["begins names", 'const frames = "/base/two/sh"', ["two/shade.png"]],
    ["has a page, but begins names", 'const images = "/base/blog/c"', ["blog/c.png"]],
    ["has a page", 'const section = "/base/blog/"', []],
    ["is a file", 'const plug = "/base/docs/plug.js"', []],
    ["is compared", 'if (path.startsWith("/base/two/")) one()', []],
    ["has built files", 'const folder = "/base/_astro/"', []],
    ["doesn't exist", 'const folder = "/base/none/"', []],
  ])("lists the files of a folder that %s, unless it means something else", async (_which, script, files) => {
    expect(await rewrite(script)).toEqual({ files, warnings: [] });
  });

  it("causes a notice for a folder with more files than a page can list", async () => {
    const many = Array.from({ length: 500 }, (_, number) => `icons/${number}.svg`);
    const { files, warnings } = await rewrite('setBasePath("/base/icons")', { more: many });
    expect(files).toEqual([]);
    expect(warnings).toMatchObject([{ code: "fetched-file", file: "index.html", line: 1, isNotice: true }]);
  });

  it("causes a notice if it cuts the folder out of a style's address", async () => {
    const { files, warnings } = await rewrite(
      'one.src = getComputedStyle(two).backgroundImage.slice(5, -9) + "shade.png"',
    );
    expect(files).toEqual(["two/shade.png"]);
    expect(warnings).toMatchObject([{ code: "computed-address", line: 1, isNotice: true }]);
  });

  it("causes a notice for an address in a style", async () => {
    const styled = "two.style.background = `url(${image})`";
    const { warnings } = await rewrite(`const image = \`\${base}img/a.png\`;\n${styled}`);
    expect(warnings).toMatchObject([{ code: "computed-address", file: "index.html", line: 2, isNotice: true }]);
    expect((await rewrite(styled)).warnings).toEqual([]);
  });

  it("causes a warning for an address in a style whose end isn't known", async () => {
    const { warnings } = await rewrite('two.style.background = "url(/base/img/" + name + ending');
    expect(warnings).toMatchObject([{ code: "computed-address", file: "index.html", line: 1 }]);
  });
});
