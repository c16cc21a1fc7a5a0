import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import sharp from "sharp";
import { expect, test } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";
import { expectSoon, openDeskWorld, save, status, textOf, write } from "./desk-world.ts";

const world = openDeskWorld();
const { addPost, readPost, openContext, openIn, openDesk } = world;

const canvas = { width: 8_300, height: 6_000, channels: 3, background: "#a52" } as const;

/** Opens a link from the editor and signs in there, by default as the owner. */
async function signInAgain(context: BrowserContext, page: Page, url?: string): Promise<void> {
  const opened = context.waitForEvent("page");
  await page.getByRole("link", { name: "Sign in in a new tab" }).click();
  const tab = await opened;
  await tab.getByRole("heading", { name: "Sign in" }).waitFor();
  await tab.goto(url ?? (await world.service.createSignInLink()).url);
  await tab.getByRole("button", { name: "Sign in" }).click();
  await tab.locator("body > header").waitFor();
}

test("an editor reports an expired session, keeps the text, and saves it after the next sign-in", async () => {
  const path = await addPost("expired", "text\n");
  const context = await openContext();
  const page = await openIn(context, `${path}/edit`);
  await context.clearCookies();
  await write(page, "kept ");
  await expectSoon(() => status(page).textContent()).toContain(
    "You are signed out. Your text is kept in this browser.",
  );
  await signInAgain(context, page);
  await expectSoon(() => status(page).textContent()).toContain("kept at");
  const other = await openIn(context, `${path}/edit`);
  expect(await textOf(other)).toBe("kept text\n");
  await context.clearCookies();
  await write(page, "saved ");
  await save(page);
  await expectSoon(() => status(page).textContent()).toContain("You are signed out");
  await write(page, "half ");
  await signInAgain(context, page);
  await expectSoon(async () => (await readPost("expired"))?.["markdown"]).toBe("saved kept text\n");
  await expectSoon(() => status(page).textContent()).toContain("Unsaved changes, kept at");
  expect(await textOf(page)).toBe("half saved kept text\n");
});

test("unsaved text is never saved by another user who signs in, and is kept until its author returns", async () => {
  const path = await addPost("writer", "text\n");
  const ben = await world.send("POST", "/api/users", {
    json: { email: "ben@example.org", name: "Ben", role: "editor" },
  });
  const context = await openContext();
  const page = await openIn(context, `${path}/edit`);
  await context.clearCookies();
  await write(page, "kept ");
  await save(page);
  await expectSoon(() => status(page).textContent()).toContain("You are signed out");
  await signInAgain(context, page, String(ben.body.url));
  await expectSoon(() => status(page).textContent()).toContain(
    "Not saved. You are signed in as Ben, and someone else wrote this text: sign in as that user to save it. Your text is kept in this browser.",
  );
  await write(page, "more ");
  await expectSoon(() => status(page).textContent()).toContain("You are signed in as Ben");
  await page.getByRole("button", { name: "Picture", exact: true }).click();
  const buffer = await sharp({ create: { ...canvas, width: 40, height: 30 } })
    .png()
    .toBuffer();
  await page.getByLabel("Add a new one").setInputFiles({ name: "bun.png", mimeType: "image/png", buffer });
  await expectSoon(() => page.getByRole("dialog").textContent()).toContain("You are signed in as Ben");
  await page.getByRole("button", { name: "Cancel" }).click();

  const other = await openIn(context, `${path}/edit`);
  expect(await textOf(other)).toBe("text\n");
  expect(await other.getByText("that was not sent").count()).toBe(0);
  expect((await readPost("writer"))?.["markdown"]).toBe("text\n");
  expect((await world.send("GET", "/api/library?q=bun")).items).toEqual([]);
  await signInAgain(context, page);
  await expectSoon(async () => (await readPost("writer"))?.["markdown"]).toBe("kept text\n");
  await expectSoon(() => status(page).textContent()).toContain("Unsaved changes, kept at");
  expect(await textOf(page)).toBe("more kept text\n");
});

test("a proxy's login page counts as an expired session, too", async () => {
  const path = await addPost("proxy", "text\n");
  const page = await openDesk(`${path}/edit`);
  await page.route("**/edit/*", (route) => route.fulfill({ contentType: "text/html", body: "<h1>Log in</h1>" }));
  await write(page, "kept ");
  await expectSoon(() => status(page).textContent()).toContain("You are signed out");
  await page.unroute("**/edit/*");
  await page.evaluate("dispatchEvent(new Event('focus'))");
  await expectSoon(() => status(page).textContent()).toContain("kept at");
});

