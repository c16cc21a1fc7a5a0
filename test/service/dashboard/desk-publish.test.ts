import { expect, test } from "vitest";
import { visit } from "../open-service.ts";
import { expectSoon, openDeskWorld, save, status, textOf, write } from "./desk-world.ts";

const world = openDeskWorld();
const { openDesk } = world;

test("a draft is published with one button, which a published post doesn't have", async () => {
  const page = await openDesk("/blogs/news/new");
  const publish = page.getByRole("button", { name: "Publish", exact: true });
  await page.getByLabel("Title", { exact: true }).fill("Low tide");
  await write(page, "At six.");
  await save(page);
  await expectSoon(() => status(page).textContent()).toContain("as a draft");
  expect((await visit(world.service, "/blog/news/low-tide")).status).toBe(404);
  await publish.click();
  await expectSoon(() => status(page).textContent()).toContain("View the post");
  expect(await page.getByLabel("Status").inputValue()).toBe("published");
  expect(await publish.isVisible()).toBe(false);
  expect(await (await visit(world.service, "/blog/news/low-tide")).text()).toContain("At six.");
  await page.getByLabel("Status").selectOption("draft");
  expect(await publish.isVisible()).toBe(true);
});

test("text after a list is a paragraph of its own", async () => {
  const page = await openDesk("/blogs/news/new");
  await write(page, "");
  await page.keyboard.type("- one\ntwo\n\nAfter");
  await expectSoon(() => textOf(page)).toBe("- one\n- two\n\nAfter");
});
