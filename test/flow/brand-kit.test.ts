import { once } from "node:events";
import { mkdir, readFile, symlink } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { toBrandKit } from "../../src/brand/kit.ts";
import { connect } from "../../src/client/connect.ts";
import type { BrandKitBody } from "../../src/contract/operations/content.ts";
import { findBrand } from "../../src/sync/brand/desired-brand.ts";
import { parseOptions, publish, type ImprintOptions, type Report } from "../../src/publish.ts";
import { siteNameOf } from "../../src/sync/asset-name.ts";
import { renderText } from "../../src/sync/report/render-text.ts";
import { closePages, openBrowser } from "../browser.ts";
import { hostInProcess, type Host } from "./hosts.ts";
import { createTemporarySite, type TemporarySite } from "./temporary-site.ts";
import { IS_WHOLE, takeTurns } from "../whole.ts";

const worlds = (["a", "b"] as const).flatMap((routeSet) =>
  [false, true].map((strict) => ({ routeSet, strict, mode: strict ? "strict" : "full" })),
);

interface Run {
  readonly host: Host;
  readonly dryRun?: boolean;
  readonly brandKit?: ImprintOptions["brandKit"];
  readonly images?: ImprintOptions["images"];
}

function run(site: TemporarySite, { host, dryRun = false, ...options }: Run): Promise<Report> {
  const { baseUrl, apiKey, pagesUrl } = host;
  return publish({
    projectRoot: site.root,
    dist: site.dist,
    dryRun,
    options: parseOptions({ posts: { blog: { create: true } }, site: { name: "Halden Press" }, ...options }),
    target: { baseUrl, apiKey, pagesUrl, routeSet: "auto", identity: baseUrl, close: async () => {} },
  });
}

function styleOf(primary: string): string {
  return `:root{--color-primary:${primary}}body{background:#fffdf7;color:#222;font-family:Literata,Georgia,serif}a{color:#7a1f2b}
button,.button{background:var(--color-primary);color:#fff}@font-face{font-family:Literata;font-weight:200 900;src:url(/fonts/literata.woff2)}`;
}

async function createBrandedSite(): Promise<TemporarySite> {
  const site = await createTemporarySite();
  const font = createRequire(import.meta.url).resolve("@fontsource/literata/files/literata-latin-400-normal.woff2");
  await site.write("dist/fonts/literata.woff2", await readFile(font));
  await site.write("dist/_astro/site.css", styleOf("#25776a"));
  return site;
}

function kitEntry(report: Report) {
  return report.entries.find(({ resource }) => resource === "brand kit");
}

async function kitsAt({ baseUrl, apiKey }: Host) {
  const api = await connect({ baseUrl, apiKey });
  const { items } = await api.brandKits.list();
  await api.close();
  return items;
}

/** The kit with file names without hashes instead of addresses: published files have other addresses. */
function withoutAddresses(kit: BrandKitBody): BrandKitBody {
  return {
    ...kit,
    fonts: kit.fonts?.map(({ family, role, weights, source }) => ({ family, role, weights, source })),
    logos: kit.logos?.map(({ url, ...logo }) => ({ ...logo, url: fileNameOf(url) })),
  };
}

function fileNameOf(url: string): string {
  const name = new URL(url, "https://site.example").pathname.split("/").at(-1) ?? "";
  return siteNameOf(name);
}

const inTurn = takeTurns(worlds);

