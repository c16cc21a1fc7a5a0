import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { Service } from "../../../src/service.ts";
import { isOnPostgres } from "../backend.ts";
import { clientOf, openService } from "../open-service.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { FIREFOX, leave, send, view } from "../visitors/beacon.ts";
import { publishPage } from "../visitors/visiting.ts";
import { signIn } from "./signed-in.ts";

const NOW = new Date("2026-03-10T10:00:00Z");

async function openVisited(): Promise<{ readonly service: Service; readonly id: string }> {
  const service = openService({ now: () => NOW });
  const id = await publishPage(service, "shop", "<title>=Shop</title><style>main{min-height:100vh}</style><main>");
  await publishPage(service, "empty", "<title>Empty</title>");
  for (const [k, w] of [
    ["aaaaaaaaaaaa", 1280],
    ["bbbbbbbbbbbb", 1280],
    ["cccccccccccc", 390],
  ] as const) {
    await send(service, view(id, { k, w, r: "news.example" }));
    await send(service, leave(id, { k, w, s: 60, h: 3000, c: [[500, 320, "#buy"]] }));
  }
  return { service, id };
}

function numberBefore(html: string, label: string): string | undefined {
  return new RegExp(`<span class="number">([\\d,]+)</span></strong><span>${label}`).exec(html)?.[1];
}

test("the overview shows views, visitors, sources, and devices", async () => {
  const { service, id } = await openVisited();
  const { get } = await signIn(service);
  const html = await (await get("/analytics")).text();
  expect([numberBefore(html, "views"), numberBefore(html, "daily visitors")]).toEqual(["3", "1"]);
  expect(html).toContain("news.example");
  expect(html).toMatch(/>desktop<\/a><\/span><span class="number">1/);
  expect(html).toContain(`href="/analytics/${id}?days=30"`);
  expect(html).toContain("2026-03-10: 3 views, 1 visitor");
});

test("views by signed-in users, bots, and previews are excluded, and counted as excluded", async () => {
  const { service, id } = await openVisited();
  const preview = await publishPage(service, "preview-pr-12--shop", "<title>Preview</title>");
  const { get } = await signIn(service);
  const before = await (await get("/analytics")).text();
  expect(before).not.toContain("Not counted");
  await send(service, view(id, { k: "dddddddddddd" }), { "User-Agent": "" });
  await send(service, view(id, { k: "eeeeeeeeeeee" }), { "User-Agent": "Googlebot/2.1" });
  await send(service, view(preview, { k: "ffffffffffff" }));
  await get("/", { "User-Agent": FIREFOX });
  await send(service, view(id, { k: "gggggggggggg" }));
  await send(service, view(id, { k: "hhhhhhhhhhhh" }), { "User-Agent": `${FIREFOX} phone` });
  const html = await (await get("/analytics")).text();
  expect(html).toContain("Not counted: 1 view by people signed in here, 2 views by bots, 1 view of previews.");
  expect(numberBefore(html, "views")).toBe("4");
});

test("the overview says that views of the service's own blogs aren't counted, if there are any", async () => {
  const { service } = await openVisited();
  const { get } = await signIn(service);
  const hint = "Views of blogs and posts that the service itself shows aren’t counted.";
  expect(await (await get("/analytics")).text()).not.toContain(hint);
  await clientOf(service, { routeSet: "a" })("POST", "/api/blogs", { json: { name: "News", slug: "news" } });
  expect(await (await get("/analytics")).text()).toContain(hint);
});

test("numbers are compared with the previous period, and the choice is kept in the address", async () => {
  let now = new Date("2026-03-02T10:00:00Z");
  const service = openService({ now: () => now });
  const id = await publishPage(service, "shop", "<title>Shop</title>");
  for (const k of ["aaaaaaaaaaaa", "bbbbbbbbbbbb"]) await send(service, view(id, { k }));
  now = NOW;
  for (const k of ["cccccccccccc", "dddddddddddd", "eeeeeeeeeeee"]) await send(service, view(id, { k }));
  const { get } = await signIn(service);
  const html = await (await get("/analytics?days=7&compare=previous")).text();
  const text = html.replaceAll(/<[^>]*>/g, "");
  expect(text).toContain("Compared with 2026-02-25 to 2026-03-03.");
  expect(text).toContain("3views (+50%, before: 2)");
  expect(text).toContain("1daily visitors, total (±0%, before: 1)");
  expect(text).toContain("0form submissions (–, before: 0)");
  expect(html).toContain("?compare=previous&amp;days=30");
  expect(html).toContain('<input type="hidden" name="compare" value="previous"');
});

