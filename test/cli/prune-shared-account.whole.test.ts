import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { connect } from "../../src/client.ts";
import { parseOptions, publish } from "../../src/publish.ts";
import { findUnusedAssets, type UnusedAssets } from "../../src/sync/unused-assets.ts";
import { createTemporarySite } from "../flow/temporary-site.ts";
import { dialectA } from "../strangers/dialect.ts";
import { API_KEY, startStranger, type Stranger } from "../strangers/host.ts";
import { commandsAt } from "./run.ts";

// As specified, an independent host's library list shows no upload times.

const HASH = "0123456789abcdef";
const HOURS = 60 * 60 * 1000;

async function openHost(): Promise<Stranger> {
  const stranger = await startStranger(dialectA("A plain", { pages: { tells: "public-url" } }));
  onTestFinished(() => stranger.close());
  return stranger;
}

/** A published project, and its `imprint assets prune`. */
async function openProject({ baseUrl, world }: Stranger, prefix: string, options: object = {}) {
  const site = await createTemporarySite();
  const { run } = await commandsAt(baseUrl, API_KEY);
  await writeFile(
    join(site.root, "imprint.config.mjs"),
    `export default ${JSON.stringify({ slugs: { prefix }, ...options })};\n`,
  );
  const inProject = (...command: readonly string[]) => run(...command, site.dist, "--root", site.root);
  expect((await inProject("publish")).error).toBe("");
  const lock: unknown = JSON.parse(await readFile(join(site.root, "imprint.lock.json"), "utf8"));
  return {
    site,
    project: String(Reflect.get(Object(lock), "project")),
    publish: () => inProject("publish"),
    prune: (...flags: readonly string[]) => inProject("assets", "prune", ...flags),
    remove: (...words: readonly string[]) => run("assets", "remove", ...words, "--root", site.root),
    names: () => Array.from(world.assets.values(), ({ name }) => name),
  };
}

it("never prunes another project's file, even with a similar name", async () => {
  const host = await openHost();
  const one = await openProject(host, "one");
  const other = await openProject(host, "other");
  const files = [`new.${other.project}.${HASH}.png`, `new.1234abcd.${HASH}.png`, `app.${HASH}.js`];
  for (const name of files) host.byHand.createAsset(name);
  const before = one.names();
  for (const flags of [["--yes"], ["--yes", "--force"]]) {
    const { code, out } = await one.prune(...flags);
    expect([code, out]).toEqual([0, "Every file that this project uploaded is in use.\n"]);
  }
  expect(one.names()).toEqual(before);
});

