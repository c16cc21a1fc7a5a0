import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectSoon, openDeskWorld, save, status } from "./desk-world.ts";

const world = openDeskWorld();

/** Opens a post's editor in a browser in New York. */
async function openInNewYork(slug: string, publishedAt: string): Promise<Page> {
  await world.send("POST", "/api/blogs/news/posts", { json: { slug, title: slug, markdown: "Text.", publishedAt } });
  const context = await world.openContext();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Emulation.setTimezoneOverride", { timezoneId: "America/New_York" });
  await page.goto(`${world.service.url}/blogs/news/posts/${slug}/edit`);
  await page.locator(".cm-content").waitFor();
  return page;
}

async function saveWithTitle(page: Page, title: string): Promise<void> {
  await page.getByLabel("Title", { exact: true }).fill(title);
  await save(page);
  await expectSoon(async () => (await world.readPost(slugIn(page)))?.["title"]).toBe(title);
}

const slugIn = (page: Page) => page.url().split("/").at(-2) ?? "";
const dateOf = async (page: Page) => (await world.readPost(slugIn(page)))?.["publishedAt"];
const dateIn = (page: Page) => page.getByLabel(/^Publish date/);

test.for([
  // 1:30 happens twice that day: this is the second one.
  ["repeated", "2027-11-07T06:30:12.345Z"],
  ["usual", "2027-07-01T06:30:59.999Z"],
])("an edit of the title keeps the publish date exactly, at a %s hour", async ([slug = "", at = ""]) => {
  const page = await openInNewYork(slug, at);
  await saveWithTitle(page, "Once");
  expect(await dateOf(page)).toBe(at);
  await saveWithTitle(page, "Twice");
  expect(await dateOf(page)).toBe(at);
});

test("an entered date shows its offset, and is the first of two hours with the same name", async () => {
  const page = await openInNewYork("entered", "2027-12-01T12:00:00.000Z");
  const label = page.locator("label[for=publishedAt]");
  expect(await label.textContent()).toBe("Publish date (America/New_York, GMT-5)");
  await dateIn(page).fill("2027-11-07T01:30");
  expect(await label.textContent()).toBe("Publish date (America/New_York, GMT-4)");
  await save(page);
  await expectSoon(() => status(page).textContent()).toContain("Saved at");
  expect(await dateOf(page)).toBe("2027-11-07T05:30:00.000Z");
  await dateIn(page).fill("");
  expect(await label.textContent()).toBe("Publish date (America/New_York)");
});

test("a post published without a date keeps the moment of its first save", async () => {
  const page = await world.openDesk("/blogs/news/new");
  await page.getByLabel("Status").selectOption("published");
  await page.getByLabel("Title", { exact: true }).fill("Now");
  await save(page);
  await expectSoon(() => page.url()).toContain("/now/edit");
  const first = await dateOf(page);
  await expectSoon(() => dateIn(page).inputValue()).not.toBe("");
  await saveWithTitle(page, "Then");
  expect(await dateOf(page)).toBe(first);
});
