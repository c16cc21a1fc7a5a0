import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { truncate } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { connect } from "../../src/client.ts";
import { parseOptions, publish, type PublishRequest } from "../../src/publish.ts";
import { startService } from "../../src/service.ts";
import { startProxy } from "../faults/proxy.ts";
import { hostInProcess } from "./hosts.ts";
import { createTemporarySite, htmlPage } from "./temporary-site.ts";

async function open() {
  const service = await startService({ ephemeral: true, port: 0, pagesPort: 0, dev: true });
  onTestFinished(() => service.close());
  const [site, film] = [await createTemporarySite(), randomBytes(5_000_000)];
  await site.write("dist/tour.mp4", film);
  await site.write("dist/tour/index.html", htmlPage("Tour", '<video src="/tour.mp4" controls></video>'));
  const host = { baseUrl: service.baseUrl("a"), apiKey: service.apiKey, pagesUrl: service.pagesUrl };
  const run = (more: Partial<PublishRequest> = {}) =>
    publish({
      projectRoot: site.root,
      dist: site.dist,
      options: parseOptions({ brandKit: false }),
      target: { ...host, routeSet: "a", identity: host.baseUrl, close: async () => {} },
      connection: { sleep: async () => {} },
      ...more,
    });
  return { service, site, film, host, run };
}

it("large files arrive intact, even if the connection drops during an upload", async () => {
  const { service, film, host, run } = await open();
  const rule = { operation: "assets.upload", count: 3, fault: { kind: "reset", when: "before-commit" } } as const;
  service.setFaults({ rules: [rule] });
  const { exitCode } = await run();
  expect(exitCode).toBe(0);
  const api = await connect(host);
  const { items } = await api.assets.list();
  const films = items.filter(({ name }) => name?.startsWith("tour."));
  expect(films).toHaveLength(1);
  const stored = await fetch(films[0]?.url ?? "");
  expect(Buffer.from(await stored.arrayBuffer()).equals(film)).toBe(true);
  await api.close();
});

it("large files that disappear before the upload are named, and the rest of the site is published", async () => {
  const { site, run } = await open();
  const { entries } = await run({ onPlanned: () => site.remove("dist/tour.mp4") });
  expect(entries.find(({ name }) => name === "tour.mp4")?.error).toMatchObject({
    code: "ASSET_MISSING",
    message: expect.stringContaining("tour.mp4 can't be read"),
  });
  expect(entries.find(({ name }) => name === "about")).toMatchObject({ kind: "create" });
});

it("large files that change during the upload are reported, and the page that uses them isn't published without them", async () => {
  const { site, run } = await open();
  const onPlanned = () => truncate(join(site.dist, "tour.mp4"), 3_000_000);
  const { entries } = await run({ onPlanned });
  expect(entries.find(({ name }) => name === "tour.mp4")?.error).toMatchObject({
    code: "ASSET_MISSING",
    message: expect.stringContaining("tour.mp4 changed while it was sent"),
  });
  expect(entries.find(({ name }) => name === "tour")?.error?.code).toBe("ASSET_MISSING");
  expect(entries.find(({ name }) => name === "about")).toMatchObject({ kind: "create" });
});

it("large files are read only when they are sent, so that a site with many of them fits into memory", async () => {
  const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: true })];
  const proxy = await startProxy(host.baseUrl);
  onTestFinished(() => proxy.close());
  const drawings = Array.from({ length: 24 }, (_, number) => `drawing-${number}.svg`);
  const tags = drawings.map((name) => `<img src="/${name}" alt="">`);
  await site.write("dist/index.html", `<!doctype html><html lang="en"><title>Drawings</title>${tags.join("")}`);
  for (const name of drawings) {
    const comment = `${name} ${"x".repeat(1_000_000)}`;
    await site.write(`dist/${name}`, `<svg xmlns="http://www.w3.org/2000/svg"><!-- ${comment} --></svg>`);
  }
  // When the first one is sent, the unread ones are deleted.
  proxy.meddle(({ method, path }) => {
    if (method !== "POST" || !path.startsWith("/api/library")) return undefined;
    for (const name of drawings) rmSync(join(site.dist, name), { force: true });
    return undefined;
  });
  const { entries } = await publish({
    ...{ projectRoot: site.root, dist: site.dist, options: parseOptions({ brandKit: false }) },
    target: { ...host, baseUrl: proxy.url, routeSet: "a", identity: proxy.url, close: async () => {} },
  });
  const own = entries.filter(({ name }) => drawings.includes(name));
  expect(new Set(own.map(({ name }) => name)).size).toBe(24);
  const sent = own.filter(({ kind }) => kind === "create").length;
  expect(sent).toBeGreaterThan(0);
  expect(sent).toBeLessThanOrEqual(17);
});