it("keeps its own files with an unknown upload time, reports them, and deletes them with --force", async () => {
  const host = await openHost();
  const { site, project, publish: publishAgain, prune, names } = await openProject(host, "one");
  const later = `later.${project}.${HASH}.png`;
  host.byHand.createAsset(later);
  await site.write("dist/index.html", "<!doctype html><html><head><title>Home</title></head><body>Home</body></html>");
  await publishAgain();
  const before = names();
  const kept = await prune("--yes");
  expect([kept.code, kept.out]).toEqual([0, expect.stringMatching(/doesn't show their upload time \(`createdAt`\)/)]);
  expect(kept.out).toContain("Include them with --force.");
  expect(names()).toEqual(before);
  expect((await prune("--yes", "--force")).out).toContain("Deleted: ");
  expect(names()).not.toContain(later);
  expect(names().length).toBeLessThan(before.length - 1);
});

it("lists its own file that this machine has known for a day if the host shows no upload time", async () => {
  const host = await openHost();
  const { site, project, publish: publishAgain } = await openProject(host, "one");
  host.byHand.createAsset(`later.${project}.${HASH}.png`);
  await site.write("dist/index.html", "<!doctype html><html><head><title>Home</title></head><body>Home</body></html>");
  await publishAgain();
  const { baseUrl } = host;
  const api = await connect({ baseUrl, apiKey: API_KEY, routeSet: "a" });
  onTestFinished(() => api.close());
  async function unusedAfter(ms: number): Promise<UnusedAssets> {
    let found: UnusedAssets | undefined;
    await publish({
      projectRoot: site.root,
      dist: site.dist,
      dryRun: true,
      options: parseOptions({ slugs: { prefix: "one" } }),
      target: {
        baseUrl,
        apiKey: API_KEY,
        routeSet: "auto",
        identity: baseUrl,
        pagesUrl: undefined,
        close: async () => {},
      },
      async onPlanned(planned) {
        found = await findUnusedAssets(planned, {
          now: new Date(Date.now() + ms),
          includeRecent: false,
        });
      },
    });
    if (found === undefined) throw new Error("Nothing was planned.");
    return found;
  }
  expect((await unusedAfter(23 * HOURS)).unused).toEqual([]);
  const { unused, undated } = await unusedAfter(25 * HOURS);
  expect(unused.map(({ name }) => name)).toContainEqual(expect.stringMatching(/^photo\./));
  expect(undated.map(({ name }) => name)).toEqual([`later.${project}.${HASH}.png`]);
});

it.each(["sites", "blogs", "brand kits", "domains", "pages", "other addresses", "uses of the library"] as const)(
  "never prunes a file that somebody chose for %s",
  async (kind) => {
    const host = await openHost();
    const { project, prune, names } = await openProject(host, "one");
    const chosen = `chosen.${project}.${HASH}.png`;
    host.byHand.createAsset(chosen);
    const { assets, brandKits, domains, pages, sites, blogs } = host.world;
    const asset = [...assets.values()].find(({ name }) => name === chosen);
    const assetId = asset?.id;
    const record = {
      id: "by_hand",
      fields: { name: "Somebody's", cover: { assetId } },
      createdAt: "2026-01-05T10:00:00Z",
    };
    if (kind === "sites") sites.set(record.id, record);
    if (kind === "blogs") {
      blogs.set(record.id, record);
      host.world.posts.set(record.id, []);
    }
    const [page] = pages.values();
    if (kind === "pages" && page !== undefined) pages.set(page.slug, { ...page, ogImage: assetId ?? "" });
    if (kind === "brand kits") brandKits.set(record.id, record);
    if (kind === "domains") domains.set(record.id, { ...record, fields: { domain: "x.example", icon: { assetId } } });
    if (kind === "uses of the library" && asset) assets.set(asset.id, { ...asset, usedBy: ["page:visit"] });
    if (kind === "other addresses") {
      host.byHand.createPage("visit", "Visit");
      host.byHand.editPage("visit", (html) => `${html}<img src="https://images.example/w_400/${chosen}" alt="">`);
    }
    const { code, out } = await prune("--yes", "--force");
    expect([code, out]).toEqual([0, "Every file that this project uploaded is in use.\n"]);
    expect(names()).toContain(chosen);
  },
);

it("reports a file that the host says it deleted and still lists", async () => {
  const host = await openHost();
  const { project, prune, remove, names } = await openProject(host, "one");
  const unused = `unused.${project}.${HASH}.png`;
  host.byHand.createAsset(unused);
  host.world.assets.delete = () => true;
  for (const command of [() => prune("--yes", "--force"), () => remove(unused, "--yes")]) {
    const { code, out, error } = await command();
    expect({ code, out, error }).toMatchObject({ code: 1, out: expect.stringContaining("Deleted: 0 files.") });
    expect(error).toContain("still lists it");
    expect(names()).toContain(unused);
  }
});

it.each(["pages", "sites", "brandKits", "blogs"] as const)(
  "deletes nothing while the list of %s lacks what this project published",
  async (kind) => {
    const host = await openHost();
    const { project, prune, names } = await openProject(host, "one", {
      posts: kind === "blogs" && { blog: { create: true } },
    });
    host.byHand.createAsset(`unused.${project}.${HASH}.png`);
    const before = names();
    const { world } = host;
    const [[key, record] = ["", undefined]] = [...world[kind]].reverse();
    world[kind].delete(key);
    const { code, error } = await prune("--yes", "--force");
    expect({ code, error }).toMatchObject({
      code: 1,
      error: expect.stringMatching(/list of .* lacks .* Nothing was deleted/s),
    });
    expect(names()).toEqual(before);
    (world[kind] as Map<string, unknown>).set(key, record);
    // This host doesn't show covers of posts.
    const after = await prune("--yes", "--force");
    if (kind === "blogs") expect(after.error).toContain("doesn't show the cover image");
    else expect(after.out).toContain("Deleted: 1 file.");
  },
);
