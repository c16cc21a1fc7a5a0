import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { closePages, openBrowser } from "../../browser.ts";
import { openRunningService } from "../open-service.ts";
import { leave, send, view } from "../visitors/beacon.ts";
import { publishPage } from "../visitors/visiting.ts";
import { openSignedIn } from "./look.ts";

// Each label with the distance between its center and the center of its day's bar, in pixels.
const LABELS = `[...document.querySelectorAll(".times li")].filter((item) => item.textContent !== "").map((item) => {
  const range = document.createRange();
  range.selectNodeContents(item);
  const middle = ({ left, width }) => left + width / 2;
  const bar = [...document.querySelectorAll(".bars g")].find(({ textContent }) =>
    new Date(textContent.slice(0, 10)).toLocaleDateString("en-US", { month: "short", day: "numeric", timeZone: "UTC" }) === item.textContent);
  const { right } = range.getBoundingClientRect();
  return { off: Math.abs(middle(range.getBoundingClientRect()) - middle(bar.querySelector(".reach").getBoundingClientRect())), right };
})`;
const labels = z.array(z.object({ off: z.number(), right: z.number() }));

test("chart labels are centered below the bars of their days", async () => {
  const service = await openRunningService();
  const page = await publishPage(service, "menu", "<h1>Menu</h1>");
  expect(await send(service, view(page))).toBe(204);
  const browser = await openBrowser();
  onTestFinished(() => closePages(browser));
  const shown = await (await openSignedIn(browser, service, { scheme: "light", width: 390 })).newPage();
  for (const days of [7, 30, 90]) {
    await shown.goto(`${service.url}/analytics?days=${days}`);
    await shown.waitForSelector(".times");
    for (const width of [390, 1280]) {
      await shown.setViewportSize({ width, height: 800 });
      const found = labels.parse(await shown.evaluate(LABELS));
      expect(found).toHaveLength(4);
      expect(found.filter(({ off, right }) => off > 1 || right > width)).toEqual([]);
    }
  }
});

test("on a phone, every number of a page fits its tile", async () => {
  const service = await openRunningService();
  const page = await publishPage(service, "menu", "<h1>Menu</h1>");
  for (const message of [view(page), leave(page, { s: 59, e: 105 })]) expect(await send(service, message)).toBe(204);
  const browser = await openBrowser();
  onTestFinished(() => closePages(browser));
  const shown = await (await openSignedIn(browser, service, { scheme: "light", width: 390 })).newPage();
  await shown.goto(`${service.url}/analytics/${page}`);
  await shown.getByText("1\u00A0min 45\u00A0s").first().waitFor();
  const tiles = `[...document.querySelectorAll(".stats li")].filter((tile) => tile.scrollWidth > tile.clientWidth).map(({ textContent }) => textContent)`;
  expect(await shown.evaluate(tiles)).toEqual([]);
});
