import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { connect } from "../../src/client.ts";
import { runCli } from "../../src/cli/run-cli.ts";
import { parseOptions, publish, type ImprintOptions, type Report } from "../../src/publish.ts";
import { dialectA } from "../strangers/dialect.ts";
import { API_KEY, startStranger } from "../strangers/host.ts";
import { hostInProcess, type Host } from "./hosts.ts";
import { createTemporarySite, htmlPage, picture, type TemporarySite } from "./temporary-site.ts";
import { takeTurns } from "../whole.ts";

const worlds = (["a", "b"] as const).flatMap((routeSet) =>
  [true, false].map((strict) => ({ routeSet, strict, mode: strict ? "strict" : "full" })),
);

type Place = Pick<Host, "baseUrl" | "apiKey"> & { readonly pagesUrl: string | undefined };

interface RunOptions extends ImprintOptions {
  readonly host: Place;
  readonly preview?: string;
}

function run(site: TemporarySite, { host, preview, ...options }: RunOptions): Promise<Report> {
  const { baseUrl, apiKey, pagesUrl } = host;
  return publish({
    projectRoot: site.root,
    dist: site.dist,
    preview,
    options: parseOptions({ posts: { blog: { create: true } }, site: { name: "Halden Press" }, ...options }),
    target: { baseUrl, apiKey, pagesUrl, routeSet: "auto", identity: baseUrl, close: async () => {} },
  });
}

/** A CI machine without earlier runs. */
async function forget(site: TemporarySite): Promise<void> {
  await rm(join(site.root, ".imprint"), { recursive: true });
}

async function command(site: TemporarySite, host: Place, ...argv: readonly string[]) {
  let output = "";
  const write = (text: string) => void (output += text);
  const environment = { IMPRINT_API_KEY: host.apiKey, IMPRINT_SERVICE: host.baseUrl };
  const code = await runCli(argv, { cwd: site.root, environment, out: { write }, error: { write } });
  return { code, output };
}

