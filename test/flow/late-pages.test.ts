import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { parseOptions, publish } from "../../src/publish.ts";
import { dialectA, type PagesDialect } from "../strangers/dialect.ts";
import { API_KEY, startStranger } from "../strangers/host.ts";
import { createTemporarySite, htmlPage } from "./temporary-site.ts";

/** A host that shows HTML only to readers, a while after accepting it. */
async function openLate(rules: Partial<PagesDialect>) {
  const pages = { tells: "public-url", reads: "nothing", ...rules } as const;
  const host = await startStranger(dialectA("late", { pages, lists: { fields: "few" } }));
  onTestFinished(() => host.close());
  const site = await createTemporarySite();
  const { baseUrl } = host;
  const steps = new Set<string>();
  const show = () => {
    for (const [slug, { before: _, ...page }] of host.world.pages) {
      host.world.pages.set(slug, { ...page, visibleFrom: 0 });
    }
  };
  // Waiting takes no time here: the host shows its pages after enough waits. */
  let [waitedMs, shownAfterMs] = [0, Infinity];
  const sleep = async (ms: number) => {
    waitedMs += ms;
    if (waitedMs >= shownAfterMs) show();
  };
  const run = (afterMs = Infinity) => {
    [waitedMs, shownAfterMs] = [0, afterMs];
    return publish({
      ...{ projectRoot: site.root, dist: site.dist, options: parseOptions({ brandKit: false }) },
      target: {
        baseUrl,
        pagesUrl: undefined,
        apiKey: API_KEY,
        routeSet: "a",
        identity: baseUrl,
        close: async () => {},
      },
      connection: { sleep, now: () => Date.now() + waitedMs },
      onStep: ({ kind }) => steps.add(kind),
    });
  };
  const readDialect = async () => {
    const lock = JSON.parse(await readFile(join(site.root, "imprint.lock.json"), "utf8"));
    return Object.values<{ dialect: Readonly<Record<string, unknown>> }>(lock.targets)[0]?.dialect ?? {};
  };
  const change = (title: string) => site.write("dist/about/index.html", htmlPage("About", `<h1>${title}</h1>`));
  return { host, run, steps, readDialect, change, show };
}

const LONG = 3_600_000;

describe("a host that shows pages only a while after accepting them", () => {
  it("isn't recorded as one that hides HTML, and an edit made before the next run stays", async () => {
    const { host, run, readDialect, change, show } = await openLate({ appearsAfterMs: LONG });
    const first = await run();
    expect(first.exitCode).toBe(1);
    expect(await readDialect()).not.toHaveProperty("html");
    show();
    host.byHand.editPage("about", (html) => html.replace("<h1>About", "<h1>By hand"));
    await change("About us");
    const report = await run();
    expect(report.entries.find(({ name }) => name === "about")).toMatchObject({ kind: "blocked" });
    expect(host.world.pages.get("about")?.html).toContain("<h1>By hand");
    expect(await readDialect()).toMatchObject({ html: "kept" });
  });

  it("isn't mistaken for one with edited pages if it changes all of them", async () => {
    const { host, run, readDialect, change, show } = await openLate({ appearsAfterMs: LONG, keeps: "with-banner" });
    await run();
    show();
    await change("About us");
    await run();
    expect(host.world.pages.get("about")?.html).toContain("<h1>About us");
    expect(await readDialect()).toMatchObject({ html: "changed" });
  });

  it("is waited for after a 202, with a new page and with a changed one", async () => {
    const late = { created: 202, updated: 202, appearsAfterMs: LONG, changesAfterMs: LONG } as const;
    const { run, steps, readDialect, change } = await openLate(late);
    expect((await run(8000)).exitCode).toBe(0);
    expect(await readDialect()).toMatchObject({ html: "kept", pageAnswers: "accepted" });
    expect([...steps]).toContain("readers");
    await change("About us");
    const report = await run(20_000);
    expect(report.entries.filter(({ kind }) => kind === "blocked" || kind === "failed")).toEqual([]);
    expect(report.exitCode).toBe(0);
    const { shownAfterMs } = await readDialect();
    expect(shownAfterMs).toBeGreaterThanOrEqual(20_000);
    expect(shownAfterMs).toBeLessThanOrEqual(60_000);
  });

  it("is waited for longer once it was late, even without a 202", async () => {
    const { run, change } = await openLate({ changesAfterMs: LONG });
    expect((await run()).exitCode).toBe(0);
    await change("About us");
    expect((await run(3000)).exitCode).toBe(0);
    await change("All about us");
    expect((await run(15_000)).exitCode).toBe(0);
  });

  it("is reported to have accepted its pages but not to show them yet, in each run until it does", async () => {
    const { run, change, show } = await openLate({ created: 202, updated: 202, changesAfterMs: LONG });
    expect((await run()).exitCode).toBe(0);
    await change("About us");
    for (let runs = 0; runs < 2; runs += 1) {
      const { exitCode, entries } = await run();
      expect(exitCode).toBe(1);
      const { reason, hint } = entries.find(({ name }) => name === "pagesUrl") ?? {};
      expect(reason).toMatch(/accepted the pages \(202\), but doesn't show them yet: http/);
      expect(hint).toMatch(/imprint publish --verify/);
    }
    show();
    expect((await run()).exitCode).toBe(0);
  });
});