describe.each(worlds)("the brand kit in route set $routeSet, $mode", (world) => {
  const { routeSet, strict } = world;
  const isTurn = inTurn(world);
  const open = () => hostInProcess({ routeSet, strict });

  it.runIf(isTurn())("shows differences in the plan, then applies them if the route set can", async () => {
    const [site, host] = [await createBrandedSite(), await open()];
    await run(site, { host });
    await site.write("dist/_astro/site.css", styleOf("#b3261e"));
    const planned = kitEntry(await run(site, { host, dryRun: true }));
    expect(planned?.kind).toBe(routeSet === "a" ? "update" : "create");
    expect(planned?.details).toEqual(["primary #25776a → #b3261e"]);

    const report = await run(site, { host });
    expect(kitEntry(report)).toMatchObject({ kind: planned?.kind, details: ["primary #25776a → #b3261e"] });
    expect(renderText(report)).toContain("\n      primary #25776a → #b3261e\n");
    const primaries = (await kitsAt(host)).map(({ colors }) => colors.find(({ role }) => role === "primary")?.hex);
    // Route set B can't change a kit: a new one replaces it, and the next run changes nothing.
    expect(primaries.toSorted()).toEqual(routeSet === "a" ? ["#b3261e"] : ["#25776a", "#b3261e"]);
    expect(kitEntry(await run(site, { host }))).toMatchObject({ kind: "keep" });
    expect(await kitsAt(host)).toHaveLength(primaries.length);
  });

  it.runIf(isTurn())("isn't sent again if nothing changed", async () => {
    const [site, host] = [await createBrandedSite(), await open()];
    await run(site, { host });
    const report = await run(site, { host });
    expect(kitEntry(report)).toMatchObject({ kind: "keep" });
    expect(report.requests.writes).toBe(0);
  });

  it.runIf(isTurn())("is the same from the folder and from the published site", async () => {
    const [site, host] = [await createBrandedSite(), await open()];
    // An optimized image can have another type.
    await run(site, { host, images: { optimize: false } });
    const kitAt = async (place: string) => {
      const { findings } = await findBrand(place);
      expect(findings.problems.filter(({ message }) => message.startsWith("Reading failed"))).toEqual([]);
      return withoutAddresses(toBrandKit(findings));
    };
    const fromFolder = await kitAt(site.dist);
    expect(fromFolder.fonts?.[0]).toMatchObject({ family: "Literata", source: "self-hosted" });
    expect(fromFolder.logos?.map(({ kind }) => kind)).toEqual(["logo", "icon"]);
    expect(await kitAt(`${host.pagesUrl}/p/index`)).toEqual(fromFolder);
  });

  it.runIf(isTurn())("records a logo's type as stored in the library", async () => {
    const [site, host] = [await createBrandedSite(), await open()];
    await run(site, { host });
    for (const { url, contentType } of (await kitsAt(host))[0]?.logos ?? []) {
      expect((await fetch(url)).headers.get("content-type")).toContain(contentType);
    }
  });

  it.runIf(isTurn())("includes the site's own font if the library serves fonts", async () => {
    const [site, host] = [await createBrandedSite(), await open()];
    await run(site, { host });
    const [kit] = await kitsAt(host);
    const body = kit?.fonts.find(({ role }) => role === "body");
    expect(body).toMatchObject({ family: "Literata", source: "self-hosted" });
    if (routeSet === "b") return expect(body?.url ?? undefined).toBeUndefined();
    expect((await fetch(body?.url ?? "")).status).toBe(200);
  });
});

