import { expect, it } from "vitest";
import { readBuiltSite } from "../../../src/site/read-site.ts";
import { createRewriter } from "../../../src/site/rewrite/rewriter.ts";
import { planSlugs } from "../../../src/site/slugs.ts";
import { makeFolder, PLACEMENTS, rewriteSettings, wholePage, writeSiteFile } from "./fixture.ts";

it("saves a file by the name that it has in the site, where the link gives none", async () => {
  const dist = makeFolder();
  const links = `<a href="/list.csv" download>A</a><a href="/list.csv" download="mine.csv">B</a><a href="/" download>C</a>`;
  writeSiteFile(dist, "list.csv", "a,b");
  writeSiteFile(dist, "index.html", `<!doctype html>${links}`);
  const site = await readBuiltSite(dist, { site: "https://example.com", base: "/" });
  const settings = rewriteSettings(planSlugs(["/"]).slugs, { placement: PLACEMENTS.library });
  const [html] = site.pages.map((page) => wholePage(createRewriter(site, settings).rewrite(page)).html);
  expect(html?.match(/ download[^>]*>/g)).toEqual([' download="list.csv">', ' download="mine.csv">', " download>"]);
});
