import { expect, it } from "vitest";
import { connect } from "../../src/client.ts";
import { parseOptions, publish } from "../../src/publish.ts";
import type { ImprintOptions } from "../../src/options/schema.ts";
import { hostInProcess } from "./hosts.ts";
import type { Host } from "./hosts.ts";
import { createTemporarySite, htmlPage } from "./temporary-site.ts";
import type { TemporarySite } from "./temporary-site.ts";

async function open() {
  const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: false })];
  const pages = Array.from({ length: 250 }, (_, number) => `page-${number}`);
  await Promise.all(pages.map((name) => site.write(`dist/${name}/index.html`, htmlPage(name, `<h1>${name}</h1>`))));
  const api = await connect(host);
  return { site, host, api };
}

function run(site: TemporarySite, { host, ...options }: ImprintOptions & { readonly host: Host }) {
  const { baseUrl, apiKey, pagesUrl } = host;
  return publish({
    projectRoot: site.root,
    dist: site.dist,
    options: parseOptions({ brandKit: false, ...options }),
    target: { baseUrl, apiKey, pagesUrl, routeSet: "auto", identity: baseUrl, close: async () => {} },
  });
}

it("sends no more requests for 250 unchanged pages than for a few", async () => {
  const { site, host } = await open();
  await run(site, { host });
  await run(site, { host });
  const report = await run(site, { host });
  expect(report.counts.page.keep).toBe(253);
  expect(report.requests).toMatchObject({ writes: 0 });
  expect(report.requests.total).toBeLessThanOrEqual(4);
});

it("still sees what others changed, deleted and created since it looked last", async () => {
  const { site, host, api } = await open();
  await run(site, { host });
  await run(site, { host });
  await api.pages.update({
    slug: "page-7",
    title: "By hand",
    html: "<!doctype html><title>By hand</title><h1>By hand</h1>",
  });
  const edited = await run(site, { host });
  expect(edited.entries.find(({ name }) => name === "page-7")).toMatchObject({ kind: "blocked" });

  await api.pages.delete("page-8");
  await api.pages.create({ slug: "other", title: "Other", html: "<!doctype html><title>Other</title>" });
  const restored = await run(site, { host });
  expect(restored.entries.filter(({ kind }) => kind === "create").map(({ name }) => name)).toEqual(["page-8"]);
  await api.close();
});
