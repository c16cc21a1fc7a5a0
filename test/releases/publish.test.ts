import { describe, expect, it, onTestFinished } from "vitest";
import { parseOptions, publish, type ImprintOptions, type Report } from "../../src/publish.ts";
import { renderText } from "../../src/sync/report/render-text.ts";
import { createTemporarySite, htmlPage, type TemporarySite } from "../flow/temporary-site.ts";
import { API_KEY, startReleaseHost, type ReleaseHost } from "./host.ts";
import { Refusal } from "./refusal.ts";

async function open(options: Parameters<typeof startReleaseHost>[0] = {}) {
  const [site, host] = [await createTemporarySite(), await startReleaseHost(options)];
  onTestFinished(() => host.close());
  return { site, host };
}

function run(site: TemporarySite, host: ReleaseHost, options: ImprintOptions = {}): Promise<Report> {
  const { baseUrl } = host;
  return publish({
    projectRoot: site.root,
    dist: site.dist,
    options: parseOptions({ brandKit: false, posts: false, ...options }),
    target: {
      baseUrl,
      apiKey: API_KEY,
      routeSet: "auto",
      identity: baseUrl,
      pagesUrl: undefined,
      close: async () => {},
    },
    connection: { sleep: async () => {} },
  });
}

const PAGE = "PUT /api/pages/:id";