test("numbers without data show a dash", async () => {
  const service = openService({ now: () => NOW });
  const id = await publishPage(service, "shop", "<title>Shop</title>");
  await send(service, view(id));
  const { get } = await signIn(service);
  const unread = await (await get(`/analytics/${id}`)).text();
  await send(service, leave(id, { s: 40, e: 0 }));
  const read = await (await get(`/analytics/${id}`)).text();
  expect(unread.match(/<span class="number">–<\/span>/g)).toHaveLength(2);
  expect(unread).not.toContain("0%");
  expect(read).toContain("40%");
});

test("a page's analytics show the same numbers as the API", async () => {
  const { service, id } = await openVisited();
  const { get } = await signIn(service);
  const html = await (await get(`/analytics/${id}`)).text();
  const { body } = await clientOf(service, { routeSet: "b" })("GET", "/api/analytics/pages/shop");
  expect(body["totals"]).toMatchObject({ views: 3, clicks: 3, avgScroll: 60 });
  expect([numberBefore(html, "views"), numberBefore(html, "clicks")]).toEqual(["3", "3"]);
  expect(html).toContain("60%");
});

test.for([
  ["/analytics?days=7", "2026-03-04"],
  ["/analytics?days=90", "2025-12-11"],
  ["/analytics?from=2026-03-01&to=2026-03-05", "2026-03-01"],
] as const)("the period of %s starts on %s", async ([path, first]) => {
  const { service } = await openVisited();
  const { get } = await signIn(service);
  const html = await (await get(path)).text();
  expect(html).toMatch(new RegExp(`name="from"[^>]*value="${first}"`));
});

test.for(["from=2026-03-05&to=2026-03-01", "from=yesterday", "from=2020-01-01&to=2026-01-01"])(
  "an invalid period shows an error and the default period: %s",
  async (query) => {
    const { service } = await openVisited();
    const { get } = await signIn(service);
    const answer = await get(`/analytics?${query}`);
    const html = await answer.text();
    expect(answer.status).toBe(200);
    expect(html).toContain('role="alert"');
    expect(html).toMatch(/name="from"[^>]*value="2026-02-09"/);
  },
);

test("clicks are drawn where they were made, on the most viewed layout", async () => {
  const { service, id } = await openVisited();
  const { get } = await signIn(service);
  const html = await (await get(`/analytics/${id}/heatmap`)).text();
  expect(html).toContain('viewBox="0 0 1280 3000"');
  // The cell at 496 ‰ of 1280 pixels and of 320 pixels, at its center.
  expect(html).toContain('<circle cx="645" cy="328"');
  expect(html).toContain("2 clicks in 2 views");
  expect(html).toContain("#buy");
  expect(html).toContain("100% reached 60% of the page (2 of 2)");
  expect(html).toContain("0% reached 65% of the page (0 of 2)");
  const mobile = await (await get(`/analytics/${id}/heatmap?device=mobile`)).text();
  expect(mobile).toContain('viewBox="0 0 390 3000"');
  expect(mobile).toContain("1 click in 1 view.");
});

test("older versions can be selected, and their clicks are drawn over the current page", async () => {
  const { service, id } = await openVisited();
  await publishPage(service, "shop", "<title>Shop</title><main>New</main>");
  const { get } = await signIn(service);
  const usual = await (await get(`/analytics/${id}/heatmap`)).text();
  await send(service, view(id, { k: "dddddddddddd", v: 2 }));
  const fresh = await (await get(`/analytics/${id}/heatmap`)).text();
  const all = await (await get(`/analytics/${id}/heatmap?version=all`)).text();
  expect(usual).toContain("Drawn over the current page, version 2");
  expect(fresh).toContain("0 clicks in 1 view.");
  expect(all).toContain("2 clicks in 3 views");
});

test("the page under its clicks has no session, and viewport heights in its CSS are fixed", async () => {
  const { service, id } = await openVisited();
  const { get } = await signIn(service);
  const answer = await get(`/analytics/${id}/layout?device=mobile`);
  expect(answer.headers.get("Content-Security-Policy")).toBe("sandbox allow-scripts; frame-ancestors 'self'");
  expect(await answer.text()).toContain("main{min-height:760px}");
});

