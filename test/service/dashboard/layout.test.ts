import { expect, onTestFinished, test } from "vitest";
import { closePages, openBrowser } from "../../browser.ts";
import { clientOf, openRunningService } from "../open-service.ts";
import { openSignedIn, type Look } from "./look.ts";

async function openDashboard(width: Look["width"]) {
  const service = await openRunningService();
  const browser = await openBrowser();
  onTestFinished(() => closePages(browser));
  const page = await (await openSignedIn(browser, service, { scheme: "light", width })).newPage();
  return { service, page };
}

test("on a phone, the button that opens the menu stays in place, and closes it again", async () => {
  const { service, page } = await openDashboard(390);
  await page.goto(`${service.url}/pages`);
  const button = page.locator("summary", { hasText: "Menu" });
  const link = page.getByRole("navigation").getByRole("link", { name: "Settings" });
  const before = await button.boundingBox();
  await button.click();
  expect(await button.boundingBox()).toEqual(before);
  await link.scrollIntoViewIfNeeded();
  expect(await link.isVisible()).toBe(true);
  await button.click();
  expect(await link.isVisible()).toBe(false);
});

test("a title without a space doesn't push the other columns of a list out of the window", async () => {
  const { service, page } = await openDashboard(1280);
  await clientOf(service, { routeSet: "a" })("PUT", "/api/pages/long", {
    json: { html: "<p>Text</p>", title: "Donaudampfschifffahrt".repeat(9) },
  });
  await page.goto(`${service.url}/pages`);
  expect(await page.locator(".scroll").evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
});