async function pagesOf(host: Host): Promise<ReadonlyMap<string, string>> {
  const api = await openApi(host);
  const { items } = await api.pages.list();
  const entries = await Promise.all(items.map(async ({ slug }) => [slug, await read(host, slug)] as const));
  return new Map(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

async function openApi(host: Host) {
  const api = await connect(host);
  onTestFinished(() => api.close());
  return api;
}

async function read({ pagesUrl }: Host, slug: string): Promise<string> {
  return (await fetch(`${pagesUrl}/p/${slug}`)).text();
}

const LIVE = ["about", "index", "services-letterpress"];
const PREVIEW = LIVE.map((slug) => `preview-pr-12--${slug}`);

const inTurn = takeTurns(worlds);

describe.each(worlds)("route set $routeSet, $mode", (world) => {
  const { routeSet, strict } = world;
  const isTurn = inTurn(world);
  const open = async () => [await createTemporarySite(), await hostInProcess({ routeSet, strict })] as const;

  it.runIf(isTurn())("publishes a preview with links to its own pages, and changes nothing else", async () => {
    const [site, host] = await open();
    const canonical = `<link rel="canonical" href="https://halden.example/about/"><meta name="robots" content="index">`;
    const about = htmlPage("About", `<h1>About</h1><a href="/#top">Home</a>`).replace("</head>", `${canonical}</head>`);
    await site.write("dist/about/index.html", about);
    await run(site, { host });
    const live = await pagesOf(host);
    const lock = await readFile(join(site.root, "imprint.lock.json"), "utf8");
    const api = await openApi(host);
    const before = [await api.sites.list(), await api.brandKits.list(), (await api.assets.list()).items.length];

    await site.write("dist/index.html", htmlPage("Halden Press", `<h1>New</h1><img src="/photo.png" alt="The press">`));
    await site.write("src/content/blog/new.md", "---\ntitle: New\npubDate: 2026-03-01\n---\n\nNew.\n");
    const report = await run(site, { host, preview: "pr-12" });
    expect(report.entries.filter(({ kind }) => kind === "failed" || kind === "blocked")).toEqual([]);
    expect(report).toMatchObject({ preview: "pr-12", links: { home: `${host.pagesUrl}/p/preview-pr-12--index` } });
    expect(new Set(report.entries.map(({ resource }) => resource))).toEqual(new Set(["asset", "page"]));

    const pages = await pagesOf(host);
    expect([...pages.keys()]).toEqual([...LIVE, ...PREVIEW].toSorted());
    for (const slug of LIVE) expect(pages.get(slug)).toBe(live.get(slug));
    expect(await readFile(join(site.root, "imprint.lock.json"), "utf8")).toBe(lock);
    expect([await api.sites.list(), await api.brandKits.list(), (await api.assets.list()).items.length]).toEqual(
      before,
    );
    for (const slug of PREVIEW) {
      const html = pages.get(slug) ?? "";
      const links = [...html.matchAll(/href="(\/p\/[^"#]*)/g)].map(([, href]) => href);
      expect(links.length).toBeGreaterThan(2);
      expect(links.filter((href) => href?.startsWith("/p/preview-pr-12--") !== true)).toEqual([]);
      expect(html.match(/<meta name="robots"[^>]*>/g)).toEqual(['<meta name="robots" content="noindex">']);
    }
    const address = `${host.pagesUrl}/p/preview-pr-12--about`;
    expect(pages.get("preview-pr-12--about")).toContain(`<link rel="canonical" href="${address}">`);
    expect(live.get("about")).toContain('<meta name="robots" content="index">');
  });

  it.runIf(isTurn())("sends nothing for an unchanged preview, even from a machine without state", async () => {
    const [site, host] = await open();
    await run(site, { host });
    await site.write(
      "dist/index.html",
      htmlPage("Halden Press", `<img src="/photo.png" alt=""><img src="/new.png" alt="">`),
    );
    await site.write("dist/new.png", await picture({ width: 90, height: 60, color: "#2b5f7a" }));
    await run(site, { host, preview: "pr-12" });
    expect((await run(site, { host, preview: "pr-12" })).requests.writes).toBe(0);
    await forget(site);
    const report = await run(site, { host, preview: "pr-12" });
    expect(report.counts.page).toMatchObject({ keep: 3, create: 0, update: 0 });
    expect(report.counts.asset.create).toBe(0);
  });

  it.runIf(isTurn())("deletes only its own pages that the build no longer has", async () => {
    const [site, host] = await open();
    await run(site, { host });
    await run(site, { host, preview: "pr-1" });
    await run(site, { host, preview: "pr-12" });
    await forget(site);
    await site.remove("dist/about");
    const report = await run(site, { host, preview: "pr-12" });
    expect(report.entries.filter(({ kind }) => kind === "delete").map(({ name }) => name)).toEqual([
      "preview-pr-12--about",
    ]);
    const rest = [...(await pagesOf(host)).keys()].filter((slug) => !slug.startsWith("preview-pr-12--"));
    expect(rest).toEqual([...LIVE, ...LIVE.map((slug) => `preview-pr-1--${slug}`)].toSorted());
  });

  it.runIf(isTurn())("is neither reported as left over nor deleted by any live run", async () => {
    const [site, host] = await open();
    await run(site, { host, preview: "pr-12" });
    await run(site, { host });
    await site.remove("dist/about");
    for (const isForgetful of [false, true]) {
      if (isForgetful) await forget(site);
      const report = await run(site, { host, prune: true, maxDeleteShare: 1 });
      expect(report.entries.filter(({ name }) => name.startsWith("preview-"))).toEqual([]);
    }
    const slugs = [...(await pagesOf(host)).keys()];
    expect(slugs).toEqual(["index", ...PREVIEW, "services-letterpress"].toSorted());
  });

  it.runIf(isTurn())("is listed and removed by name, with nothing else", async () => {
    const [site, host] = await open();
    await run(site, { host });
    await run(site, { host, preview: "pr-1" });
    await run(site, { host, preview: "pr-12" });
    await forget(site);
    const list = await command(site, host, "preview", "list", "--json");
    const previews: readonly Record<string, unknown>[] = JSON.parse(list.output);
    expect(previews.map(({ name, pages }) => [name, pages]).toSorted()).toEqual([
      ["pr-1", 3],
      ["pr-12", 3],
    ]);
    expect(previews.find(({ name }) => name === "pr-12")).toMatchObject({ slugs: PREVIEW.toSorted() });
    expect((await command(site, host, "preview", "list")).output).toMatch(/pr-12 {2}3 pages, 20\d\d-/);

    const remove = ["preview", "remove", "pr-12", "--pages-url", host.pagesUrl] as const;
    const refused = await command(site, host, ...remove);
    expect(refused).toMatchObject({ code: 2, output: expect.stringContaining("--yes") });
    const removed = await command(site, host, ...remove, "--yes");
    expect(removed).toEqual({ code: 0, output: "Deleted 3 pages of the preview pr-12.\n" });
    const again = await command(site, host, ...remove, "--yes");
    expect(again).toEqual({ code: 0, output: "There is no preview pr-12: nothing to delete.\n" });
    expect([...(await pagesOf(host)).keys()]).toEqual(
      [...LIVE, ...LIVE.map((slug) => `preview-pr-1--${slug}`)].toSorted(),
    );
  });

  it.runIf(isTurn())("keeps pages at its slugs that imprint didn't publish, and reports them", async () => {
    const [site, host] = await open();
    await run(site, { host, preview: "pr-12" });
    const api = await openApi(host);
    const html = "<!doctype html><title>By hand</title><h1>By hand</h1>";
    await api.pages.create({ slug: "preview-pr-12--note", title: "By hand", html });
    const { code, output } = await command(site, host, "preview", "remove", "pr-12", "--yes");
    expect(code).toBe(1);
    expect(output).toMatch(/1 page left:\n {2}! preview-pr-12--note: /);
    expect(await read(host, "preview-pr-12--note")).toContain("By hand");
    expect((await api.pages.list()).items.map(({ slug }) => slug)).toEqual(["preview-pr-12--note"]);
  });
});

it("refuses to publish a live page under a preview's slug", async () => {
  const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: false })];
  const slugs = { "/about/": "preview-pr-12--about" };
  await expect(run(site, { host, slugs })).rejects.toMatchObject({ code: "SLUG_INVALID" });
});

it("shows with --preview what would change in a preview's page, by its live slug", async () => {
  const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: false })];
  await run(site, { host, preview: "pr-12" });
  await site.write("dist/about/index.html", htmlPage("About", `<h1>About us</h1>`));
  const { output } = await command(site, host, "diff", "about", "--preview", "pr-12");
  expect(output).toContain("--- preview-pr-12--about (live)");
  expect(output).toContain("+<h1>About us</h1>");
});

