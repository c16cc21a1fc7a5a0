import { randomBytes } from "node:crypto";
import { truncate } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { connect } from "../../src/client.ts";
import { parseOptions, publish, type PublishRequest } from "../../src/publish.ts";
import { startService } from "../../src/service.ts";
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

it("arrive whole, also when the connection broke while one was sent", async () => {
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

it("that are gone when they are to be sent are told by their names, and the rest of the site is published", async () => {
  const { site, run } = await open();
  const { entries } = await run({ onPlanned: () => site.remove("dist/tour.mp4") });
  expect(entries.find(({ name }) => name === "tour.mp4")?.error).toMatchObject({
    code: "ASSET_MISSING",
    message: expect.stringContaining("tour.mp4 can't be read"),
  });
  expect(entries.find(({ name }) => name === "about")).toMatchObject({ kind: "create" });
});

it("that change while they are sent are told, and the page that uses them is not published without them", async () => {
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
