import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { visit } from "../open-service.ts";
import { AXE } from "../../axe.ts";
import { expectSoon, openDeskWorld, save, status, textOf, write } from "./desk-world.ts";

const world = openDeskWorld();

/** Opens a post whose first and last lines someone else changes meanwhile, and merges both texts. */
async function openMerged(slug: string): Promise<Page> {
  const page = await world.openDesk(`${await world.addPost(slug, "one\n\ntwo\n\nthree\n")}/edit`);
  await write(page, "My ");
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText("mine");
  await world.send("PATCH", `/api/blogs/news/posts/${slug}`, {
    json: { markdown: "Their one\n\ntwo\n\nthree\ntheirs" },
  });
  await save(page);
  await page.getByRole("button", { name: "Merge both" }).click();
  return page;
}

const notice = (page: Page) => page.locator(".warning");
const version = async (slug: string) => (await world.readPost(slug))?.["version"];

test("a merged text can't be saved or published while it has conflict marks, which the editor shows", async () => {
  const page = await openMerged("both");
  await expectSoon(() => notice(page).textContent()).toContain("2 places need your decision");
  expect(await page.locator(".cm-conflict-mark").allTextContents()).toEqual([
    ...["<<<<<<< Yours", "=======", ">>>>>>> Saved meanwhile"],
    ...["<<<<<<< Yours", "=======", ">>>>>>> Saved meanwhile"],
  ]);
  const violations = await page.evaluate(
    `${AXE}; axe.run(document, { iframes: false }).then(({ violations }) => violations.map(({ id }) => id))`,
  );
  expect(violations).toEqual([]);
  await save(page);
  await expectSoon(() => page.locator(".error").textContent()).toContain("2 places need your decision");
  await page.getByLabel("Status").selectOption("draft");
  await page.getByRole("button", { name: "Publish", exact: true }).click();
  await expectSoon(() => status(page).textContent()).toContain("Nothing was saved");
  expect(await version("both")).toBe(2);
  expect(await (await visit(world.service, "/blog/news/both")).text()).not.toContain("Yours");
});

test("a merged text can be saved once each place is decided", async () => {
  const page = await openMerged("decided");
  await expectSoon(() => notice(page).textContent()).toContain("2 places need your decision");
  const next = page.getByRole("button", { name: "Go to the next one" });
  await next.click();
  // The lines from the mark: two marks, "mine", and "theirs".
  for (const left of ["1 place needs your decision", ""]) {
    for (let line = 0; line < 5; line++) await page.keyboard.press("Shift+ArrowDown");
    await page.keyboard.insertText("decided\n");
    await expectSoon(() => notice(page).textContent()).toContain(left);
    if (left !== "") await next.click();
  }
  expect(await notice(page).isVisible()).toBe(false);
  await save(page);
  await expectSoon(() => status(page).textContent()).toContain("Saved at");
  expect(await textOf(page)).toBe("decided\n\ntwo\n\nthree\ndecided\n");
  expect((await world.readPost("decided"))?.["markdown"]).toBe("decided\n\ntwo\n\nthree\ndecided\n");
});
