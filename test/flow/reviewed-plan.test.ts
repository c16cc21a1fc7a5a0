import { expect, it } from "vitest";
import { connect } from "../../src/client.ts";
import { parseOptions, publish, type PublishRequest } from "../../src/publish.ts";
import { checkPlanFile, renderPlanFile } from "../../src/sync/plan-file.ts";
import { hostInProcess } from "./hosts.ts";
import { createTemporarySite, htmlPage } from "./temporary-site.ts";

it("a reviewed plan stays valid if someone deletes another page in the meantime", async () => {
  const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: false })];
  const target = { baseUrl: host.baseUrl, routeSet: "a" } as const;
  const run = (more: Partial<PublishRequest> = {}) =>
    publish({
      projectRoot: site.root,
      dist: site.dist,
      options: parseOptions({ brandKit: false }),
      target: { ...host, routeSet: "auto", identity: host.baseUrl, close: async () => {} },
      ...more,
    });
  const api = await connect(host);
  await api.pages.create({ slug: "by-hand", title: "By hand", html: "<!doctype html><title>By hand</title>" });
  await run();
  await run();
  await site.write("dist/about/index.html", htmlPage("About", "<h1>Changed</h1>"));
  let reviewed = "";
  await run({ dryRun: true, onPlanned: ({ plan }) => void (reviewed = renderPlanFile(plan, target)) });
  await api.pages.delete("by-hand");
  await api.close();
  const report = await run({ onPlanned: ({ plan }) => checkPlanFile(reviewed, { plan, target }) });
  expect(report.counts.page).toMatchObject({ update: 1, failed: 0 });
});
