import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectSoon, openDeskWorld, save, status, textOf, write } from "./desk-world.ts";

const { addPost, readPost, openContext, openIn, openDesk } = openDeskWorld();

const unsent = (page: Page) => page.getByText("that was not sent");

test("two tabs that edit one post keep both texts, whichever is saved, and offer both again", async () => {
  const path = await addPost("tabs", "text\n");
  const context = await openContext();
  const one = await openIn(context, `${path}/edit`);
  const other = await openIn(context, `${path}/edit`);
  await write(one, "one ");
  await expectSoon(() => status(one).textContent()).toContain("kept at");
  await write(other, "other ");
  await expectSoon(() => status(other).textContent()).toContain("kept at");
  // A tab without unsaved changes doesn't affect the text of the other tab.
  await other.keyboard.press("Control+z");
  await expectSoon(() => status(other).textContent()).toBe("Saved");
  await one.close();
  await write(other, "again ");
  await expectSoon(() => status(other).textContent()).toContain("kept at");
  await other.close();

  const later = await openIn(context, `${path}/edit`);
  expect(await textOf(later)).toBe("again text\n");
  await later.getByRole("link", { name: /^From / }).click();
  await later.locator(".cm-content").waitFor();
  expect(await textOf(later)).toBe("one text\n");
  await save(later);
  await expectSoon(() => status(later).textContent()).toContain("Saved at");
  expect((await readPost("tabs"))?.["markdown"]).toBe("one text\n");
  await later.goto(later.url());
  await later.locator(".cm-content").waitFor();
  expect(await textOf(later)).toBe("again text\n");
  expect(await later.getByRole("link", { name: /^From / }).count()).toBe(0);
  await later.getByRole("link", { name: "Open without them" }).click();
  await later.locator(".cm-content").waitFor();
  expect(await textOf(later)).toBe("one text\n");
});

test("a second tab continues with the unsaved text, and doesn't take over the text of the first", async () => {
  const path = await addPost("goes-on", "text\n");
  const context = await openContext();
  const one = await openIn(context, `${path}/edit`);
  await write(one, "one ");
  await expectSoon(() => status(one).textContent()).toContain("kept at");
  const other = await openIn(context, `${path}/edit`);
  expect(await textOf(other)).toBe("one text\n");
  await write(one, "more ");
  await expectSoon(() => textOf(one)).toBe("more one text\n");
  await expectSoon(() => status(one).textContent()).toBe("Unsaved changes");
  await expectSoon(() => status(one).textContent()).toContain("kept at");
  await write(other, "other ");
  await save(other);
  await expectSoon(() => status(other).textContent()).toContain("Saved at");
  await one.close();
  const later = await openIn(context, `${path}/edit`);
  expect(await textOf(later)).toBe("more one text\n");
  const notice = later.getByText("You have unsaved changes");
  expect(await notice.count()).toBe(1);
  await save(later);
  await later.getByRole("button", { name: "Save mine" }).click();
  await expectSoon(async () => (await readPost("goes-on"))?.["markdown"]).toBe("more one text\n");
  await expectSoon(() => notice.count()).toBe(0);
  await later.reload();
  await later.locator(".cm-content").waitFor();
  expect(await notice.count()).toBe(0);
});

test("two tabs without a network each keep their text in the browser, and discarding one keeps the other", async () => {
  const path = await addPost("browser", "text\n");
  const context = await openContext();
  const tabs = [await openIn(context, `${path}/edit`), await openIn(context, `${path}/edit`)] as const;
  await context.route("**/autosave", (route) => route.abort());
  await write(tabs[0], "one ");
  await write(tabs[1], "two ");
  for (const tab of tabs) {
    await expectSoon(() => status(tab).textContent()).toContain("kept in this browser");
    await tab.close();
  }
  const later = await openIn(context, `${path}/edit`);
  expect(await unsent(later).count()).toBe(2);
  await later.getByRole("button", { name: "Use it" }).first().click();
  expect(["one text\n", "two text\n"]).toContain(await textOf(later));
  const used = await textOf(later);
  await later.getByRole("button", { name: "Discard it" }).click();
  expect(await unsent(later).count()).toBe(0);
  await later.close({ runBeforeUnload: false });
  await context.unroute("**/autosave");
  const last = await openIn(context, `${path}/edit`);
  expect(await unsent(last).count()).toBe(1);
  await last.getByRole("button", { name: "Use it" }).click();
  expect(await textOf(last)).toBe(used);
  await expectSoon(() => status(last).textContent()).toContain("kept at");
  await last.reload();
  await last.locator(".cm-content").waitFor();
  expect([await textOf(last), await unsent(last).count()]).toEqual([used, 0]);
});

test("nothing is lost without a network: the text is kept, and a save that arrived is no conflict", async () => {
  const path = await addPost("offline", "text\n");
  const page = await openDesk(`${path}/edit`);
  await write(page, "kept ");
  // The service receives the save, but the browser never gets the response.
  await page.route(`**${path}`, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await save(page);
  await expectSoon(() => status(page).textContent()).toContain("can’t be reached");
  await page.unroute(`**${path}`);
  await page.keyboard.insertText("and more ");
  await save(page);
  await expectSoon(() => status(page).textContent()).toContain("Saved at");
  expect((await readPost("offline"))?.["markdown"]).toBe("kept and more text\n");
  await write(page, "unsaved ");
  await expectSoon(() => status(page).textContent()).toContain("kept at");
  await page.reload();
  await page.locator(".cm-content").waitFor();
  expect(await textOf(page)).toContain("unsaved ");
  await page.getByRole("button", { name: "Show changes" }).click();
  expect(await page.getByRole("dialog").locator("ins").textContent()).toContain("unsaved");
});

test("a save is retried if its response is cut off, and a browser that can't keep the text shows an error", async () => {
  const path = await addPost("cut", "text\n");
  const page = await openDesk(`${path}/edit`);
  await page.evaluate("Storage.prototype.setItem = () => { throw new Error('The quota has been exceeded.'); }");
  await write(page, "kept ");
  await page.route(`**${path}`, async (route) => {
    await route.fetch();
    await route.fulfill({ contentType: "application/json", body: '{"kind":"sa' });
  });
  await save(page);
  await expectSoon(() => status(page).textContent()).toContain("copy it before you leave this page");
  await page.unroute(`**${path}`);
  await page.keyboard.insertText("and more ");
  await save(page);
  await expectSoon(() => status(page).textContent()).toContain("Saved at");
  expect((await readPost("cut"))?.["markdown"]).toBe("kept and more text\n");
});
