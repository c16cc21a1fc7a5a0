import { expect, it } from "vitest";
import * as z from "zod";
import { SILENT_LOGGER } from "../../src/base/log.ts";
import { readCache } from "../../src/memory/cache.ts";
import { parseOptions, publish, type ImprintOptions } from "../../src/publish.ts";
import { hostInProcess, type HostOptions } from "./hosts.ts";
import { createTemporarySite, htmlPage } from "./temporary-site.ts";

const rememberedSchema = z.looseObject({ sources: z.record(z.string(), z.string().nullable()) });

async function open(options: HostOptions = { routeSet: "a", strict: false }) {
  const [site, host] = [await createTemporarySite(), await hostInProcess(options)];
  const run = async (own: ImprintOptions = {}) => {
    const { entries } = await publish({
      projectRoot: site.root,
      dist: site.dist,
      options: parseOptions(own),
      target: { ...host, routeSet: "auto", identity: host.baseUrl, close: async () => {} },
    });
    const kit = entries.find(({ resource }) => resource === "brand kit");
    return { kind: kit?.kind, details: kit?.details };
  };
  const place = { projectRoot: site.root, name: "brand", logger: SILENT_LOGGER };
  const remembered = () => rememberedSchema.parse([...readCache(place).values()][0]);
  return { site, run, remembered };
}

it("keeps the kit of an unchanged site without extracting it again", async () => {
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
])("extracts again if $what changed", async ({ path, content }) => {
  const { site, run, remembered } = await open();
  await run();
  const before = remembered();
  await site.write(path, content);
  await run();
  expect(remembered().sources).not.toEqual(before.sources);
});

it("extracts again if the options pin another color", async () => {
  const { run } = await open();
  await run();
  expect(await run({ brandKit: { colors: { primary: "#0a5cff" } } })).toMatchObject({ kind: "update" });
  expect(await run({ brandKit: { colors: { primary: "#0a5cff" } } })).toMatchObject({ kind: "keep" });
});

it.each(["a", "b"] as const)(
  "keeps the kit if only the navigation changed and %s shows no header",
  async (routeSet) => {
    const { site, run } = await open({ routeSet, strict: true });
    await run();
    const page = htmlPage("Halden Press", "<h1>Halden Press</h1>");
    await site.write("dist/index.html", page.replace("</nav>", ' <a href="/about/">Press</a></nav>'));
    expect(await run()).toMatchObject({ kind: "keep" });
  },
);
