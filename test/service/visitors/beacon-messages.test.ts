import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it, onTestFinished } from "vitest";
import type { ServiceOptions } from "../../../src/service.ts";
import { isOnPostgres } from "../backend.ts";
import { clientOf, openService, visit } from "../open-service.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { BROWSER, FIREFOX, leave, send, view } from "./beacon.ts";
import { publishPage, type Typed } from "./visiting.ts";

const NOW = new Date("2026-08-10T10:30:00Z");

function open(options: ServiceOptions = {}) {
  const service = openService({ now: () => NOW, ...options });
  return { service, a: clientOf(service, { routeSet: "a" }), b: clientOf(service, { routeSet: "b" }) };
}

describe("a beacon message", () => {
  async function statsOf(message: readonly unknown[], headers: Typed = {}) {
    const { service, a } = open();
    const id = await publishPage(service, "one", "<p>1</p>");
    const statuses = [];
    for (const one of message) {
      const filled = typeof one === "function" ? one(id) : one;
      statuses.push(await send(service, filled, headers));
    }
    const [stats] = (await a("GET", "/api/analytics/pages")).items;
    return { statuses, stats };
  }

  it("that arrives twice counts once, and the highest values are kept", async () => {
    const messages = [
      view,
      view,
      (id: string) => leave(id, { s: 40, e: 5, c: [[1, 1, "a"]] }),
      (id: string) => leave(id, { s: 40, e: 5, c: [[1, 1, "a"]] }),
      (id: string) => leave(id, { n: 3, s: 80, e: 3, c: [[1, 1, "a"]] }),
      (id: string) => leave(id, { n: 2, s: 90, e: 90 }),
    ].map((message) => (id: string) => message(id));
    const { stats } = await statsOf(messages);
    expect(stats).toMatchObject({ views: 1, visitors: 1, clicks: 2, avgScroll: 80, avgSeconds: 5 });
  });

  it.each([
    ["from a bot", { "User-Agent": "Googlebot/2.1 (+http://www.google.com/bot.html)" }],
    ["from a script", { "User-Agent": "curl/8" }],
    ["without a user agent", { "User-Agent": "" }],
    ["from a visitor with Global Privacy Control", { "Sec-GPC": "1" }],
    ["from a visitor with Do Not Track", { DNT: "1" }],
  ])("%s gets the usual response, but isn't counted", async (_who, headers) => {
    const { statuses, stats } = await statsOf([(id: string) => view(id)], headers);
    expect(statuses).toEqual([204]);
    expect(stats).toMatchObject({ views: 0, visitors: 0 });
  });

  it.each([
    ["about a page that doesn't exist", () => view("pg_0000000000000000000000")],
    ["about a version that doesn't exist", (id: string) => view(id, { v: 2 })],
    ["that ends a view without a start", (id: string) => leave(id)],
  ])("%s changes nothing", async (_what, message) => {
    const { statuses, stats } = await statsOf([message]);
    expect(statuses).toEqual([204]);
    expect(stats).toMatchObject({ views: 0, clicks: 0, avgScroll: 0 });
  });

  it.each([
    "",
    "{",
    "[]",
    "null",
    '{"t":"view"}',
    JSON.stringify(view("pg_0000000000000000000000", { extra: 1 })),
    JSON.stringify(view("pg_0000000000000000000000", { k: "x" })),
    JSON.stringify(leave("pg_0000000000000000000000", { s: 101 })),
    JSON.stringify(leave("pg_0000000000000000000000", { e: -1 })),
    JSON.stringify(leave("pg_0000000000000000000000", { c: Array.from({ length: 51 }, () => [0, 0, "a"]) })),
    JSON.stringify(leave("pg_0000000000000000000000", { c: [[0, 1e9, "a"]] })),
  ])("with an invalid format is rejected: %s", async (message) => {
    const { service } = open();
    expect(await send(service, message)).toBe(400);
  });

  it("from another website, over the size limit, or over 120 a minute is rejected", async () => {
    const { service } = open();
    const id = await publishPage(service, "one", "<p>1</p>");
    expect(await send(service, view(id), { Origin: "https://example.org" })).toBe(403);
    expect(await send(service, "x".repeat(40_000))).toBe(413);
    for (let count = 2; count < 120; count++) await send(service, view(id));
    expect(await send(service, view(id))).toBe(429);
  });

  it("is limited to visits of four hours and 500 clicks", async () => {
    const clicks = Array.from({ length: 50 }, () => [1, 1, "a"]);
    const leaves = Array.from(
      { length: 12 },
      (_, index) => (id: string) => leave(id, { n: index + 1, e: 1e9, c: clicks }),
    );
    const { stats } = await statsOf([(id: string) => view(id), ...leaves]);
    expect(stats).toMatchObject({ clicks: 500, avgSeconds: 14_400 });
  });

  it("contributes only the host of its referrer", async () => {
    const { service, b } = open();
    const id = await publishPage(service, "one", "<p>1</p>");
    const referrers = ["example.org:8080", "a/b?c", "user@example.org", "<script>", "EXAMPLE.org"];
    for (const [index, r] of referrers.entries()) await send(service, view(id, { r, k: `view00000000${index}` }));
    const { body } = await b("GET", "/api/analytics/pages/one");
    expect(body.referrers).toEqual([
      { host: "example.org", views: 1 },
      { host: "example.org:8080", views: 1 },
    ]);
  });
});

