import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parseOptions, publish, type ImprintOptions } from "../../src/publish.ts";
import { hostInProcess } from "./hosts.ts";
import { createTemporarySite } from "./temporary-site.ts";

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
  const remembered = async () => JSON.parse(await readFile(join(site.root, ".imprint/brand.json"), "utf8"));
  return { site, run, remembered };
}

it("keeps the kit of a site of which nothing changed, and does not look again", async () => {
  const { run, remembered } = await open();
  expect(await run()).toMatchObject({ kind: "create" });
  const before = await remembered();
  expect(Object.keys(before.sources).length).toBeGreaterThan(2);
  expect(await run()).toMatchObject({ kind: "keep" });
  expect(await remembered()).toEqual(before);
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
  const before = await remembered();
  await site.write(path, content);
  await run();
  expect((await remembered()).sources).not.toEqual(before.sources);
});

it("looks again when the options pin another color", async () => {
  const { run } = await open();
  await run();
  expect(await run({ brandKit: { colors: { primary: "#0a5cff" } } })).toMatchObject({ kind: "update" });
  expect(await run({ brandKit: { colors: { primary: "#0a5cff" } } })).toMatchObject({ kind: "keep" });
});
