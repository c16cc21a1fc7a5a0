import type { BrowserContext, Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectSoon, openDeskWorld, save, status, textOf, write } from "./desk-world.ts";

const world = openDeskWorld();
const NEW = "/blogs/news/new";

/** Opens the editor where no text is stored on the service, such as in a browser without a network. */
async function openUnheard(context: BrowserContext, path: string): Promise<Page> {
  const page = await world.openIn(context, path);
  await page.route("**/autosave", (route) => route.abort());
  return page;
}

async function leave(page: Page): Promise<void> {
  await expectSoon(() => status(page).textContent()).toContain("kept in this browser");
  await page.close();
}

const title = (page: Page) => page.getByLabel("Title", { exact: true });
const offers = (page: Page) => page.locator(".local-text");

test("the unsent text of a new post is offered on other new ones, until these are saved", async () => {
  const context = await world.openContext();
  const first = await openUnheard(context, NEW);
  await title(first).fill("First");
  await write(first, "Text of the first. ");
  await leave(first);
  const second = await openUnheard(context, NEW);
  await expectSoon(() => offers(second).count()).toBe(1);
  await title(second).fill("Second");
  await save(second);
  await expectSoon(() => status(second).textContent()).toContain("Saved at");
  expect(await offers(second).count()).toBe(0);
  await write(second, "Text of the second. ");
  await leave(second);
  const third = await world.openIn(context, NEW);
  await offers(third).getByRole("button", { name: "Use it" }).click();
  expect([await title(third).inputValue(), await textOf(third)]).toEqual(["First", "Text of the first. "]);
  const again = await world.openIn(context, "/blogs/news/posts/second/edit");
  await offers(again).getByRole("button", { name: "Use it" }).click();
  expect(await textOf(again)).toBe("Text of the second. ");
});

test("the unsent text of a post that someone deleted is offered as a new post of its blog", async () => {
  const context = await world.openContext();
  const path = await world.addPost("gone", "Old. ");
  const page = await world.openIn(context, `${path}/edit`);
  await world.send("DELETE", "/api/blogs/news/posts/gone");
  await write(page, "Precious. ");
  await expectSoon(() => status(page).textContent()).toContain(
    "This was deleted or renamed. Your text is kept in this browser.",
  );
  await save(page);
  await expectSoon(() => status(page).textContent()).toContain("This was deleted or renamed.");
  expect(await status(page).getByRole("link", { name: "New post" }).getAttribute("href")).toBe(NEW);
  await page.close();
  const other = await world.openIn(context, `${await world.addPost("other", "Other.")}/edit`);
  expect(await offers(other).count()).toBe(0);
  const fresh = await world.openIn(context, NEW);
  await expectSoon(() => offers(fresh).textContent()).toContain("the text of “gone”, which was deleted");
  await offers(fresh).getByRole("button", { name: "Use it" }).click();
  await save(fresh);
  await expectSoon(() => fresh.url()).toContain("/posts/gone/edit");
  await expectSoon(async () => (await world.readPost("gone"))?.["markdown"]).toBe("Precious. Old. ");
});

test("going back and forward shows what another editor saved meanwhile, and a save keeps it", async () => {
  const context = await world.openContext();
  const path = await world.addPost("forth", "Old. ");
  const page = await world.openIn(context, `${path}/edit`);
  await title(page).fill("Mine");
  await write(page, "Mine. ");
  await save(page);
  await expectSoon(() => status(page).textContent()).toContain("Saved at");
  await page.getByRole("link", { name: "Earlier versions" }).click();
  await page.getByRole("heading", { level: 1 }).waitFor();
  await world.send("PATCH", "/api/blogs/news/posts/forth", { json: { title: "Theirs", markdown: "Theirs. " } });
  await page.goBack();
  await page.locator(".cm-content").waitFor();
  expect([await title(page).inputValue(), await textOf(page)]).toEqual(["Theirs", "Theirs. "]);
  await page.getByLabel("Tags").fill("new");
  await save(page);
  await expectSoon(() => status(page).textContent()).toContain("Saved at");
  expect(await world.readPost("forth")).toMatchObject({ title: "Theirs", markdown: "Theirs. ", tags: ["new"] });
});
