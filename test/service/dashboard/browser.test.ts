import { expect, onTestFinished, test } from "vitest";
import { closePages, openBrowser } from "../../browser.ts";
import { openRunningService } from "../open-service.ts";

test("the forms of the dashboard and the sign-in form work in a browser", async () => {
  const service = await openRunningService();
  const browser = await openBrowser();
  onTestFinished(() => closePages(browser));
  const page = await browser.newPage();

  await page.goto(`${service.url}/sign-in`);
  await page.click("text=Show a new link");
  await page.waitForSelector("text=Link created");

  await page.goto((await service.createSignInLink()).url);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL(`${service.url}/`);
  await page.goto(`${service.url}/keys`);
  await page.fill("input[name=name]", "CI");
  await page.click("text=Create key");
  expect(await page.inputValue("#secret")).toMatch(/^imp_dev_/);

  await page.locator("text=Sign out").last().click();
  await page.waitForSelector("text=An Imprint service runs here");
});