test("a save that failed without a network is retried once the network is back, without newer unsaved text", async () => {
  const path = await addPost("swallowed", "text\n");
  const page = await openDesk(`${path}/edit`);
  await page.route("**/posts/swallowed**", (route) => route.abort());
  await write(page, "saved ");
  await save(page);
  await expectSoon(() => status(page).textContent()).toContain("can’t be reached");
  await write(page, "half ");
  await page.unroute("**/posts/swallowed**");
  await expectSoon(async () => (await readPost("swallowed"))?.["markdown"]).toBe("saved text\n");
  await expectSoon(() => status(page).textContent()).toContain("Unsaved changes, kept at");
  expect(await textOf(page)).toBe("half saved text\n");
});

test("pictures aren't lost without a network or a session, and the picker reports why it is empty", async () => {
  const path = await addPost("pictures", "text\n");
  const context = await openContext();
  const page = await openIn(context, `${path}/edit`);
  const buffer = await sharp({ create: { ...canvas, width: 40, height: 30 } })
    .png()
    .toBuffer();
  await context.route("**/news/pictures*", (route) => route.abort());
  await page.getByRole("button", { name: "Picture", exact: true }).click();
  const dialog = page.getByRole("dialog");
  await expectSoon(() => dialog.textContent()).toContain("The service can’t be reached.");
  await page.getByLabel("Add a new one").setInputFiles({ name: "loaf.png", mimeType: "image/png", buffer });
  await expectSoon(() => dialog.textContent()).toContain("loaf.png was not added");
  await context.unroute("**/news/pictures*");
  await context.clearCookies();
  await page.getByRole("button", { name: "Try again" }).click();
  await expectSoon(() => dialog.textContent()).toContain("You are signed out.");
  await signInAgain(context, page);
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByLabel("Alternative text").fill("A loaf");
  await page.keyboard.press("Enter");
  await expectSoon(() => textOf(page)).toMatch(/^!\[A loaf\]\(.*\)\n\ntext\n$/);
});

// From a file, since sending dozens of megabytes to the browser takes long on a busy machine.
async function choose(page: Page, name: string, bytes: Buffer): Promise<void> {
  const file = join(await temporaryFolder(), name);
  await writeFile(file, bytes);
  await page.getByRole("button", { name: "Picture", exact: true }).click();
  await page.getByLabel("Add a new one").setInputFiles(file);
}

test("accepts a picture of 50 million pixels", async () => {
  const page = await openDesk(`${await addPost("large", "text\n")}/edit`);
  await choose(page, "large.jpg", await sharp({ create: canvas }).jpeg().toBuffer());
  await page.getByLabel("Alternative text").fill("A wall");
  const picture = page.getByRole("dialog").locator("img");
  await expectSoon(() => picture.evaluate((image) => Object(image).naturalWidth)).toBe(480);
  await page.keyboard.press("Enter");
  await expectSoon(() => textOf(page)).toContain("![A wall](");
});

test("rejects a picture of more than 50 million pixels, or a larger file, with a clear message", async () => {
  const page = await openDesk(`${await addPost("larger", "text\n")}/edit`);
  const dialog = page.getByRole("dialog");
  await choose(
    page,
    "larger.jpg",
    await sharp({ create: { ...canvas, height: 6_100 } })
      .jpeg()
      .toBuffer(),
  );
  await expectSoon(() => dialog.textContent()).toContain("larger.jpg was not added");
  expect(await dialog.textContent()).toContain(
    "8300 × 6100 pixels; the maximum is 50 million in total. Resize it first.",
  );
  await page.getByRole("button", { name: "Close" }).click();
  await choose(page, "heavy.jpg", Buffer.alloc(26 * 1024 * 1024));
  await expectSoon(() => dialog.textContent()).toContain("heavy.jpg was not added");
  expect(await dialog.textContent()).toContain("The picture has 27.3 MB; the maximum is 26.2 MB. Resize it first.");
});

test("a writer whose role was lowered isn't advised to sign in again", async () => {
  const path = await addPost("lowered", "text\n");
  const eve = await world.send("POST", "/api/users", {
    json: { email: "eve@example.org", name: "Eve", role: "editor" },
  });
  const context = await openContext();
  const page = await openIn(context, `${path}/edit`);
  await context.clearCookies();
  await write(page, "kept ");
  await save(page);
  await expectSoon(() => status(page).textContent()).toContain("You are signed out");
  await signInAgain(context, page, String(eve.body.url));
  const own = await openIn(context, `${path}/edit`);
  await world.send("PATCH", `/api/users/${String(eve.body.id)}`, { json: { role: "viewer" } });
  await write(own, "more ");
  await save(own);
  await expectSoon(() => status(own).textContent()).toContain("Your role in this service is viewer");
  expect(await own.getByRole("link", { name: "Sign in in a new tab" }).count()).toBe(0);
});
