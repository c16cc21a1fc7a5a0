import { expect, it } from "vitest";
import { readBuiltSite } from "../../../src/site/read-site.ts";
import { createRewriter } from "../../../src/site/rewrite/rewriter.ts";
import { planSlugs } from "../../../src/site/slugs.ts";
import { makeFolder, PLACEMENTS, rewriteSettings, wholePage, writeSiteFile } from "./fixture.ts";

async function rewrite(script: string, sheets: readonly string[]) {
  const dist = makeFolder();
  for (const [index, sheet] of sheets.entries()) writeSiteFile(dist, `themes/${index}.css`, sheet);
  writeSiteFile(dist, "index.html", `<!doctype html><script>${script}</script>`);
  const site = await readBuiltSite(dist, { site: "https://example.com", base: "/" });
  const settings = rewriteSettings(planSlugs(["/"]).slugs, { placement: PLACEMENTS.inline });
  const [page] = site.pages.map((each) => wholePage(createRewriter(site, settings).rewrite(each)));
  return { html: page?.html ?? "", warnings: page?.warnings };
}

it("doesn't put style sheets into a page where a library tests a text that has the name of an address", async () => {
  const { html, warnings } = await rewrite("let t = e.src; parse((t) => t.match(/^[^<]*/))", ["p { color: red }"]);
  expect(html).not.toContain("color: red");
  expect(warnings).toEqual([]);
});

it("reports style sheets that are too large to list in a script", async () => {
  const sheets = ["0", "1"].map((name) => `/* ${name.repeat(40_000)} */`);
  const { html, warnings } = await rewrite('theme.href = theme.href.replace("0.css", "1.css")', sheets);
  expect(html.length).toBeLessThan(10_000);
  expect(warnings).toMatchObject([{ code: "computed-address", file: "index.html", line: 1 }]);
});
