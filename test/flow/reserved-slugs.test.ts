import { expect, it, onTestFinished } from "vitest";
import { parseOptions, publish } from "../../src/publish.ts";
import { dialectA, dialectB } from "../strangers/dialect.ts";
import { API_KEY, startStranger } from "../strangers/host.ts";
import { createTemporarySite, htmlPage } from "./temporary-site.ts";

it.each([
  ["A", dialectA("keeps slugs for itself", { pages: { reserved: ["login", "admin"] } })],
  ["B", dialectB("keeps slugs for itself", { pages: { reserved: ["login", "admin"] } })],
] as const)(
  "a page whose slug route set %s rejects is sent once per run, in the known request format",
  async (_, dialect) => {
    const host = await startStranger(dialect);
    onTestFinished(() => host.close());
    const site = await createTemporarySite();
    const { baseUrl } = host;
    for (const slug of ["login", "admin"])
      await site.write(`dist/${slug}/index.html`, htmlPage(slug, `<h1>${slug}</h1>`));
    const run = () =>
      publish({
        ...{ projectRoot: site.root, dist: site.dist, options: parseOptions({ brandKit: false }) },
        target: {
          baseUrl,
          pagesUrl: undefined,
          apiKey: API_KEY,
          routeSet: dialect.routeSet,
          identity: baseUrl,
          close: async () => {},
        },
      });
    await run();
    for (const title of ["unchanged", "About us"]) {
      if (title !== "unchanged") await site.write("dist/about/index.html", htmlPage(title, `<h1>${title}</h1>`));
      const sent = host.world.log.length;
      const { exitCode, entries } = await run();
      expect(exitCode).toBe(1);
      expect(entries.filter(({ kind }) => kind === "failed")).toHaveLength(2);
      const refused = host.world.log.slice(sent).filter(({ words = "" }) => words.includes("is reserved"));
      expect(refused).toHaveLength(2);
    }
  },
);
