import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parseOptions, publish, type Report } from "../../src/publish.ts";
import { connect } from "../../src/client.ts";
import type { ImprintOptions } from "../../src/options/schema.ts";
import { HOSTS, type Host } from "./hosts.ts";
import { createTemporarySite, htmlPage, picture, type TemporarySite } from "./temporary-site.ts";
import { sampleOf, takeTurns } from "../whole.ts";

const worlds = (["a", "b"] as const).flatMap((routeSet) =>
  [true, false].flatMap((strict) =>
    (Object.keys(HOSTS) as (keyof typeof HOSTS)[]).map((place) => ({
      routeSet,
      strict,
      place,
      mode: strict ? "strict" : "full",
    })),
  ),
);

function run(site: TemporarySite, { host, ...options }: ImprintOptions & { readonly host: Host }): Promise<Report> {
  const { baseUrl, apiKey, pagesUrl } = host;
  return publish({
    projectRoot: site.root,
    dist: site.dist,
    options: parseOptions({ posts: { blog: { create: true } }, site: { name: "Halden Press" }, ...options }),
    target: { baseUrl, apiKey, pagesUrl, routeSet: "auto", identity: baseUrl, close: async () => {} },
  });
}

function failuresOf(report: Report): readonly string[] {
  return report.entries
    .filter((entry) => entry.kind === "failed" || entry.kind === "blocked")
    .map((entry) => `${entry.resource} ${entry.name}: ${entry.error?.message ?? entry.reason}`);
}

// Each pair of values.
const sample = sampleOf(worlds, ({ routeSet, strict, place }) => {
  return (routeSet === "b") === (strict === (place === "in this process"));
});

const inTurn = takeTurns(sample, 2);

describe.each(sample)("route set $routeSet, $mode, $place", (world) => {
  const { routeSet, strict, place } = world;
  const isTurn = inTurn(world);
  const open = () => HOSTS[place]({ routeSet, strict });

  it("publishes pages, assets, posts, and the brand kit, then nothing, then only changes", async () => {
    const [site, host] = [await createTemporarySite(), await open()];
    const report = await run(site, { host });
    expect(failuresOf(report)).toEqual([]);
    expect(report.counts.page.create).toBe(3);
    expect(report.counts.post.create).toBe(2);
    expect(report.counts["brand kit"].create).toBe(1);
    expect(report.counts.site.create).toBe(1);

    const answer = await fetch(`${host.pagesUrl}/p/services-letterpress`);
    const html = await answer.text();
    expect(answer.status).toBe(200);
    expect(html).toContain('href="/p/about"');
    expect(html).not.toContain("imprint-asset:");
    const images = [...html.matchAll(/<img src="([^"]+)"/g)].map(([, address]) => address ?? "");
    expect(images.length).toBeGreaterThan(0);
    for (const address of images) expect((await fetch(address)).headers.get("content-type")).toMatch(/^image\//);

    const before = host.methods?.().length;
    const unchanged = await run(site, { host });
    expect(unchanged.requests.writes).toBe(0);
    expect(
      host
        .methods?.()
        .slice(before)
        .filter((method) => method !== "GET") ?? [],
    ).toEqual([]);
    expect(unchanged.entries.filter((entry) => entry.kind !== "keep")).toEqual([]);

    await site.write("dist/about/index.html", htmlPage("About", `<h1>About</h1><img src="/new.png" alt="">`));
    await site.write("dist/new.png", await picture({ width: 90, height: 60, color: "#2b5f7a" }));
    const changed = (await run(site, { host })).entries.filter((entry) => entry.kind !== "keep");
    expect(changed.map((entry) => `${entry.kind} ${entry.name}`)).toEqual(["create new.png", "update about"]);
  });

  it.runIf(isTurn())(
    "creates no duplicates without local state, and deletes a removed page only on request",
    async () => {
      const [site, host] = [await createTemporarySite(), await open()];
      await run(site, { host });
      await rm(join(site.root, ".imprint"), { recursive: true });
      await rm(join(site.root, "imprint.lock.json"));
      const report = await run(site, { host });
      expect(failuresOf(report)).toEqual([]);
      expect(report.entries.filter((entry) => entry.kind === "create")).toEqual([]);
      if (!strict) expect(report.requests.writes).toBe(0);

      await site.remove("dist/about");
      const removed = await run(site, { host });
      expect(removed.entries.filter((entry) => entry.kind === "orphan").map((entry) => entry.name)).toEqual(["about"]);
      expect((await fetch(`${host.pagesUrl}/p/about`)).status).toBe(200);

      const pruned = await run(site, { host, prune: true, maxDeleteShare: 0.5 });
      expect(pruned.counts.page.delete).toBe(1);
      expect((await fetch(`${host.pagesUrl}/p/about`)).status).toBe(410);
    },
  );

  it.runIf(isTurn())("doesn't change a page that it didn't publish", async () => {
    const [site, host] = [await createTemporarySite(), await open()];
    const api = await connect({ baseUrl: host.baseUrl, apiKey: host.apiKey });
    const html = "<!doctype html><title>By hand</title><h1>By hand</h1>";
    await api.pages.create({ slug: "about", title: "By hand", html });
    await api.close();
    const report = await run(site, { host, prune: true, maxDeleteShare: 1 });
    expect(report.entries.find((entry) => entry.name === "about")).toMatchObject({ kind: "blocked" });
    expect(await (await fetch(`${host.pagesUrl}/p/about`)).text()).toContain("By hand");
  });
});