test("exported numbers can't run as spreadsheet formulas", async () => {
  const { service, id } = await openVisited();
  const { get } = await signIn(service);
  const pages = await get("/analytics/pages.csv?days=7");
  const days = await get(`/analytics/${id}/days.csv?days=7`);
  expect(pages.headers.get("Content-Disposition")).toBe('attachment; filename="pages-2026-03-04-2026-03-10.csv"');
  const lines = (await pages.text()).trim().split("\r\n");
  expect(lines).toEqual([
    '"slug","title","views","visitors","clicks","submissions","avgScroll","avgSeconds"',
    `"shop","'=Shop","3","1","3","0","60","10"`,
    '"empty","Empty","0","0","0","0","",""',
  ]);
  expect((await days.text()).trim().split("\r\n")).toEqual([
    '"day","views","visitors"',
    ...["04", "05", "06", "07", "08", "09"].map((day) => `"2026-03-${day}","0","0"`),
    '"2026-03-10","3","1"',
  ]);
});

test("a page that doesn't exist has no analytics", async () => {
  const service = openService();
  const { get } = await signIn(service);
  const answers = [await get("/analytics/pg_none"), await get("/analytics/pg_none/heatmap")];
  expect(answers.map(({ status }) => status)).toEqual([404, 404]);
});

test("the overview of two sites can be filtered by site", async () => {
  const { service, id } = await openVisited();
  const api = clientOf(service, { routeSet: "a" });
  const site = String((await api("POST", "/api/sites", { json: { name: "One" } })).body["id"]);
  await api("POST", "/api/sites", { json: { name: "Two" } });
  await api("PUT", "/api/pages/inner", { json: { html: "<title>Inner</title>", siteId: site } });
  const { get } = await signIn(service);
  const html = await (await get(`/analytics?site=${site}`)).text();
  expect(numberBefore(html, "views")).toBe("0");
  expect(html).toContain("Inner");
  expect(html).not.toContain(id);
});

test.each([
  ["/", /<h1>Overview<\/h1>/, /library files/],
  ["/forms", /<h1>Forms<\/h1>/, /No page has a form/],
  ["/analytics", /<h1>Analytics<\/h1>/, /bounce rate/],
  ["/analytics?source=direct", /<h1>Analytics<\/h1>/, /class="stats"/],
  ["/analytics/index", /<h1>Home<\/h1>/, /average scroll depth/],
])("%s sends its title and links before its numbers are read", async (path, first, numbers) => {
  const service = openService();
  await publishPage(service, "index", "<title>Home</title><h1>Home</h1>");
  const { get } = await signIn(service);
  const { body } = await get(path);
  const parts: string[] = [];
  if (body !== null) for await (const part of body.pipeThrough(new TextDecoderStream())) parts.push(part);
  expect(parts[0]).toMatch(first);
  expect(parts[0]).not.toMatch(numbers);
  expect(parts.join("")).toMatch(numbers);
  expect(parts.join("")).toMatch(/<\/main>.*<\/html>$/s);
});

test("a filter by an unknown page or form returns 404", async () => {
  const { get } = await signIn(openService());
  const answers = [await get("/analytics?page=none"), await get("/analytics?goal=none")];
  expect(answers.map(({ status }) => status)).toEqual([404, 404]);
});

test.skipIf(isOnPostgres)("an error while reading numbers is shown on a complete page, and logged", async () => {
  const [dataDir, said] = [await temporaryFolder(), [] as string[]];
  const log = (line: string) => void said.push(line);
  const service = openService({
    ephemeral: false,
    dataDir,
    logger: { debug: log, info: log, warn: log, error: log },
  });
  const { get } = await signIn(service);
  const file = new DatabaseSync(join(dataDir, "service.sqlite"));
  file.exec("drop table left_out_day; drop table brand_kit");
  file.close();
  const html = await (await get("/analytics")).text();
  expect(html).toMatch(/<h1>Analytics<\/h1>.*role="alert">.*Reload the page to try again\..*<\/html>$/s);
  expect(said.join()).toContain("left_out_day");
  const kits = await get("/brand-kits");
  expect([kits.status, kits.headers.get("Content-Type")]).toEqual([500, expect.stringContaining("text/html")]);
  expect(await kits.text()).toMatch(/<h1>Something went wrong<\/h1>.*<code>req_/s);
  expect(said.join()).toContain("no such table: brand_kit");
});
