import { expect, onTestFinished, test } from "vitest";
import * as z from "zod";
import { closePages, openBrowser } from "../../browser.ts";
import { clientOf, openRunningService } from "../open-service.ts";
import { send, view } from "../visitors/beacon.ts";
import { CONTACT, publishPage } from "../visitors/visiting.ts";
import { openSignedIn } from "./look.ts";

// The columns, with the right edge of their cells in the first row and the labels that the row shows.
const CELLS = `(() => {
  const table = document.querySelector(".scroll");
  const cells = [...table.querySelectorAll("tbody tr:first-child > *")].filter((cell) => cell.textContent !== "");
  return {
    right: Math.max(...cells.map((cell) => cell.getBoundingClientRect().right)),
    hidden: table.scrollWidth - table.clientWidth,
    titles: cells.map((cell) => getComputedStyle(cell, "::before").content.replaceAll('"', "").replaceAll("\\\\", "").trim()),
  };
})()`;
const cells = z.object({ right: z.number(), hidden: z.number(), titles: z.array(z.string()) });

test("on a phone, a list shows all its columns with labels, without horizontal scrolling", async () => {
  const service = await openRunningService();
  const api = clientOf(service, { routeSet: "a" });
  const slug = "a-page-with-a-slug-that-nobody-has-shortened";
  const html = `<title>What we learned about sourdough in eleven years of baking</title>${CONTACT}`;
  expect(await send(service, view(await publishPage(service, slug, html)))).toBe(204);
  await api("POST", "/api/blogs", { json: { name: "Notes", slug: "notes" } });
  await api("POST", "/api/blogs/notes/posts", { json: { slug: "rye", title: "Rye", markdown: "Rye.", author: "Ida" } });
  const browser = await openBrowser();
  onTestFinished(() => closePages(browser));
  const page = await (await openSignedIn(browser, service, { scheme: "light", width: 390 })).newPage();
  await page.setViewportSize({ width: 320, height: 700 });
  for (const [path, titles] of [
    ["/pages", ["", "none", "Slug", "Status", "Size", "Updated"]],
    ["/blogs", ["none", "Posts", "Address", "Updated"]],
    ["/blogs/notes", ["", "none", "Status", "Author", "Published", "Updated"]],
    ["/forms", ["none", "Page", "Status", "Unread", "Submissions", "Last submission"]],
    ["/settings", ["none", "Address", "Signed in", "Last used", "none", "none"]],
  ] as const) {
    await page.goto(`${service.url}${path}`);
    const { right, hidden, titles: shown } = cells.parse(await page.evaluate(CELLS));
    expect({ path, hidden, isInside: right <= 320, shown }).toEqual({
      ...{ path, hidden: 0, isInside: true },
      shown: titles.filter((title) => title !== ""),
    });
  }
});

const CUT_OFF = `[...document.querySelectorAll("select")].flatMap((select) => {
  const { font, paddingLeft, paddingRight } = getComputedStyle(select);
  const context = Object.assign(document.createElement("canvas").getContext("2d"), { font });
  const arrow = 16;
  const room = select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - arrow;
  return [...select.options].filter(({ text }) => context.measureText(text).width > room).map(({ text }) => text);
})`;

test("on a phone, the roles of people aren't cut off", async () => {
  const service = await openRunningService();
  const browser = await openBrowser();
  onTestFinished(() => closePages(browser));
  const page = await (await openSignedIn(browser, service, { scheme: "light", width: 390 })).newPage();
  await page.goto(`${service.url}/people`);
  expect(await page.evaluate(CUT_OFF)).toEqual([]);
  expect(await page.getByLabel("Role").locator("option").allTextContents()).toEqual(["Owner", "Editor", "Viewer"]);
});
