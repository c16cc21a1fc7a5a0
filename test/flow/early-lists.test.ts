import { expect, it, onTestFinished } from "vitest";
import { startService } from "../../src/service.ts";
import { passOn, startProxy, type Proxy } from "../faults/proxy.ts";
import { dialectA, dialectB } from "../strangers/dialect.ts";
import { openAtStranger } from "./published/project.ts";
import { publishAt } from "./publish-at.ts";
import { createTemporarySite, htmlPage } from "./temporary-site.ts";

// A distant host: the first response takes as long as reading the lists.

async function open({ reportsAccount }: { readonly reportsAccount: boolean }) {
  const service = await startService({ ephemeral: true, port: 0, pagesPort: 0, strict: !reportsAccount, dev: true });
  onTestFinished(() => service.close());
  const proxy = await startProxy(service.baseUrl("a"), service);
  onTestFinished(() => proxy.close());
  const site = await createTemporarySite();
  const run = () => publishAt(site.root, { baseUrl: proxy.url, apiKey: service.apiKey });
  return { service, proxy, site, run };
}

/** Delays the account, and the library's probe, until each of these lists has been requested. */
function holdAccount(proxy: Proxy, lists: readonly string[]) {
  const paths: string[] = [];
  const all = Promise.withResolvers<void>();
  proxy.meddle(({ path, answer, forward }) => {
    paths.push(path);
    if (lists.every((list) => paths.some((each) => each.startsWith(list)))) all.resolve();
    if (path !== "/api/account") return undefined;
    return all.promise.then(forward).then((response) => passOn(answer, response));
  });
  return paths;
}

it("requests all lists in parallel with the account of a host that had none", async () => {
  const { proxy, site, run } = await open({ reportsAccount: false });
  await run();
  await site.write("dist/about/index.html", htmlPage("About", "<h1>Changed</h1>"));
  const paths = holdAccount(proxy, ["/api/pages", "/api/library?limit=100", "/api/sites"]);
  const report = await run();
  expect(report.entries.filter(({ kind }) => kind !== "keep").map(({ name }) => name)).toEqual(["about"]);
  // The second list confirms the page that was sent.
  expect(paths.filter((path) => /^\/api\/(?:pages|sites)\?/.test(path))).toHaveLength(3);
});

it.each([dialectA("A"), dialectB("B")])(
  "detects route set $name by the list of files that it needs anyway",
  async (dialect) => {
    const { stranger, run } = await openAtStranger(dialect, { posts: false });
    await run("publish");
    const before = stranger.world.log.length;
    expect(await run("publish")).toMatchObject({ code: 0 });
    const paths = stranger.world.log.slice(before).map(({ path }) => path);
    expect(paths.filter((path) => path === "/api/library" || path === "/api/assets")).toHaveLength(1);
  },
);

it("requests changed lists in parallel with our own service's account", async () => {
  const { proxy, run } = await open({ reportsAccount: true });
  // The second run is the first one that sees pages.
  await run();
  await run();
  const paths = holdAccount(proxy, ["/api/pages?", "/api/library?limit=1"]);
  const report = await run();
  expect(report.requests).toMatchObject({ total: 3, writes: 0 });
  expect(paths).toHaveLength(3);
});

it("reads the lists again if the host reports an account since the last run", async () => {
  const { service, proxy, site, run } = await open({ reportsAccount: true });
  // Until now, it hid its account.
  proxy.meddle(({ path, answer }) =>
    path === "/api/account" ? Promise.resolve(void answer.writeHead(404).end()) : undefined,
  );
  await run();
  proxy.meddle(() => undefined);
  await site.write("dist/about/index.html", htmlPage("About", "<h1>Changed</h1>"));
  const report = await run();
  expect(report.entries.filter(({ kind }) => kind !== "keep").map(({ name }) => name)).toEqual(["about"]);
  // With an account, pages are published in a release, and its parent is read before the pages.
  expect(report.release).toBeDefined();
  const again = await run();
  expect(again.requests).toMatchObject({ writes: 0 });
  expect(service.requests().filter(({ status }) => status >= 400 && status !== 404)).toEqual([]);
});
