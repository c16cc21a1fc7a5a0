import { describe, expect, it } from "vitest";
import { readBuiltSite } from "../../../src/site/read-site.ts";
import { createRewriter } from "../../../src/site/rewrite/rewriter.ts";
import { planSlugs } from "../../../src/site/slugs.ts";
import { makeFolder, PLACEMENTS, rewriteSettings, wholePage, writeSiteFile } from "./fixture.ts";

const FILES = [
  "img/a.png",
  "img/b.png",
  "docs/marker.png",
  "docs/list.json",
  "docs/plug.js",
  "top.json",
  "_astro/built.css",
];

/** What a page with such a script is given of the site's files, and what is told of it. */
async function rewrite(script: string) {
  const dist = makeFolder();
  for (const file of FILES) writeSiteFile(dist, file, file);
  writeSiteFile(dist, "index.html", `<!doctype html><script>${script}</script>`);
  const site = await readBuiltSite(dist, { site: "https://example.com", base: "/base/" });
  const settings = rewriteSettings(planSlugs(["/"]).slugs, { placement: PLACEMENTS.library });
  const [page] = site.pages.map((each) => wholePage(createRewriter(site, settings).rewrite(each)));
  const map = /data-imprint-map>(.*?)<\/script>/.exec(page?.html ?? "")?.[1];
  const { files = {} } = map === undefined ? {} : (JSON.parse(map) as { files?: Record<string, string> });
  return { files: Object.keys(files), warnings: page?.warnings };
}

describe("a script that names a file without its folder", () => {
  it.each([
    ["behind the base, in a template", "one.src = `${base}img/${id}.png`", ["img/a.png", "img/b.png"]],
    ["behind the base, in a sum", 'one.src = base + "img/" + id + ".png"', ["img/a.png", "img/b.png"]],
    ["behind a folder that is a setting", 'one.src = options.path + "marker.png"', ["docs/marker.png"]],
    ["in markup", 'box.innerHTML = `<img src="${base}img/a.png">`', ["img/a.png"]],
    ["in what a function puts the base before", 'fetch(withBase("top.json"))', ["top.json"]],
    ["as a pattern that is filled in", 'tiles("/base/img/{x}.png")', ["img/a.png", "img/b.png"]],
    ["as a script that it loads", 'tag.src = folder + "plug.js"', ["docs/plug.js"]],
    ["that the site does not have", "one.src = `${base}none/${id}.png`", []],
    ["of which nothing is written but its ending", "one.src = `${base}${id}.png`", []],
    ["in a sentence", 'say("see top.json for more")', []],
    ["in a list of built files, which nothing reads", 'const list = ["_astro/built.css"]', []],
  ])("%s is given its files", async (_where, script, files) => {
    expect((await rewrite(script)).files).toEqual(files);
  });

  it("is told of where it puts one into a style", async () => {
    const styled = "two.style.background = `url(${image})`";
    const { warnings } = await rewrite(`const image = \`\${base}img/a.png\`;\n${styled}`);
    expect(warnings).toMatchObject([{ code: "computed-address", file: "index.html", line: 2, isNotice: true }]);
    expect((await rewrite(styled)).warnings).toEqual([]);
  });
});
