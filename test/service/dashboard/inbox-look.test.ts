import { expect, onTestFinished, test } from "vitest";
import { closePages, openBrowser } from "../../browser.ts";
import { clientOf, openRunningService } from "../open-service.ts";
import { CONTACT, publishPage, submit } from "../visitors/visiting.ts";
import { lookAt, openSignedIn } from "./look.ts";

const ORDER =
  "Dear bakers, we would like to order forty loaves of rye for a wedding on the third of May, by eight in the morning.";

async function openInbox() {
  const service = await openRunningService();
  await publishPage(service, "contact", CONTACT);
  const word = "Averylongnamewithoutanyspace".repeat(3);
  await submit(service, "contact", {
    fields: { name: word, email: "long@example.org", message: word },
  });
  await submit(service, "contact", {
    fields: { name: "Ida Lovelace", email: "ida@example.org", message: ORDER },
  });
  const { items } = await clientOf(service, { routeSet: "a" })("GET", "/api/forms");
  const browser = await openBrowser();
  onTestFinished(() => closePages(browser));
  const page = await (await openSignedIn(browser, service, { scheme: "light", width: 1280 })).newPage();
  return { service, page, path: `/forms/${String(items[0]?.["id"])}` };
}

test("on a phone, an inbox shows senders and messages without horizontal scrolling", async () => {
  const { service, page, path } = await openInbox();
  for (const width of [320, 390]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto(`${service.url}${path}`);
    for (const text of ["Ida Lovelace", "ida@example.org", ORDER]) {
      const box = await page.getByRole("table").getByText(text).boundingBox();
      expect(box?.x).toBeGreaterThanOrEqual(0);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(width);
    }
    const region = page.getByRole("region", { name: "Submissions" });
    expect(await region.evaluate((element) => Object(element).scrollWidth - Object(element).clientWidth)).toBe(0);
  }
  const looks = [
    { scheme: "light", width: 390 },
    { scheme: "dark", width: 390 },
    { scheme: "light", width: 1280 },
  ] as const;
  expect(await lookAt(page, service, { shown: { name: "inbox", path }, looks })).toEqual([]);
});

test("on a desktop, an email address stays on one line", async () => {
  const { service, page, path } = await openInbox();
  const email = "wilhelmina.featherstonehaugh@bakery-supplies.example.org";
  await submit(service, "contact", { fields: { name: "Wilhelmina", email, message: ORDER } });
  await page.goto(`${service.url}${path}`);
  const cell = page.getByRole("table").getByText(email);
  const lines = await cell.evaluate((element) => {
    const range = Object(element).ownerDocument.createRange();
    range.selectNodeContents(element);
    return range.getClientRects().length;
  });
  expect(lines).toBe(1);
});

test("a submission can be found, read, answered, and moved to spam with the keyboard alone", async () => {
  const { service, page, path } = await openInbox();
  await page.goto(`${service.url}${path}`);
  await page.getByRole("link", { name: "Unread 2" }).press("Enter");
  await page.getByLabel("Find a submission").focus();
  await page.keyboard.type("wedding");
  await page.keyboard.press("Enter");
  await page.waitForURL(/q=wedding/);
  await page.getByRole("table").getByRole("link").press("Enter");
  await page.getByRole("heading", { name: "ida@example.org" }).waitFor();
  const reply = page.getByRole("link", { name: "Reply by mail" });
  await reply.focus();
  expect(await reply.getAttribute("href")).toMatch(/^mailto:ida%40example\.org\?subject=Re/);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("link", { name: "Unread 2" }).waitFor();
  await page.getByLabel(/^Select ida@example.org/).focus();
  await page.keyboard.press("Space");
  await page.getByRole("button", { name: "Spam", exact: true }).press("Enter");
  await page.getByRole("link", { name: "Spam 1" }).waitFor();
  expect(await page.getByRole("table").textContent()).not.toContain("Ida");
});
