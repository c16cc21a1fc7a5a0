import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import * as z from "zod";
import { SILENT_LOGGER } from "../../src/base/log.ts";
import { connect } from "../../src/client.ts";
import { readCache } from "../../src/memory/cache.ts";
import { parseOptions, publish, type ImprintOptions } from "../../src/publish.ts";
import { startProxy } from "../faults/proxy.ts";
import { hostInProcess } from "./hosts.ts";
import { createTemporarySite } from "./temporary-site.ts";

const rememberedSchema = z.looseObject({ sources: z.record(z.string(), z.string().nullable()) });

async function open() {
  const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: false })];
  const run = async (options: ImprintOptions = {}) => {
    const { entries } = await publish({
      projectRoot: site.root,
      dist: site.dist,
      options: parseOptions(options),
      target: { ...host, routeSet: "auto", identity: host.baseUrl, close: async () => {} },
    });
    const kit = entries.find(({ resource }) => resource === "brand kit");
    return { kind: kit?.kind, details: kit?.details };
  };
  const place = { projectRoot: site.root, name: "brand", logger: SILENT_LOGGER };
  const remembered = () => rememberedSchema.parse([...readCache(place).values()][0]);
  return { site, run, remembered };
}

it("keeps the kit of a site of which nothing changed, and does not look again", async () => {
  const { run, remembered } = await open();
  expect(await run()).toMatchObject({ kind: "create" });
  const before = remembered();
  expect(Object.keys(before.sources).length).toBeGreaterThan(2);
  expect(await run()).toMatchObject({ kind: "keep" });
  expect(remembered()).toEqual(before);
});

it.each([
  { what: "a stylesheet", path: "dist/_astro/site.css", content: ":root{--primary:#0a5cff}a{color:#0a5cff}" },
  {
    what: "the logo's file",
    path: "dist/favicon.svg",
    content: '<svg xmlns="http://www.w3.org/2000/svg"><circle r="9"/></svg>',
  },
])("looks again when $what changed", async ({ path, content }) => {
  const { site, run, remembered } = await open();
  await run();
  const before = remembered();
  await site.write(path, content);
  await run();
  expect(remembered().sources).not.toEqual(before.sources);
});

it("looks again when the options pin another color", async () => {
  const { run } = await open();
  await run();
  expect(await run({ brandKit: { colors: { primary: "#0a5cff" } } })).toMatchObject({ kind: "update" });
  expect(await run({ brandKit: { colors: { primary: "#0a5cff" } } })).toMatchObject({ kind: "keep" });
});

it.each(["POST /api/brand-kits", "PATCH /api/sites"])(
  "creates no second kit where %s was cut off, and leaves that of another project with the same name alone",
  async (request) => {
    const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: true })];
    const proxy = await startProxy(host.baseUrl);
    onTestFinished(() => proxy.close());
    const api = await connect(host);
    onTestFinished(() => api.close());
    const other = await api.brandKits.create({ name: "Halden Press" });
    const run = () =>
      publish({
        ...{ projectRoot: site.root, dist: site.dist, options: parseOptions({ site: { name: "Halden Press" } }) },
        target: { ...host, baseUrl: proxy.url, routeSet: "auto", identity: proxy.url, close: async () => {} },
      });
    proxy.meddle(({ method, path, answer, forward }) =>
      `${method} ${path}`.startsWith(request) ? forward().then(() => void answer.socket?.destroy()) : undefined,
    );
    await expect(run()).rejects.toThrow("broke during");
    proxy.meddle(() => undefined);
    await run();
    const own = (await api.brandKits.list()).items.map(({ id }) => id).filter((id) => id !== other.id);
    expect(own).toHaveLength(1);
    expect(await readFile(join(site.root, "imprint.lock.json"), "utf8")).toContain(`"${own[0]}"`);
  },
);
