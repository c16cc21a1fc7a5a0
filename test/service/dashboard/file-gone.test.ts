import { rm } from "node:fs/promises";
import { expect, test } from "vitest";
import { openFileWorld } from "./file-world.ts";

const world = openFileWorld();
const { pathOf, read, write, open, openDesk, type, expectSoon } = world;

test("the text of a file that was deleted while it was edited is offered for a new file, and isn't lost", async () => {
  await write("gone.md", "---\ntitle: Gone\npubDate: 2024-01-05\nseries: Bread\n---\nText\n");
  const page = await openDesk("gone.md");
  const status = page.locator("#desk-status");
  await page.getByLabel("Description").fill("About loaves");
  await rm(pathOf("gone.md"));
  await type(page, "Precious. ");
  await expectSoon(() => status.textContent()).toContain("Your text is kept in this browser. New post offers it.");
  await page.close({ runBeforeUnload: false });

  const list = await open("/files");
  await expectSoon(() => list.locator(".notice").textContent()).toContain("the text of “Gone” (gone.md)");
  await list.locator(".notice").getByRole("link", { name: "New post" }).click();
  await list.getByRole("button", { name: "Use it in the new file" }).click();
  // The name of an existing file loses nothing.
  await write("_taken.md", "---\ntitle: Taken\n---\n");
  await list.getByLabel("Title").fill("Taken");
  await list.getByRole("button", { name: "Create the file" }).click();
  await expectSoon(() => list.locator("main").textContent()).toContain("already exists");
  await list.getByLabel("Title").fill("Gone again");
  await list.getByRole("button", { name: "Create the file" }).click();
  await list.locator(".cm-content", { hasText: "Precious. Text" }).waitFor();
  expect(await list.getByLabel("Description").inputValue()).toBe("About loaves");
  expect(await list.getByLabel("Series").inputValue()).toBe("Bread");
  await world.save(list);
  const file = decodeURIComponent(new URL(list.url()).pathname.split("/")[2] ?? "");
  expect(await read(file)).toContain("Precious. Text");
  await expectSoon(() => list.evaluate("Object.keys(localStorage).length")).toBe(0);
});