describe("a service with releases", () => {
  it("gets the first site in one release, and nothing page by page", async () => {
    const { site, host } = await open();
    const report = await run(site, host);
    expect(report.exitCode).toBe(0);
    expect(report.counts.page.create).toBe(3);
    expect([...host.live.keys()].toSorted()).toEqual(["about", "index", "services-letterpress"]);
    expect(host.requests).not.toContain(PAGE);
    expect(host.requests).not.toContain("POST /api/library");
    expect(host.requests.filter((request) => request.endsWith("/publish"))).toHaveLength(1);
    expect(host.live.get("index")?.html).toContain(`${host.baseUrl}/files/`);
    expect([...host.files.values()].map(({ bytes }) => bytes.length)).not.toContain(0);
  });

  it("gets no request for content if nothing changed, and otherwise only what changed", async () => {
    const { site, host } = await open();
    await run(site, host);
    host.requests.length = 0;
    const unchanged = await run(site, host);
    expect(unchanged.counts.page.keep).toBe(3);
    expect(host.requests.filter((request) => !request.startsWith("GET "))).toEqual([]);
    expect(host.requests.length).toBeLessThanOrEqual(5);

    await site.write("dist/about/index.html", htmlPage("About us", "<h1>About us</h1>"));
    const report = await run(site, host);
    expect(report.counts.page).toMatchObject({ update: 1, keep: 2, failed: 0 });
    const [, second] = [...host.drafts.values()];
    expect([...(second?.pages.keys() ?? [])]).toEqual(["about"]);
    expect(host.live.get("about")?.html).toContain("About us");
    expect(host.live.get("about")?.version).toBe(2);
  });

  it("removes pages with the same release", async () => {
    const { site, host } = await open();
    await run(site, host);
    await site.remove("dist/about");
    const report = await run(site, host, { prune: true, maxDeleteShare: 1 });
    expect(report.counts.page.delete).toBe(1);
    expect([...host.live.keys()].toSorted()).toEqual(["index", "services-letterpress"]);
    expect(host.requests).not.toContain("DELETE /api/pages/:id");
  });

  it("gets a new plan if someone else published meanwhile, and nothing of theirs is replaced", async () => {
    const { site, host } = await open();
    await run(site, host);
    await site.write("dist/about/index.html", htmlPage("About us", "<h1>About us</h1>"));
    const theirs = "<!doctype html><title>Theirs</title>";
    host.before = (request) => {
      if (!request.endsWith("/publish")) return;
      host.before = () => {};
      host.publishAnother("services-letterpress", theirs);
    };
    const report = await run(site, host);
    expect(report.entries.find(({ name }) => name === "services-letterpress")?.kind).toBe("blocked");
    expect(host.live.get("services-letterpress")?.html).toBe(theirs);
    expect(host.live.get("about")?.html).toContain("About us");
    expect(report.exitCode).toBe(1);
  });

  it("keeps a page that was edited between opening and publishing the release, which is reported", async () => {
    const { site, host } = await open();
    await run(site, host);
    await run(site, host);
    await site.write("dist/about/index.html", htmlPage("About us", "<h1>About us</h1>"));
    await site.write("dist/index.html", htmlPage("Home", "<h1>Home</h1>"));
    const byHand = "<!doctype html><title>By hand</title>";
    host.before = (request) => {
      if (!request.endsWith("/publish")) return;
      host.before = () => {};
      host.write("about", byHand);
    };
    const report = await run(site, host);
    expect(report.entries.find(({ name }) => name === "about")).toMatchObject({
      kind: "failed",
      error: { code: "VERSION_MISMATCH" },
    });
    expect(host.live.get("about")?.html).toBe(byHand);
    expect(host.live.get("index")?.html).toContain("<h1>Home</h1>");
    const next = await run(site, host);
    expect(next.entries.find(({ name }) => name === "about")?.kind).toBe("blocked");
  });

  it("gets content again that it didn't store", async () => {
    const { site, host } = await open();
    await run(site, host);
    await site.write("dist/about/index.html", htmlPage("About us", "<h1>About us</h1>"));
    host.before = (request) => {
      if (!request.endsWith("/publish")) return;
      host.before = () => {};
      host.loseContent();
    };
    const report = await run(site, host);
    expect(report.exitCode).toBe(0);
    expect(host.live.get("about")?.html).toContain("About us");
    expect(host.requests.filter((request) => request.endsWith("/publish"))).toHaveLength(3);
  });

  it("gets a new release if the first one has expired", async () => {
    const { site, host } = await open();
    host.before = (request) => {
      if (!request.endsWith("/publish")) return;
      host.before = () => {};
      host.expire();
    };
    const report = await run(site, host);
    expect(report.exitCode).toBe(0);
    expect(report.counts.page).toMatchObject({ create: 3, failed: 0 });
    expect(report.counts.asset.failed).toBe(0);
    expect(host.live.size).toBe(3);
  });

  it("reports that a release is published if the response was lost", async () => {
    const { site, host } = await open();
    host.after = (request) => (request.endsWith("/publish") ? "lose the answer" : undefined);
    const report = await run(site, host);
    expect(report.exitCode).toBe(0);
    expect(report.counts.page.create).toBe(3);
    expect([...host.drafts.values()].map(({ state }) => state)).toEqual(["published"]);
  });

  it("can be behind a proxy that accepts only small bodies", async () => {
    const { site, host } = await open({ maxBodyBytes: 100_000 });
    const text = "Ink is a paint. ".repeat(1500);
    for (let number = 0; number < 20; number += 1) {
      await site.write(`dist/page-${number}/index.html`, htmlPage(`Page ${number}`, `<p>${number} ${text}</p>`));
    }
    const report = await run(site, host);
    expect(report.exitCode).toBe(0);
    expect(host.live.size).toBe(23);
    expect(host.requests).not.toContain(PAGE);
  });

  it("gets a large video uncompressed, read only while it is sent", async () => {
    const { site, host } = await open();
    const film = new Uint8Array(1_200_000).map((_, index) => (index * 7919) % 251);
    await site.write("dist/tour.mp4", film);
    await site.write("dist/about/index.html", htmlPage("About", '<video src="/tour.mp4" controls></video>'));
    const report = await run(site, host);
    expect(report.exitCode).toBe(0);
    expect([...host.files.values()].find(({ name }) => name.startsWith("tour."))?.bytes.equals(film)).toBe(true);
    expect(host.requests).not.toContain("POST /api/library");
  });

  it("gets individual pages if it rejects releases, with the reason in the report", async () => {
    const { site, host } = await open();
    host.before = (request) => {
      if (request === "POST /api/releases") throw new Refusal(403, "forbidden");
    };
    const report = await run(site, host);
    expect(report.exitCode).toBe(0);
    expect(report.entries.find(({ name }) => name === "releases")?.reason).toMatch(/refused releases: 403/);
    expect(host.live.size).toBe(3);
    expect(host.requests.filter((request) => request === PAGE)).toHaveLength(3);
  });

  it("shows nothing of a release while it fails, and all of it in the next run", async () => {
    const { site, host } = await open();
    host.before = (request) => {
      if (request.endsWith("/content")) throw new Refusal(500, "internal");
    };
    await expect(run(site, host)).rejects.toMatchObject({ code: "SERVICE_FAILED" });
    expect(host.live.size).toBe(0);
    host.before = () => {};
    expect((await run(site, host)).counts.page.create).toBe(3);
  });

  it("appears in the report with the release, and the one to roll back to", async () => {
    const { site, host } = await open();
    const first = await run(site, host);
    await site.write("dist/about/index.html", htmlPage("About us", "<h1>About us</h1>"));
    const second = await run(site, host);
    expect(first.release?.parent).toBeNull();
    expect(second.release).toEqual({ id: expect.any(String), parent: first.release?.id });
    expect(renderText(second)).toContain(`imprint releases rollback ${first.release?.id}`);
    expect((await run(site, host)).release).toBeUndefined();
  });
});
