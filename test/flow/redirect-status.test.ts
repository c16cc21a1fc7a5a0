import { expect, it } from "vitest";
import { connect } from "../../src/client.ts";
import type { RedirectStatus } from "../../src/base/redirect-status.ts";
import { parseOptions, publish } from "../../src/publish.ts";
import { hostInProcess } from "./hosts.ts";
import { createTemporarySite } from "./temporary-site.ts";

/** What `astro build` writes for a redirect: the only sign of its status are the two seconds of a 302. */
function redirectPage(to: string, delay: 0 | 2): string {
  return `<!doctype html><title>Redirecting to: ${to}</title><meta http-equiv="refresh" content="${delay};url=${to}"><meta name="robots" content="noindex"><body><a href="${to}">Redirecting</a></body>`;
}

const STATUSES: readonly RedirectStatus[] = [303, 307, 308];

it("a redirect has the status that the site gives it, and redirects readers at once", async () => {
  const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: false })];
  const routes = STATUSES.map((redirectStatus) => {
    const files = [`as-${redirectStatus}/index.html`];
    return { pattern: `/as-${redirectStatus}`, type: "redirect", files, redirectStatus } as const;
  });
  for (const { files } of routes) await site.write(`dist/${files[0]}`, redirectPage("/about/", 0));
  await site.write("dist/for-good/index.html", redirectPage("/about/", 0));
  await site.write("dist/now/index.html", redirectPage("/about/#team", 2));
  await site.write("dist/away/index.html", redirectPage("https://other.example/", 2));
  const run = (known: typeof routes) =>
    publish({
      projectRoot: site.root,
      dist: site.dist,
      hints: { site: "https://halden.example", routes: known },
      options: parseOptions({ brandKit: false, posts: false }),
      target: { ...host, routeSet: "auto", identity: host.baseUrl, close: async () => {} },
    });
  async function ask(path: string): Promise<readonly unknown[]> {
    const response = await fetch(`${host.pagesUrl}${path}`, { redirect: "manual" });
    return [response.status, response.headers.get("Location")?.replace(host.pagesUrl, "")];
  }

  await run(routes);
  expect(await ask("/p/for-good")).toEqual([301, "/p/about"]);
  expect(await ask("/p/now")).toEqual([302, "/p/about#team"]);
  expect(await ask("/now/")).toEqual([302, "/p/about#team"]);
  expect(await ask("/p/away")).toEqual([302, "https://other.example/"]);
  for (const status of STATUSES) expect(await ask(`/p/as-${status}`)).toEqual([status, "/p/about"]);
  const api = await connect(host);
  const now = '<meta data-imprint-status="302" http-equiv="refresh" content="0;url=/p/about#team">';
  expect(await api.pages.readHtml("now")).toContain(now);
  expect(await api.pages.readHtml("away")).toContain('content="0;url=https://other.example/">');
  expect(await api.pages.readHtml("for-good")).not.toContain("data-imprint");
  await api.close();
  expect((await run(routes)).requests.writes).toBe(0);

  await run([]);
  expect(await ask("/p/as-307")).toEqual([301, "/p/about"]);
});