it("keeps files that only a preview uses when unused files are pruned", async () => {
  const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: false })];
  await run(site, { host, posts: false });
  await site.write("dist/index.html", htmlPage("Halden Press", `<img src="/only.png" alt="">`));
  await site.write("dist/only.png", await picture({ width: 90, height: 60, color: "#2b5f7a" }));
  await run(site, { host, posts: false, preview: "pr-12" });
  await site.write("dist/index.html", htmlPage("Halden Press", `<h1>Halden Press</h1>`));
  await run(site, { host, posts: false });
  const { output } = await command(site, host, "assets", "prune", "--force");
  expect(output).toContain("photo.");
  expect(output).not.toContain("only.");
});

it("deletes nothing without state on a service that hides HTML, because it can't verify that pages are its own", async () => {
  const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: true })];
  await run(site, { host, preview: "pr-12" });
  await forget(site);
  const { code, output } = await command(site, host, "preview", "remove", "pr-12", "--yes");
  expect(code).toBe(1);
  expect(output).toMatch(/3 pages left:\n[\s\S]*doesn't show whether imprint published it[\s\S]*--pages-url/);
  expect((await fetch(`${host.pagesUrl}/p/preview-pr-12--about`)).status).toBe(200);
});

it("is listed and removed without .imprint/ if only imprint.lock.json has the address of pages", async () => {
  const stranger = await startStranger(dialectA("shows pages beside its API", { pages: { reads: "nothing" } }));
  onTestFinished(() => stranger.close());
  const { baseUrl } = stranger;
  const host = { baseUrl, apiKey: API_KEY, pagesUrl: undefined };
  const site = await createTemporarySite();
  await run(site, { host });
  await run(site, { host, preview: "pr-12" });
  await forget(site);
  const publishing = await command(site, host, "publish", "dist", "--preview", "pr-12");
  expect(publishing).toMatchObject({ code: 0, output: expect.not.stringContaining("imprint.lock.json doesn't list") });
  await forget(site);
  const { output } = await command(site, host, "preview", "list");
  expect(output).toMatch(/pr-12 .*3 pages/);
  expect(output).toContain(`${baseUrl}/p/preview-pr-12--index\n`);
  expect(await command(site, host, "open", "--no-browser")).toEqual({ code: 0, output: `${baseUrl}/p/index\n` });
  const removal = await command(site, host, "preview", "remove", "pr-12", "--yes");
  expect(removal).toMatchObject({ code: 0, output: "Deleted 3 pages of the preview pr-12.\n" });
  expect([...stranger.world.pages.keys()].toSorted()).toEqual(LIVE);
});

