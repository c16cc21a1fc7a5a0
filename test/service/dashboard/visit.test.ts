// One visit, from the first click to what the page's owner sees of it; nothing is inserted into the store directly.
import type { BrowserContext } from "playwright-core";
import { expect, it, onTestFinished } from "vitest";
import { createClient } from "../../../src/client.ts";
import type { RunningService } from "../../../src/service.ts";
import { closePages, launchBrowser, openBrowser } from "../../browser.ts";
import { clientOf, openRunningService } from "../open-service.ts";
import { lookAt, openSignedIn } from "./look.ts";

const SHOP = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Shop</title>
<style>body{margin:0;font:16px/1.5 serif}header{min-height:100vh;background:#f3e7d6}main{padding:40px}p{height:1500px}</style>
</head><body><header><h1>Shop</h1><button id="buy" type="button">Buy</button></header><main><p>Long</p>
<form method="post" name="order"><label>E-mail <input name="email" type="email"></label>
<label>Message <input name="message"></label><button id="send">Send</button></form></main></body></html>`;

// The browser's default user agent reveals that it is automated.
const USER_AGENT =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/153.0.0.0 Safari/537.36";

it("the dashboard and both route sets show a visit, its clicks, its scroll depth, and its submission", async () => {
  const service = await openRunningService();
  const { id } = await publish(service);
  const visitors = await launchBrowser({ userAgent: USER_AGENT });
  onTestFinished(() => visitors.close());
  await visitShop(service, await visitors.newContext({ viewport: { width: 1280, height: 800 } }));

  const a = clientOf(service, { routeSet: "a", transport: "over HTTP" });
  const b = clientOf(service, { routeSet: "b", transport: "over HTTP" });
  const numbers = { views: 1, visitors: 1, clicks: 2, submissions: 1, avgScroll: 100 };
  expect((await a("GET", "/api/analytics/pages?sort=views")).items).toMatchObject([{ id, ...numbers }]);
  expect((await b("GET", "/api/analytics/pages/shop")).body).toMatchObject({ totals: numbers });
  const elements = [
    { selector: "#buy", count: 1 },
    { selector: "#send", count: 1 },
  ];
  expect((await b("GET", `/api/analytics/heatmaps?pageId=${id}`)).body).toMatchObject({ views: 1, elements });
  expect((await b("GET", "/api/analytics/scroll-depth?slug=shop")).body).toMatchObject({ views: 1, median: 100 });
  const sent = [{ fields: { email: "ida@example.org", message: "A loaf, please" }, lead: true }];
  expect((await a("GET", "/api/forms/shop")).items).toMatchObject(sent);
  expect((await b("GET", "/api/forms/shop/submissions")).items).toMatchObject(sent);

  const owner = await openBrowser();
  onTestFinished(() => closePages(owner));
  const look = { scheme: "light", width: 1280 } as const;
  const context = await openSignedIn(owner, service, look);
  const [form] = (await a("GET", "/api/forms")).items;
  const page = await context.newPage();
  const complaints: string[] = [];
  for (const shown of [
    { name: "visit-analytics", path: "/analytics" },
    { name: "visit-heatmap", path: `/analytics/${id}/heatmap` },
    { name: "visit-form", path: `/forms/${String(form?.["id"])}` },
  ]) {
    complaints.push(...(await lookAt(page, service, { shown, looks: [look] })));
  }
  expect(complaints).toEqual([]);
  expect(await readDashboard(service, context)).toEqual({
    totals: ["1", "1", "1", "100%", "1"],
    clicks: "2 clicks in 1 view. At least half of the visitors reached its end.",
    elements: ["Buy #buy 1", "Send #send 1"],
    // The spot is on the button in the frame below it.
    isOnButton: true,
    end: "100%",
    sent: ["email ida@example.org", "message A loaf, please"],
  });
});

async function publish(service: RunningService): Promise<{ readonly id: string }> {
  const client = createClient({ routeSet: "a", apiKey: service.apiKey, baseUrl: service.baseUrl("a") });
  const { id } = await client.pages.create({ slug: "shop", title: "Shop", html: SHOP });
  return { id: String(id) };
}

async function visitShop(service: RunningService, context: BrowserContext): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${service.pagesUrl}/p/shop`);
  await page.click("#buy");
  await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
  await page.fill('[name="email"]', "ida@example.org");
  await page.fill('[name="message"]', "A loaf, please");
  await page.click("#send");
  await page.waitForURL("**/_thanks/shop");
  await page.close();
  // The last message is sent when the page is hidden.
  await expect
    .poll(() => service.requests().filter(({ path, status }) => path === "/_b" && status === 204).length)
    .toBeGreaterThanOrEqual(2);
}

async function readDashboard(service: RunningService, context: BrowserContext) {
  const page = await context.newPage();
  await page.goto(`${service.url}/analytics`);
  const totals = await page.locator(".stats strong").allTextContents();
  const pages = page.getByRole("table", { name: "Pages, most viewed first" });
  await pages.getByRole("link", { name: "Shop" }).click();
  await page.click("text=Clicks and scrolling");
  const clicks = await page.locator(".heatmap figcaption p").first().textContent();
  const rows = await page.locator(".scroll tbody tr").allTextContents();
  const button = await page.frameLocator(".layout iframe").locator("#buy").boundingBox();
  const spots = await page.evaluate<readonly Place[]>(MIDDLES);
  const end = await page.locator(".depth li strong").last().textContent();
  await page.goto(`${service.url}/forms`);
  await page.getByRole("link", { name: "order", exact: true }).click();
  await page.click("tbody a");
  const names = await page.locator("dl dt").allTextContents();
  const values = await page.locator("dl dd").allTextContents();
  return {
    totals,
    clicks: clicks?.replaceAll(/\s+/g, " ").trim(),
    elements: rows.map((row) => row.replace(/(#\w+)(\d+)$/, " $1 $2")),
    isOnButton: spots.some(
      ({ x, y }) =>
        button !== null && x > button.x && x < button.x + button.width && y > button.y && y < button.y + button.height,
    ),
    end,
    sent: names.map((name, index) => `${name} ${values[index] ?? ""}`).slice(1),
  };
}

const MIDDLES = `[...document.querySelectorAll(".layout circle")].map((spot) => {
  const { left, top, width, height } = spot.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
})`;

interface Place {
  readonly x: number;
  readonly y: number;
}
