import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { runCli } from "../../../src/cli/run-cli.ts";
import { parseOptions, publish } from "../../../src/publish.ts";
import { startService, type RunningService } from "../../../src/service.ts";
import { launchBrowser } from "../../browser.ts";
import { startDnsServer } from "../../service/domains/dns-server.ts";
import { zoneFor } from "../../service/domains/open-domains.ts";
import { openOriginal, type OriginalSite } from "../original-site.ts";
import { openPublished, type PublishedSite, type World } from "../published-site.ts";

const FOLDER = "test/sites/lamp-shop";
const DOMAIN = "www.lamps.example";
const WORLDS: readonly World[] = [
  { routeSet: "a", mode: "full" },
  { routeSet: "b", mode: "full" },
];

let original: OriginalSite;

beforeAll(async () => {
  original = await openOriginal(FOLDER);
});

afterAll(() => original?.close());

/** Status, redirect target, and heading of the response. */
async function answerOf(address: string, headers: Readonly<Record<string, string>> = {}): Promise<readonly unknown[]> {
  const response = await fetch(address, { redirect: "manual", headers });
  const location = response.headers.get("location");
  const heading = /<h1[^>]*>([^<]*)/.exec(await response.text())?.[1];
  return [response.status, location === null ? heading : pathOf(location)];
}

function pathOf(location: string): string {
  const { origin, pathname, search } = new URL(location, "http://relative.example");
  return `${/relative|127\.0\.0\.1|lamps\.example/.test(origin) ? "" : origin}${pathname}${search}`;
}

describe.each(WORLDS)("the pages' host, route set $routeSet, at the site's own addresses,", (world) => {
  let published: PublishedSite;

  beforeAll(async () => {
    published = await openPublished(original, world);
  });

  afterAll(() => published?.close());

  it.each([
    ["/thank-you/", "/p/thank-you"],
    ["/thank-you", "/p/thank-you"],
    ["/thank-you/index.html", "/p/thank-you"],
    ["/thank-you/?order=7", "/p/thank-you?order=7"],
    ["/product/brass/", "/p/product-brass"],
  ])("redirects %s with 302 to its page", async (path, page) => {
    expect(await answerOf(`${published.origin}${path}`)).toEqual([302, page]);
  });

  it.each([
    ["/basket", "/p/cart"],
    ["/basket/", "/p/cart"],
    ["/lamps/paper/", "/p/product-paper"],
  ])("redirects the redirect %s with 301 to its target", async (path, page) => {
    expect(await answerOf(`${published.origin}${path}`)).toEqual([301, page]);
  });

  it("redirects to another site if a redirect does", async () => {
    const [status, place] = await answerOf(`${published.origin}/press-kit/`);
    expect([301, 302]).toContain(status);
    expect(place).toBe("https://elsewhere.example/press/");
  });

  it.each(["/no-such-lamp/", "/p/no-such-lamp", "/product/no-such-lamp.html"])(
    "responds to %s with 404 and the site's own page for it",
    async (path) => {
      expect(await answerOf(`${published.origin}${path}`)).toEqual([404, "No such lamp"]);
    },
  );

  it("shows the site's own 404 page with its picture and a working home link", async () => {
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    page.setDefaultTimeout(5000);
    await page.goto(`${published.origin}/no-such-lamp/`);
    const width = await page.evaluate<number>(
      "Promise.all([...document.images].map((image) => image.decode().then(() => image.naturalWidth, () => 0))).then(([width]) => width)",
    );
    await page.getByRole("link", { name: "Back to the lamps" }).click();
    await page.getByRole("heading", { name: "Light by hand" }).waitFor();
    expect(width).toBe(48);
  });

  it("doesn't redirect to a file, an endpoint, or a missing page of the site", async () => {
    const statuses = await Promise.all(
      ["/lamps/none.png", "/api/pages", "/_b", "/%"].map((path) => answerOf(`${published.origin}${path}`)),
    );
    expect(statuses.map(([status]) => status)).toEqual([404, 404, 404, 404]);
  });
});

