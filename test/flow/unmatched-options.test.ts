import { expect, it } from "vitest";
import { parseOptions, publish, type ImprintOptions } from "../../src/publish.ts";
import { hostInProcess } from "./hosts.ts";
import { createTemporarySite } from "./temporary-site.ts";

async function openSite() {
  const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: false })];
  const { baseUrl, apiKey, pagesUrl } = host;
  const run = async (options: ImprintOptions, base = "/") => {
    const { warnings, exitCode } = await publish({
      ...{ projectRoot: site.root, dist: site.dist, hints: { base } },
      options: parseOptions({ brandKit: false, strict: true, ...options }),
      target: { baseUrl, apiKey, pagesUrl, routeSet: "a", identity: baseUrl, close: async () => {} },
    });
    expect(exitCode).toBe(0);
    return warnings.map(({ file, message }) => `${file}: ${message}`);
  };
  return { site, run };
}

it("names routes in the options that the site doesn't have, with the nearest, without failing a strict run", async () => {
  const { run } = await openSite();
  expect(await run({ slugs: { "/abuot/": "x" } })).toEqual([
    "slugs: The built site has no page at /abuot/. Did you mean /about/?",
  ]);
  expect(await run({ slugs: { prefx: "docs", "/shop/": "shop" } })).toEqual([
    "slugs: The built site has no page at prefx. Did you mean `prefix`?",
    "slugs: The built site has no page at /shop/.",
  ]);
  expect(await run({ exclude: ["/abuot/**", "/servces/letterpress/"] })).toEqual([
    "exclude: No page of the built site matches /abuot/**. Did you mean /about/?",
    "exclude: No page of the built site matches /servces/letterpress/. Did you mean /services/letterpress/?",
  ]);
});

it("doesn't name routes of the site, or what may come", async () => {
  const { site, run } = await openSite();
  await site.write("dist/old/index.html", '<meta http-equiv="refresh" content="0;url=/about/">');
  expect(await run({ slugs: { "/about/": "team", services: "all", "/old/": "former" } })).toHaveLength(1);
  expect(await run({ exclude: ["/drafts/**", "**/internal/**", "/services/*/", "!/about/", "/about/x"] })).toEqual([]);
});