describe("the brand kit of a site at an address", () => {
  const LOGO = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path fill="#25776a" d="M0 0h9v9z"/></svg>`;
  const HOME = `<title>Halden</title><style>h1{color:#25776a}</style><a href="/"><img class="logo" src="/logo.svg" alt="Halden"></a><h1>Halden</h1><p>${"We print books. ".repeat(40)}</p>`;

  /** A site that rejects the first requests for its logo. */
  async function startSite(refuse: (response: ServerResponse) => void, times: number): Promise<string> {
    let left = times;
    const server = createServer(({ url }, response) => {
      if (url !== "/logo.svg" && url !== "/") return response.writeHead(404).end();
      if (url === "/") return response.setHeader("content-type", "text/html").end(HOME);
      if (left-- > 0) return refuse(response);
      return response.setHeader("content-type", "image/svg+xml").end(LOGO);
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    onTestFinished(() => void server.close());
    const address = server.address();
    return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`;
  }

  it.each([
    ["was cut off", (response: ServerResponse) => response.destroy()],
    ["got 503", (response: ServerResponse) => response.writeHead(503).end()],
  ])("contains the logo if its first request %s", async (_, refuse) => {
    const { findings } = await findBrand(await startSite((response) => void refuse(response), 1));
    expect({ logos: findings.logos.map(({ kind }) => kind), problems: findings.problems }).toEqual({
      logos: ["logo"],
      problems: [],
    });
  });

  it("reports the status of an unavailable file", async () => {
    const { findings } = await findBrand(await startSite((response) => void response.writeHead(503).end(), 2));
    expect(findings.problems).toMatchObject([{ message: "Reading failed: status 503" }]);
  });
});

it.runIf(IS_WHOLE)("the service's blog uses the site's own font", async () => {
  const [site, host] = [await createBrandedSite(), await hostInProcess({ routeSet: "a", strict: false })];
  await run(site, { host });
  const browser = await openBrowser();
  onTestFinished(() => closePages(browser));
  const page = await browser.newPage();
  await page.goto(`${host.pagesUrl}/blog/blog`);
  const loaded = "document.fonts.ready.then((fonts) => [...fonts].map(({ family, status }) => `${family} ${status}`))";
  expect(await page.evaluate(loaded)).toContain("Brand body loaded");
});

describe("a Google font", () => {
  const GOOGLE = `@import url("https://fonts.googleapis.com/css2?family=Literata:wght@400;700");
    body{background:#fffdf7;color:#222;font-family:Literata,serif}`;

  async function installLiterata({ root }: TemporarySite): Promise<void> {
    const folder = dirname(createRequire(import.meta.url).resolve("@fontsource/literata/metadata.json"));
    await mkdir(join(root, "node_modules/@fontsource"), { recursive: true });
    await symlink(folder, join(root, "node_modules/@fontsource/literata"), "junction");
  }

  const bodyAt = async (host: Host) => (await kitsAt(host))[0]?.fonts.find(({ role }) => role === "body");

  it("is uploaded to the library from its npm package once that is installed", async () => {
    const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: false })];
    await site.write("dist/_astro/site.css", GOOGLE);
    const first = await run(site, { host, brandKit: { fonts: "library" } });
    expect(first.warnings).toContainEqual(
      expect.objectContaining({
        code: "brand-font",
        message: expect.stringContaining("npm install --save-dev @fontsource/literata"),
      }),
    );
    await installLiterata(site);
    const { warnings } = await run(site, { host, brandKit: { fonts: "library" } });
    expect(warnings.filter(({ code }) => code === "brand-font")).toEqual([]);
    const body = await bodyAt(host);
    expect(body).toMatchObject({ family: "Literata", weights: [400] });
    expect(body?.url).toMatch(/\/library\/[^/]+\/literata-latin-400-normal[\w.-]*\.woff2$/);
    const file = await fetch(body?.url ?? "");
    expect([file.status, file.headers.get("content-type")]).toEqual([200, "font/woff2"]);
    expect((await run(site, { host, brandKit: { fonts: "library" } })).requests.writes).toBe(0);
  });

  it("is found in packages by default, even if pinned, and nothing is reported if there is none", async () => {
    const [site, host] = [await createTemporarySite(), await hostInProcess({ routeSet: "a", strict: false })];
    await site.write("dist/_astro/site.css", GOOGLE);
    const { warnings } = await run(site, { host });
    expect(warnings.filter(({ code }) => code === "brand-font")).toEqual([]);
    await installLiterata(site);
    await site.write("dist/_astro/site.css", styleOf("#25776a").replaceAll("Literata", "Georgia"));
    await run(site, { host, brandKit: { fonts: { heading: "Literata" } } });
    const heading = (await kitsAt(host))[0]?.fonts.find(({ role }) => role === "heading");
    expect(heading).toMatchObject({ family: "Literata", weights: [700] });
    expect(heading?.url).toContain("literata-latin-700-normal");
  });
});

describe("a pinned value", () => {
  const MARK = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 30"><path d="M0 0h90v30z"/></svg>`;

  it("takes precedence over the site, and stays when the site changes", async () => {
    const [site, host] = [await createBrandedSite(), await hostInProcess({ routeSet: "a", strict: false })];
    await site.write("brand/mark.svg", MARK);
    const brandKit = {
      frame: false as const,
      colors: { primary: "#123456", seal: "#aa0000" },
      fonts: { heading: "Bitter" },
      logos: { light: "brand/mark.svg", dark: "brand/mark.svg" },
    };
    await run(site, { host, brandKit });
    await site.write("dist/_astro/site.css", styleOf("#b3261e"));
    const report = await run(site, { host, brandKit });
    expect(kitEntry(report)).toMatchObject({ kind: "keep" });
    const [kit] = await kitsAt(host);
    expect(kit?.colors).toContainEqual({ role: "primary", hex: "#123456", name: "Primary" });
    expect(kit?.colors).toContainEqual({ role: "seal", hex: "#aa0000", name: "Seal" });
    expect(kit?.fonts).toContainEqual({ role: "heading", family: "Bitter" });
    const logo = kit?.logos.find(({ kind }) => kind === "logo");
    expect(logo).toMatchObject({ contentType: "image/svg+xml", width: 90, height: 30 });
    expect(await (await fetch(logo?.url ?? "")).text()).toContain('viewBox="0 0 90 30"');
    const blog = await (await fetch(`${host.pagesUrl}/blog/blog`)).text();
    expect(blog).toContain("--fill: #123456");
    expect(blog).toContain(`<img src="${new URL(logo?.url ?? "").pathname}" alt="Halden Press">`);
  });

  it("with low contrast causes a warning before anything is sent", async () => {
    const [site, host] = [await createBrandedSite(), await hostInProcess({ routeSet: "a", strict: false })];
    const report = await run(site, { host, dryRun: true, brandKit: { colors: { text: "#ffeb3b" } } });
    expect(report.warnings).toContainEqual({
      code: "brand-contrast",
      file: "brandKit.colors",
      message:
        "text #ffeb3b is hard to read on #fffdf7 (contrast 1.2:1; at least 4.5:1 is needed), so the service's own pages use a similar, readable color.",
      pages: 1,
      places: [{ file: "brandKit.colors" }],
    });
  });

  it.each([
    [{ light: "brand/gone.svg" }, "`brandKit.logos.light` names brand/gone.svg, which doesn't exist."],
    [
      { dark: "brand/notes.txt" },
      "`brandKit.logos.dark` names brand/notes.txt, whose extension is not that of an image.",
    ],
    [{ icon: "brand/empty.svg" }, "`brandKit.logos.icon` names brand/empty.svg, which contains no SVG."],
  ])("that isn't an image stops the run before any request: %o", async (logos, message) => {
    const [site, host] = [await createBrandedSite(), await hostInProcess({ routeSet: "a", strict: false })];
    await site.write("brand/empty.svg", "<html></html>");
    await site.write("brand/notes.txt", "notes");
    const before = host.methods?.().length;
    await expect(run(site, { host, brandKit: { logos } })).rejects.toThrow(message);
    expect(host.methods?.().length).toBe(before);
  });
});

it("a site with broken styles, a missing font, and missing or unsafe logos gets the values that are certain", async () => {
  const [site, host] = [await createBrandedSite(), await hostInProcess({ routeSet: "a", strict: false })];
  await site.remove("dist/fonts");
  await site.remove("dist/logo.png");
  await site.write(
    "dist/favicon.svg",
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><script>alert(1)</script><path onload="alert(2)" d="M0 0h8v8z"/></svg>`,
  );
  await site.write(
    "dist/_astro/site.css",
    `@import "site.css"; }}} p { color: red } ${styleOf("#25776a")} p { color: `,
  );
  const report = await run(site, { host });
  expect(report.entries.filter(({ kind }) => kind === "failed")).toEqual([]);
  const [kit] = await kitsAt(host);
  expect(kit?.colors).toContainEqual({ role: "primary", hex: "#25776a", name: "Primary" });
  expect(kit?.fonts.find(({ role }) => role === "body")).toMatchObject({ family: "Literata" });
  expect(kit?.fonts.flatMap(({ url }) => url ?? [])).toEqual([]);
  expect(kit?.logos.map(({ kind }) => kind)).toEqual(["icon"]);
  const icon = await fetch(kit?.logos[0]?.url ?? "");
  expect(icon.headers.get("content-security-policy")).toContain("sandbox");
});
