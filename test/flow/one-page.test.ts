import { describe, expect, it } from "vitest";
import { parseOptions, publish, type Report } from "../../src/publish.ts";
import { hostInProcess } from "./hosts.ts";
import { createTemporarySite, htmlPage } from "./temporary-site.ts";

async function openProject({ routeSet, strict }: { readonly routeSet: "a" | "b"; readonly strict: boolean }) {
  const [site, { baseUrl, apiKey, pagesUrl }] = [
    await createTemporarySite(),
    await hostInProcess({ routeSet, strict }),
  ];
  const target = { baseUrl, apiKey, pagesUrl, routeSet: "auto", identity: baseUrl, close: async () => {} } as const;
  const run = (page?: string, dryRun = false): Promise<Report> =>
    publish({
      projectRoot: site.root,
      dist: site.dist,
      options: parseOptions({ posts: { blog: { create: true } } }),
      target,
      page,
      dryRun,
    });
  const status = async (slug: string) => (await fetch(`${pagesUrl}/p/${slug}`)).status;
  const textOf = async (slug: string) => (await fetch(`${pagesUrl}/p/${slug}`)).text();
  return { site, run, status, textOf };
}

const kindsOf = ({ entries }: Report) =>
  entries.filter(({ kind }) => kind !== "keep").map((e) => `${e.resource} ${e.kind}`);

describe.each([
  { routeSet: "a", strict: false },
  { routeSet: "b", strict: true },
] as const)("one page, route set $routeSet, strict $strict", (world) => {
  it("is published alone, with its files and nothing else, and the whole site afterwards", async () => {
    const { site, run, status, textOf } = await openProject(world);
    const first = await run("/about/");
    expect(first.exitCode).toBe(0);
    expect(kindsOf(first).filter((kind) => !kind.startsWith("asset"))).toEqual(["site create", "page create"]);
    expect([await status("about"), await status("index")]).toEqual([200, 404]);
    expect(await textOf("about")).not.toContain("imprint-asset:");

    await run();
    for (const name of ["about", "services/letterpress"]) {
      await site.write(`dist/${name}/index.html`, htmlPage(`New ${name}`, "<h1>Edited twice</h1>"));
    }
    expect(kindsOf(await run("about", true))).toEqual(["page update"]);
    expect(kindsOf(await run("about"))).toEqual(["page update"]);
    expect(await textOf("about")).toContain("Edited twice");
    expect(await textOf("services-letterpress")).not.toContain("Edited twice");
    expect(kindsOf(await run())).toEqual(["page update"]);
    expect(await textOf("services-letterpress")).toContain("Edited twice");
    expect(kindsOf(await run())).toEqual([]);
  });

  it("that the site doesn't have is an error before anything is sent", async () => {
    const { run, status } = await openProject(world);
    await expect(run("nowhere")).rejects.toMatchObject({
      code: "USAGE",
      message: expect.stringContaining('"nowhere"'),
    });
    expect(await status("about")).toBe(404);
  });
});
