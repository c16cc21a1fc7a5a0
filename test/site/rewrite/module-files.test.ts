import { expect, it } from "vitest";
import { readBuiltSite } from "../../../src/site/read-site.ts";
import { createRewriter } from "../../../src/site/rewrite/rewriter.ts";
import { planSlugs } from "../../../src/site/slugs.ts";
import { makeFolder, PLACEMENTS, rewriteSettings, wholePage, writeSiteFile } from "./fixture.ts";

it("a module finds the data beside it, also if no library takes it and the address is read later", async () => {
  const dist = makeFolder();
  writeSiteFile(dist, "widget/main.js", 'const u = new URL("./cfg.json", import.meta.url); await fetch(u);');
  writeSiteFile(dist, "widget/cfg.json", '{"n":7}');
  writeSiteFile(dist, "index.html", '<!doctype html><script type="module" src="/widget/main.js"></script>');
  const site = await readBuiltSite(dist, { site: "https://example.com", base: "/" });
  const settings = rewriteSettings(planSlugs(["/"]).slugs, { placement: PLACEMENTS.inline });
  const [html = ""] = site.pages.map((page) => wholePage(createRewriter(site, settings).rewrite(page)).html);
  const data = `data:application/json;base64,${Buffer.from('{"n":7}').toString("base64")}`;
  expect(JSON.stringify(html)).toContain(data);
  expect(html).toMatch(/new URL\([^)]*,location\.href\)/);
});