describe.each([...WORLDS, { routeSet: "a", mode: "strict" }, { routeSet: "b", mode: "strict" }] as const)(
  "a redirect in the config, published to route set $routeSet, $mode,",
  (world) => {
    it("is a page that redirects on any host", async () => {
      const published = await openPublished(original, world);
      onTestFinished(() => published.close());
      const slug = [...published.slugs].find(([route]) => route === "/basket/")?.[1] ?? "basket";
      const browser = await launchBrowser();
      onTestFinished(() => browser.close());
      const page = await browser.newPage();
      await page.goto(`${published.origin}/p/${slug}`);
      const isThere = page.getByRole("heading", { name: "Your cart" }).waitFor({ timeout: 5000 });
      await expect(isThere, `${page.url()} shows ${await page.locator("h1").allInnerTexts()}`).resolves.toBeUndefined();
    });
  },
);

describe.each(WORLDS)("a custom domain, route set $routeSet,", ({ routeSet }) => {
  let service: RunningService;
  let root: string;
  let dns: Awaited<ReturnType<typeof startDnsServer>>;

  async function imprint(...argv: readonly string[]): Promise<string> {
    let out = "";
    const write = (text: string) => (out += text);
    const environment = { IMPRINT_API_KEY: service.apiKey, IMPRINT_SERVICE: service.baseUrl(routeSet) };
    const code = await runCli(argv, { cwd: root, environment, out: { write }, error: { write } });
    if (code !== 0) throw new Error(`imprint ${argv.join(" ")} ended with ${code}: ${out}`);
    return out;
  }

  const ask = (path: string) =>
    service.fetch(new Request(`http://${DOMAIN}${path}`, { redirect: "manual" })).then(async (response) => {
      const location = response.headers.get("location");
      const heading = /<h1[^>]*>([^<]*)/.exec(await response.text())?.[1];
      return [response.status, location === null ? heading : pathOf(location)];
    });

  beforeAll(async () => {
    // A test's own hook can't use `onTestFinished`, which `startDnsServer` calls at the end.
    root = await mkdtemp(join(tmpdir(), "fidelity-domain-"));
    await cp(original.dist, join(root, "dist"), { recursive: true });
  });

  afterAll(() => rm(root, { recursive: true, force: true }));

  it("serves the site's addresses with its pages, its redirects with 301, and all others with its own 404 page", async () => {
    dns = await startDnsServer();
    service = await startService({
      ...{ ephemeral: true, dev: true, port: 0, pagesPort: 0, background: false },
      domains: { dnsServers: [dns.address] },
    });
    onTestFinished(() => service.close());
    await imprint("publish");
    dns.set(zoneFor(Object(JSON.parse(await imprint("domains", "add", DOMAIN, "--json")))));
    await service.checkDomains();
    await imprint("domains", "check", DOMAIN);
    expect.soft(await ask("/thank-you/?order=7")).toEqual([200, "Thank you"]);
    expect.soft(await ask("/")).toEqual([200, "Light by hand"]);
    expect.soft(await ask("/basket")).toEqual([301, "/cart"]);
    expect.soft(await ask("/lamps/paper/")).toEqual([301, "/product-paper"]);
    expect.soft(await ask("/no-such-lamp/")).toEqual([404, "No such lamp"]);
  });
});

describe.each(WORLDS)("a page with a renamed route, route set $routeSet,", ({ routeSet }) => {
  it("redirects from its old address, its old route, and its old slug", async () => {
    const renamed = await openOriginal(FOLDER, { LAMPS_CARE: "looking-after" });
    onTestFinished(() => renamed.close());
    const projectRoot = await mkdtemp(join(tmpdir(), "fidelity-renamed-"));
    onTestFinished(() => rm(projectRoot, { recursive: true, force: true }));
    const service = await startService({ ephemeral: true, port: 0, pagesPort: 0 });
    onTestFinished(() => service.close());
    const baseUrl = service.baseUrl(routeSet);
    const target = {
      baseUrl,
      apiKey: service.apiKey,
      routeSet: "auto",
      identity: baseUrl,
      pagesUrl: undefined,
    } as const;
    for (const { dist, hints } of [original, renamed]) {
      const options = parseOptions({ brandKit: false });
      await publish({ projectRoot, dist, hints, options, target: { ...target, close: async () => {} } });
    }
    expect.soft(await answerOf(`${service.pagesUrl}/p/looking-after`)).toEqual([200, "Caring for a lamp"]);
    for (const path of ["/p/care", "/care/", "/care"]) {
      const response = await fetch(`${service.pagesUrl}${path}`);
      const text = await response.text();
      const isThere = text.includes("Caring for a lamp") || /http-equiv="?refresh[^>]*\/p\/looking-after/i.test(text);
      expect.soft([path, response.status, isThere]).toEqual([path, 200, true]);
    }
  });
});
