import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openFileWorld } from "./file-world.ts";
import { lookAt } from "./look.ts";

const world = openFileWorld();
const { pathOf, read, write, openDesk, type, expectSoon, save } = world;

test("a file can be renamed with its versions, and a deleted one can be restored", async () => {
  const first = await openDesk("first-post.md");
  await type(first, "Saved. ");
  await save(first);
  const before = await read("first-post.md");
  await write("links.md", "---\ntitle: Links\n---\n[One](./first-post.md) and [two](/blog/first-post/)\n");
  const page = await openDesk("first-post.md");
  await type(page, "Unsaved. ");
  await expectSoon(() => page.locator("#desk-status").textContent()).toContain("kept at");
  await page.getByRole("link", { name: "Rename" }).click();
  expect(await page.locator("main").textContent()).toContain("src/content/blog/links.md");
  const name = page.getByLabel("File name");
  for (const [typed, answer] of [
    ["links.md", "links.md already exists."],
    ["../up.md", "contain a slash"],
    [".md", "dot"],
  ] as const) {
    await name.fill(typed);
    await page.getByRole("button", { name: "Rename the file" }).click();
    await page.locator(".error", { hasText: answer }).waitFor();
  }
  await name.fill("renamed");
  await page.getByRole("button", { name: "Rename the file" }).click();
  await page.locator(".cm-content", { hasText: "Unsaved. Saved. This is the first post" }).waitFor();
  expect(await read("renamed.md")).toBe(before);
  await page.getByRole("link", { name: "Earlier versions" }).click();
  expect(await page.locator("tbody tr").count()).toBeGreaterThan(0);

  await page.goto(`${world.service.api}/files/renamed.md/delete`);
  expect(await page.locator("main").textContent()).toContain("src/content/blog/renamed.md");
  await write("renamed.md", `${before}More.\n`);
  await page.getByRole("button", { name: "Delete the file" }).click();
  await page.getByText("The file has changed since you opened this page. Nothing was deleted.").waitFor();
  expect(await read("renamed.md")).toBe(`${before}More.\n`);
  await page.getByRole("button", { name: "Delete the file" }).click();
  await page.getByText("This file was deleted").waitFor();
  expect(await readdir(pathOf("."))).not.toContain("renamed.md");
  const other = await world.context.newPage();
  for (const [shown, path] of [
    ["file-rename", "/files/links.md/rename"],
    ["file-delete", "/files/links.md/delete"],
    ["file-deleted", "/files/renamed.md/deleted"],
    ["files-deleted", "/files"],
  ] as const) {
    const looks = [
      { scheme: "light", width: 1280 },
      { scheme: "dark", width: 390 },
    ] as const;
    expect(await lookAt(other, { url: world.service.api }, { shown: { name: shown, path }, looks })).toEqual([]);
  }
  await page.getByRole("link", { name: "Project posts" }).first().click();
  await page.getByRole("link", { name: "renamed.md" }).click();
  await page.getByRole("button", { name: "Restore the file" }).click();
  await page.getByText("The file was restored.").waitFor();
  expect(await read("renamed.md")).toBe(`${before}More.\n`);
  await page.goto(`${world.service.api}/files`);
  expect(await page.getByText("Deleted here").count()).toBe(0);
});

test("the form follows the content config, shows Astro's validation errors, and keeps all input", async () => {
  const file = join(world.root, "src/content.config.ts");
  const config = await readFile(file, "utf8");
  const stale = await openDesk("markdown-style-guide.md");
  await stale.getByLabel("Updated date").fill("2024-05-06");
  await writeFile(file, config.replace("updatedDate: z.coerce.date().optional()", "place: z.string().optional()"));
  const page = await openDesk("markdown-style-guide.md");
  await page.getByLabel("Place").waitFor();
  await stale.locator(".cm-content").press("Control+s");
  await expectSoon(() => stale.locator("#desk-status").textContent()).toContain("Nothing was saved");
  expect(await stale.locator(".error").textContent()).toContain("schema");
  expect(await stale.getByLabel("Updated date").inputValue()).toBe("2024-05-06");
  await writeFile(file, config.replace("title: z.string()", "title: z.string("));
  const broken = await openDesk("markdown-style-guide.md");
  expect(await broken.locator("main .warning:not([hidden])").textContent()).toContain("src/content.config.ts:9:");
});
