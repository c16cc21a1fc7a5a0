import { expect, it } from "vitest";
import { parseOptions, publish } from "../../src/publish.ts";
import { hostInProcess } from "./hosts.ts";
import { createTemporarySite, htmlPage } from "./temporary-site.ts";

async function warningsOf(route: string): Promise<readonly string[]> {
  const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: false })];
  await site.write(`dist${route}index.html`, htmlPage("Pricing", "<h1>What printing costs</h1>"));
  await site.write("src/content/blog/pricing.md", "---\ntitle: How we price\ndate: 2024-05-01\n---\n\nBy the hour.\n");
  const { warnings } = await publish({
    projectRoot: site.root,
    dist: site.dist,
    options: parseOptions({ posts: { target: "pages" } }),
    target: { ...host, routeSet: "a", identity: host.baseUrl, close: async () => {} },
    dryRun: true,
  });
  return warnings.filter(({ code }) => code === "post-page").map(({ file, message }) => `${file}: ${message}`);
}

it("reports which page outside the blog it treats as a post's page", async () => {
  const [warning = "", ...others] = await warningsOf("/pricing/");
  expect(warning).toContain(
    "src/content/blog/pricing.md: imprint uses the site's page /pricing/ as the page of this post",
  );
  expect(others).toEqual([]);
});

it("reports nothing about a post's page in the blog", async () => {
  expect(await warningsOf("/blog/pricing/")).toEqual([]);
});