it("lists the home page of a preview if the address of pages is unknown", async () => {
  const stranger = await startStranger(dialectA("doesn't tell", { pages: { shownAt: "/acme/{slug}" } }));
  onTestFinished(() => stranger.close());
  const host = { baseUrl: stranger.baseUrl, apiKey: API_KEY, pagesUrl: undefined };
  const site = await createTemporarySite();
  await run(site, { host, preview: "pr-12" });
  const { output } = await command(site, host, "preview", "list");
  expect(output).toContain("preview-pr-12--index, at an address that the service doesn't report");
});

describe("imprint publish on a branch that isn't published", () => {
  async function openOnBranch(branch: string) {
    const site = await createTemporarySite();
    await site.write("imprint.config.mjs", 'export default { publish: { branches: ["main"] } };');
    await site.write(".git/HEAD", `ref: refs/heads/${branch}\n`);
    return site;
  }

  it("reports why in one line, needs no key, and exits with 0", async () => {
    const site = await openOnBranch("fix/typo");
    let output = "";
    const write = (text: string) => void (output += text);
    const context = { cwd: site.root, environment: {}, out: { write }, error: { write } };
    const why = "Not published: this is the branch fix/typo (.git/HEAD), which is not in `publish.branches`.";
    expect(await runCli(["publish"], context)).toBe(0);
    expect(output).toBe(`${why}\n`);
    output = "";
    expect(await runCli(["publish", "--json"], context)).toBe(0);
    expect(JSON.parse(output)).toEqual({ version: 1, notPublished: why, exitCode: 0 });
  });

  it("still plans for the live site, publishes if forced, and creates a named preview", async () => {
    const [site, host] = [await openOnBranch("fix/typo"), await hostInProcess({ routeSet: "a", strict: false })];
    const plan = await command(site, host, "plan");
    expect(plan.output).toMatch(/^Not published: .*\nThis is the plan for the live site\.\n/);
    expect(plan.output).toContain("+ about");
    expect((await command(site, host, "publish", "--preview", "fix/typo")).output).toContain("the preview fix-typo");
    expect((await command(site, host, "publish", "--branch", "main")).code).toBe(0);
    const previews = LIVE.map((slug) => `preview-fix-typo--${slug}`);
    expect([...(await pagesOf(host)).keys()]).toEqual([...LIVE, ...previews].toSorted());
  });
});
