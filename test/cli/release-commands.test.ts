import { expect, it } from "vitest";
import { parseOptions, publish } from "../../src/publish.ts";
import { createTemporarySite, htmlPage } from "../flow/temporary-site.ts";
import { openRunningService } from "../service/open-service.ts";
import { commandsFor } from "./run.ts";

/** A site that was published twice: `about` was changed and `new` was added. */
async function open() {
  const [site, service] = [await createTemporarySite(), await openRunningService()];
  const baseUrl = service.baseUrl("a");
  const { apiKey, pagesUrl } = service;
  const run = () =>
    publish({
      projectRoot: site.root,
      dist: site.dist,
      options: parseOptions({ brandKit: false, posts: false }),
      target: { baseUrl, apiKey, pagesUrl, routeSet: "auto", identity: baseUrl, close: async () => {} },
    });
  const first = await run();
  await site.write("dist/about/index.html", htmlPage("About us", "<h1>About us</h1>"));
  await site.write("dist/new/index.html", htmlPage("New", "<h1>New</h1>"));
  const second = await run();
  const read = async (slug: string) => {
    const answer = await fetch(`${pagesUrl}/p/${slug}`);
    return { status: answer.status, html: await answer.text() };
  };
  const ids = [first.release?.id ?? "", second.release?.id ?? ""] as const;
  return { site, publish: run, read, ids, ...(await commandsFor(service, "a")) };
}

it("lists releases, newest first, and marks the live one", async () => {
  const { run, ids } = await open();
  const { out, code } = await run("releases", "list");
  expect(code).toBe(0);
  const [head = "", second = "", first = ""] = out.split("\n");
  expect(head).toMatch(/ID +State +Published +Changed pages +Removed pages/);
  expect(second).toMatch(new RegExp(`${ids[1]} +live +.*UTC +2 +0`));
  expect(first).toMatch(new RegExp(`${ids[0]} +published +.*UTC +3 +0`));
  expect((await run("releases", "list", "--json")).json()).toMatchObject([{ id: ids[1] }, { id: ids[0] }]);
});

it("shows what a release changed, and how two releases differ", async () => {
  const { run, ids } = await open();
  const shown = await run("releases", "show");
  expect(shown.out).toContain(ids[1]);
  expect(shown.out).toMatch(/~ +about +About us\n +\+ +new +New\n/);
  const diff = await run("releases", "diff", ids[0], ids[1]);
  expect(diff.out).toMatch(new RegExp(`${ids[0]} against ${ids[1]}:\\n +~ +about +About\\n +- +new`));
  const unknown = await run("releases", "show", "rel_none");
  expect([unknown.code, unknown.error]).toEqual([2, expect.stringContaining("There is no release rel_none")]);
});

it("rolls back to the previous version, and the next publish moves forward again", async () => {
  const { run, ids, read, publish: publishAgain } = await open();
  expect((await run("releases", "rollback")).code).toBe(2);
  expect((await read("new")).status).toBe(200);

  const back = await run("releases", "rollback", "--yes");
  expect([back.code, back.out]).toEqual([0, expect.stringContaining(`Restored the pages of ${ids[0]} as the release`)]);
  expect((await read("new")).status).toBe(410);
  expect((await read("about")).html).toContain("<title>About</title>");

  const report = await publishAgain();
  expect(report.exitCode).toBe(0);
  expect((await read("new")).status).toBe(200);
  expect((await read("about")).html).toContain("<h1>About us</h1>");
});

it("keeps a manually edited page in a rollback, unless forced", async () => {
  const { run, ids, read } = await open();
  const edited = "<!doctype html><title>By hand</title><h1>By hand</h1>";
  const edit = await run("api", "pages.put", "-f", "slug=about", "-f", `html=${edited}`);
  expect(edit.code).toBe(0);
  const back = await run("releases", "rollback", ids[0], "--yes");
  expect(back.out).toContain("Changed since the last release and kept: about.");
  expect((await read("about")).html).toContain("By hand");
  const forced = await run("releases", "rollback", ids[0], "--yes", "--force");
  expect(forced.code).toBe(0);
  expect((await read("about")).html).toContain("<title>About</title>");
});

it("reports that a service has no releases", async () => {
  const service = await openRunningService({ strict: true });
  const { run } = await commandsFor(service, "a");
  const listed = await run("releases", "list");
  expect([listed.code, listed.error]).toEqual([1, expect.stringContaining("keeps no earlier versions")]);
});
