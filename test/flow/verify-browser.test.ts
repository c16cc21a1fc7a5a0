import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { parseOptions, publish } from "../../src/publish.ts";
import { hostInProcess, type Host } from "./hosts.ts";
import { createTemporarySite, htmlPage, type TemporarySite } from "./temporary-site.ts";

function run(site: TemporarySite, { baseUrl, apiKey, pagesUrl }: Host) {
  return publish({
    projectRoot: site.root,
    dist: site.dist,
    options: parseOptions({ site: { name: "Halden Press" } }),
    target: { baseUrl, apiKey, pagesUrl, routeSet: "a", identity: baseUrl, close: async () => {} },
    verify: "browser",
    connection: { sleep: async () => {} },
  });
}

it("sends nothing and explains how to install playwright-core if the project doesn't have it", async () => {
  const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: false })];
  await expect(run(site, host)).rejects.toMatchObject({
    code: "BROWSER_MISSING",
    hint: expect.stringContaining("npm install --save-dev playwright-core"),
  });
  expect(host.methods?.()).toEqual([]);
});

it("opens one page of each kind and reports what fails only when published", async () => {
  const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: false })];
  await symlink(fileURLToPath(new URL("../../node_modules", import.meta.url)), join(site.root, "node_modules"));
  await site.write("dist/prices.json", "{}");
  const failing = `for (const name of ["prices", "nowhere"]) fetch(["", name + ".json"].join("/"));
    console.error("wrong everywhere");
    const here = location.pathname;
    if (here.startsWith("/p/")) console.error("lost at " + location.href);`;
  const page = htmlPage("Halden Press", `<h1>Halden Press</h1><script>${failing}</script>`);
  await site.write("dist/index.html", page);
  const report = await run(site, host);
  const problems = report.verified?.problems.map(({ kind, address, found, usedBy }) => [kind, address, found, usedBy]);
  expect(problems).toEqual([
    ["browser", `${host.pagesUrl}/prices.json`, "404", ["index"]],
    ["browser", `${host.pagesUrl}/p/index`, "lost at <address>", ["index"]],
  ]);
  // The two other pages run the same scripts.
  expect(report.verified?.browser).toEqual({ pages: 2, shapes: 2 });
  expect(report.exitCode).toBe(1);
});
