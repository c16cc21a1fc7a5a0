import { expect, it, onTestFinished } from "vitest";
import { parseOptions, publish } from "../../src/publish.ts";
import { startService } from "../../src/service.ts";
import { createTemporarySite, htmlPage } from "./temporary-site.ts";

it("a deletion skipped because of an earlier failure is reported as blocked, not as deleted", async () => {
  const service = await startService({ ephemeral: true, port: 0, pagesPort: 0, strict: true, dev: true });
  onTestFinished(() => service.close());
  const [site, baseUrl] = [await createTemporarySite(), service.baseUrl("a")];
  const run = () =>
    publish({
      projectRoot: site.root,
      dist: site.dist,
      options: parseOptions({ brandKit: false, prune: true, maxDeleteShare: 1 }),
      target: {
        ...{ baseUrl, apiKey: service.apiKey, pagesUrl: service.pagesUrl, identity: baseUrl },
        ...{ routeSet: "a", close: async () => {} },
      },
      connection: { sleep: async () => {} },
    });
  await run();
  await site.remove("dist/about");
  await site.write("dist/new/index.html", htmlPage("New", "<h1>New</h1>"));
  service.setFaults({ rules: [{ operation: "pages.put", count: 50, fault: { kind: "status", status: 500 } }] });
  const { entries, counts } = await run();
  expect(counts.page).toMatchObject({ delete: 0, blocked: 1 });
  expect(entries.find(({ name }) => name === "about")).toMatchObject({
    kind: "blocked",
    reason: "an earlier step failed, and imprint deletes nothing after a failure",
  });
});