describe("visitors", () => {
  it("are counted once a day, and only their number is kept after it", async () => {
    const { service, a, b } = open();
    const id = await publishPage(service, "one", "<p>1</p>");
    for (const [index, agent] of ["one", "two", "two"].entries()) {
      await send(service, view(id, { k: `view00000000${index}` }), { "User-Agent": `${FIREFOX} ${agent}` });
    }
    await a("POST", "/api/_clock", { json: { advanceMs: 24 * 60 * 60 * 1000 } });
    await send(service, view(id, { k: "view000000009" }), { "User-Agent": `${FIREFOX} two` });
    const { body } = await b("GET", "/api/analytics/pages/one?from=2026-08-10");
    expect(body).toMatchObject({
      totals: { views: 4, visitors: 3 },
      series: [
        { at: "2026-08-10T00:00:00.000Z", views: 3, visitors: 2 },
        { at: "2026-08-11T00:00:00.000Z", views: 1, visitors: 1 },
      ],
    });
  });

  it.skipIf(isOnPostgres)(
    "leave neither their address nor their browser on disk, and after the day not even a hash",
    async () => {
      const dataDir = join(await temporaryFolder(), "data");
      const { service, a } = open({ ephemeral: false, dataDir, trustProxy: true });
      const id = await publishPage(service, "one", "<p>1</p>");
      await send(service, view(id), { "X-Forwarded-For": "203.0.113.77" });
      await a("POST", "/api/_clock", { json: { advanceMs: 24 * 60 * 60 * 1000 } });
      await send(service, view(id, { k: "bbbbbbbbbbbb" }), { "X-Forwarded-For": "203.0.113.88" });
      const database = new DatabaseSync(join(dataDir, "service.sqlite"), { readOnly: true });
      onTestFinished(() => database.close());
      const days = (table: string) => database.prepare(`select distinct day from ${table}`).all();
      const today = { day: Date.parse("2026-08-11") };
      expect(days("visitor_salt")).toEqual([today]);
      await service.runJobs();
      expect(days("visitor_seen")).toEqual([today]);
      expect(days("open_visit")).toEqual([today]);
      for (const file of await readdir(dataDir)) {
        if (!file.startsWith("service.sqlite")) continue;
        const bytes = await readFile(join(dataDir, file));
        for (const trace of ["203.0.113", "Mozilla", "rv:140", "Firefox/"])
          expect([file, trace, bytes.includes(trace)]).toEqual([file, trace, false]);
      }
    },
  );

  it("aren't counted at all if the owner turns analytics off", async () => {
    const { service } = open({ analytics: false });
    await publishPage(service, "one", "<p>1</p>");
    const page = await visit(service, "/p/one", { headers: BROWSER });
    expect(await page.text()).toBe("<p>1</p>");
    expect((await visit(service, "/_i.js")).status).toBe(404);
    expect((await visit(service, "/_b", { method: "POST", body: "{}" })).status).toBe(405);
  });
});
