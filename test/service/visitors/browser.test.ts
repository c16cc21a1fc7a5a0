import type { BrowserContext } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import type { RunningService } from "../../../src/service.ts";
import { launchBrowser } from "../../browser.ts";
import { clientOf, openRunningService } from "../open-service.ts";
import { publishPage } from "./visiting.ts";

// Without its own policy; `strict` adds one to the head.
function pageHtml(head: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">${head}<title>Shop</title></head>
<body style="margin:0"><main><p style="height:3000px;margin:0">Long</p>
<button id="buy" type="button">Buy</button>
<a id="more" href="/p/more">More</a>
<form method="post"><input name="email" type="email"><input name="message"><button id="send">Send</button></form>
</main></body></html>`;
}

const POLICY = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'unsafe-inline'; form-action 'self'">`;

// The browser's default user agent reveals that it is automated.
const USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36";

async function openContext(): Promise<BrowserContext> {
  const browser = await launchBrowser({ userAgent: USER_AGENT });
  onTestFinished(() => browser.close());
  return await browser.newContext({ viewport: { width: 1000, height: 600 } });
}

/** Waits until the service has received so many messages: a browser sends the last one when the page is hidden. */
async function waitForMessages(service: RunningService, count: number): Promise<void> {
  await expect
    .poll(() => service.requests().filter(({ path, status }) => path === "/_b" && status === 204).length)
    .toBeGreaterThanOrEqual(count);
}

describe.each([
  ["without a policy", ""],
  ["with a strict policy", POLICY],
])("a visitor on a page %s", (_what, head) => {
  it("clicks, presses Enter, scrolls, leaves, and submits a form, and both route sets report it", async () => {
    const service = await openRunningService();
    const id = await publishPage(service, "shop", pageHtml(head));
    await publishPage(service, "more", "<!doctype html><title>More</title><p>More</p>");
    const context = await openContext();
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    // A beacon that outlives its page is reported as failed, whether it arrived or not; received ones are counted.
    page.on("requestfailed", (request) => {
      if (!request.url().endsWith("/_b")) complaints.push(request.url());
    });

    await page.goto(`${service.pagesUrl}/p/shop?id=secret&utm_source=real%20browser&utm_campaign=spring`);
    await page.click("#buy");
    await page.focus("#more");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/p/more");
    await waitForMessages(service, 3);

    await page.goBack();
    await page.fill('[name="email"]', "anna@example.org");
    await page.fill('[name="message"]', "=1+1");
    await page.click("#send");
    await page.waitForURL("**/_thanks/shop");
    expect(await page.textContent("h1")).toBe("Thank you");
    const stored = await page.evaluate("[document.cookie, localStorage.length, sessionStorage.length]");
    expect(stored).toEqual(["", 0, 0]);
    expect(await context.cookies()).toEqual([]);
    await page.close();
    await waitForMessages(service, 6);
    // A browser requests a favicon on its own, which no page here has.
    expect(complaints.filter((text) => !text.includes("404"))).toEqual([]);

    const visits = (await clientOf(service, { routeSet: "a" })("GET", "/api/analytics/visits")).body;
    expect(visits).toMatchObject({
      totals: { visits: 1, views: 3, bounces: 0 },
      source: [{ value: "real browser" }],
      campaign: [{ value: "spring" }],
      entryPage: [{ value: "shop" }],
    });

    const a = clientOf(service, { routeSet: "a" });
    const b = clientOf(service, { routeSet: "b" });
    const shop = { slug: "shop", views: 2, visitors: 1, clicks: 3, submissions: 1, avgScroll: 100 };
    const { items } = await a("GET", "/api/analytics/pages?sort=views");
    expect(items[0]).toMatchObject({ id, ...shop });
    expect((await b("GET", "/api/analytics/pages/shop")).body).toMatchObject({
      totals: shop,
      devices: { mobile: 0, tablet: 2, desktop: 0 },
      referrers: [],
    });
    const heatmap = (await b("GET", `/api/analytics/heatmaps?pageId=${id}`)).body;
    const elements = [{ selector: "#buy" }, { selector: "#more" }, { selector: "#send" }];
    expect(heatmap).toMatchObject({ views: 2, elements: elements.map((element) => ({ ...element, count: 1 })) });
    const points = Array.isArray(heatmap.points) ? heatmap.points : [];
    expect(points.length).toBeGreaterThanOrEqual(2);
    for (const { x, y } of points) expect([x < 500, y >= 2992 && y < 3072]).toEqual([true, true]);
    expect((await b("GET", "/api/analytics/scroll-depth?slug=shop")).body).toMatchObject({ views: 2, median: 100 });
    const sent = { fields: { email: "anna@example.org", message: "=1+1" } };
    expect((await a("GET", "/api/forms/shop")).items).toMatchObject([sent]);
    expect((await b("GET", "/api/forms/shop/submissions")).items).toMatchObject([sent]);
  });
});

describe("a visitor who opted out of analytics", () => {
  it("isn't counted, without errors", async () => {
    const service = await openRunningService();
    await publishPage(service, "shop", pageHtml(""));
    const context = await openContext();
    await context.setExtraHTTPHeaders({ "Sec-GPC": "1" });
    const page = await context.newPage();
    await page.goto(`${service.pagesUrl}/p/shop`);
    expect(await page.content()).not.toContain("/_i.js");
    await page.close();
    expect(service.requests().filter(({ path }) => path === "/_b")).toEqual([]);
  });
});

describe("a partially read page", () => {
  it("reports the scroll depth, once for a visitor who hides the tab and returns", async () => {
    const service = await openRunningService();
    await publishPage(
      service,
      "long",
      '<!doctype html><body style="margin:0"><p style="height:6000px;margin:0">Long</p>',
    );
    const context = await openContext();
    const page = await context.newPage();
    await page.goto(`${service.pagesUrl}/p/long`);
    await page.mouse.wheel(0, 2400);
    await expect.poll(() => page.evaluate("scrollY")).toBe(2400);
    const hide = (state: string) =>
      page.evaluate(`Object.defineProperty(document, "visibilityState", { configurable: true, get: () => "${state}" }),
        document.dispatchEvent(new Event("visibilitychange"))`);
    await hide("hidden");
    await hide("visible");
    await page.evaluate("scrollTo(0, 3000)");
    await expect.poll(() => page.evaluate("scrollY")).toBe(3000);
    await hide("hidden");
    await page.close();
    await waitForMessages(service, 3);
    const { body } = await clientOf(service, { routeSet: "b" })("GET", "/api/analytics/scroll-depth?slug=long");
    expect(body).toMatchObject({ views: 1, average: 60, median: 60 });
    expect(body.buckets).toContainEqual({ depth: 60, reached: 1, share: 1 });
    expect(body.buckets).toContainEqual({ depth: 65, reached: 0, share: 0 });
  });
});
