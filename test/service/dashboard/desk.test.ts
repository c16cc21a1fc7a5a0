import { join } from "node:path";
import sharp from "sharp";
import { expect, test } from "vitest";
import * as z from "zod";
import { AXE } from "../../axe.ts";
import { visit } from "../open-service.ts";
import { expectSoon, openDeskWorld, preview, status, textOf, write } from "./desk-world.ts";

let daysLater = 0;
const world = openDeskWorld({ now: () => new Date(Date.now() + daysLater * 24 * 60 * 60 * 1000) });
const { openDesk, addPost, readPost } = world;

const DOT = await sharp({ create: { width: 4, height: 4, channels: 3, background: "#a52" } })
  .png()
  .toBuffer();
const ARTIFACTS = join(import.meta.dirname, "../../artifacts/dashboard");

test("a post can be written, with a list, a picture, a preview, and a schedule, with the keyboard alone", async () => {
  const page = await openDesk("/blogs/news/new");
  await page.getByLabel("Title", { exact: true }).fill("Rye bread");
  await write(page, "Our **rye** takes");
  await page.keyboard.type("\n\n- flour\nwater\n\n");
  await expectSoon(() => preview(page).locator("li").allTextContents()).toEqual(["flour", "water"]);
  await expectSoon(() => status(page).textContent()).toContain("kept at");
  const bytes = await sharp({ create: { width: 40, height: 30, channels: 3, background: "#a52" } })
    .png()
    .toBuffer();
  await page.getByRole("button", { name: "Picture", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.getByLabel("Add a new one").setInputFiles({ name: "loaf.png", mimeType: "image/png", buffer: bytes });
  await page.getByLabel("Alternative text").fill("A loaf [of rye]");
  await page.keyboard.press("Enter");
  await expectSoon(() => preview(page).locator("img").getAttribute("alt")).toBe("A loaf [of rye]");
  await page.getByLabel("Status").selectOption("published");
  const tomorrow = new Date(Date.now() + 24 * 60 * 60 * 1000).toISOString().slice(0, 16);
  await page.getByLabel(/^Publish date/).fill(tomorrow);
  await page.locator(".cm-content").press("Control+s");
  await expectSoon(() => status(page).textContent()).toContain("Saved at");
  await expectSoon(() => page.url()).toBe(`${world.service.url}/blogs/news/posts/rye-bread/edit`);
  const post = await readPost("rye-bread");
  expect(post?.["markdown"]).toMatch(/^Our \*\*rye\*\* takes\n\n- flour\n- water\n\n!\[A loaf \\\[of rye\\\]\]\(http/);
  expect((await visit(world.service, "/blog/news/rye-bread")).status).toBe(404);
  expect(await (await visit(world.service, "/blog/news")).text()).not.toContain("Rye bread");
  daysLater = 2;
  expect((await visit(world.service, "/blog/news/rye-bread")).status).toBe(200);
  expect(await (await visit(world.service, "/blog/news")).text()).toContain("Rye bread");
  daysLater = 0;
});

test("the buttons above a text in HTML insert elements, and remove them again", async () => {
  await world.send("POST", "/api/blogs/news/posts", { json: { slug: "oat", title: "Oat", html: "Oat" } });
  const page = await openDesk("/blogs/news/posts/oat/edit");
  const press = async (name: string) => {
    await page.locator(".cm-content").press("Control+a");
    await page.getByRole("button", { name, exact: true }).click();
    return await textOf(page);
  };
  expect([await press("Bold"), await press("Bold")]).toEqual(["<strong>Oat</strong>", "Oat"]);
  expect([await press("Heading"), await press("Heading")]).toEqual(["<h2>Oat</h2>", "Oat"]);
  expect(await press("Link")).toBe('<a href="https://">Oat</a>');
  expect(await press("List")).toBe('<ul>\n<li><a href="https://">Oat</a></li>\n</ul>');
});

test("the keyboard gets from the text to the settings without passing the links in the preview", async () => {
  const links = Array.from({ length: 6 }, (_, index) => `[link ${index}](https://example.org/${index})`).join(" ");
  const page = await openDesk(`${await addPost("wheat", links)}/edit`);
  await expectSoon(() => preview(page).locator("a[tabindex='-1']").count()).toBe(6);
  await page.locator(".cm-content").focus();
  await page.keyboard.press("End");
  for (let presses = 0; presses < 3; presses++) {
    await page.keyboard.press("Tab");
    if (await page.getByLabel("Status").evaluate((field) => field.matches(":focus"))) return;
  }
  expect(await page.evaluate("document.activeElement.outerHTML.slice(0, 200)")).toBe("the field Status");
});

test("Ctrl+S saves from every field, not only from the text", async () => {
  const page = await openDesk(`${await addPost("malt", "Dark.")}/edit`);
  await page.getByLabel("Author").fill("Ada");
  await page.getByLabel("Author").press("Control+s");
  await expectSoon(async () => (await readPost("malt"))?.["author"]).toBe("Ada");
  await page.getByLabel("Tags").fill("malt");
  await page.getByRole("button", { name: "Choose a picture" }).press("Control+s");
  await expectSoon(async () => (await readPost("malt"))?.["tags"]).toEqual(["malt"]);
});

test("after a save, the editor shows whether readers see the post", async () => {
  const page = await openDesk("/blogs/news/new");
  await page.getByLabel("Title", { exact: true }).fill("Tide table");
  await write(page, "High at noon.");
  expect(await page.getByLabel("Slug").count()).toBe(1);
  const save = () => page.locator(".cm-content").press("Control+s");
  await save();
  await expectSoon(() => status(page).textContent()).toMatch(/^Saved at \S+ [AP]M as a draft$/);
  expect(await page.locator(".head h1, .head .parent").allTextContents()).toEqual(["Post", "Edit “Tide table”"]);
  expect(await page.title()).toBe("Edit “Tide table” · Imprint");
  expect(await page.getByLabel("Slug").count()).toBe(0);
  expect(await page.getByRole("link", { name: "Earlier versions" }).getAttribute("href")).toBe(
    "/blogs/news/posts/tide-table/history",
  );
  await page.getByRole("button", { name: "Show changes" }).click();
  expect(await page.getByRole("dialog").textContent()).toContain("There are no differences.");
  await page.getByRole("button", { name: "Back" }).click();
  await page.getByLabel("Status").selectOption("published");
  await page.getByLabel(/^Publish date/).fill("2099-01-05T09:00");
  await save();
  await expectSoon(() => status(page).textContent()).toMatch(/Readers see it from Jan 5, 2099, 9:00.AM$/);
  await page.getByLabel(/^Publish date/).fill("2020-01-05T09:00");
  await save();
  const link = status(page).getByRole("link", { name: "View the post" });
  expect(await link.getAttribute("href")).toBe(`${world.service.pagesUrl}/blog/news/tide-table`);
});

test("the preview scrolls to the post, whatever the page shows above it", async () => {
  const page = await openDesk(`${await addPost("long", "A paragraph.\n\n".repeat(60))}/edit`);
  const top = () => preview(page).evaluate((article) => Object(article).getBoundingClientRect().top);
  await expectSoon(top).toBeLessThan(20);
  await write(page, "First of all. ");
  await expectSoon(() => preview(page).textContent()).toContain("First of all.");
  expect(await top()).toBeLessThan(20);
});

test("an editor's own second save is no conflict, and another editor's is shown and merged", async () => {
  const path = await addPost("two", "one\n\ntwo\n\nthree\n");
  const page = await openDesk(`${path}/edit`);
  await write(page, "first ");
  await page.locator(".cm-content").press("Control+s");
  await page.keyboard.insertText("and ");
  await page.locator(".cm-content").press("Control+s");
  await expectSoon(async () => (await readPost("two"))?.["markdown"]).toBe("first and one\n\ntwo\n\nthree\n");
  await world.send("PATCH", "/api/blogs/news/posts/two", {
    json: { markdown: "first and one\n\ntwo\n\nTHREE\n", tags: ["x"] },
  });
  await page.keyboard.insertText("then ");
  await page.locator(".cm-content").press("Control+s");
  const suggested = page.getByRole("dialog").locator(".actions button:not(.quiet)");
  await expectSoon(() => suggested.allTextContents()).toEqual(["Merge both"]);
  await page.getByRole("button", { name: "Merge both" }).click();
  await page.locator(".cm-content").press("Control+s");
  await expectSoon(async () => (await readPost("two"))?.["markdown"]).toBe("first and then one\n\ntwo\n\nTHREE\n");
  expect((await readPost("two"))?.["tags"]).toEqual(["x"]);
  await page.goto(`${world.service.url}${path}/history`);
  await page.getByRole("link", { name: "1", exact: true }).click();
  await page.getByRole("button", { name: "Open in the editor" }).click();
  await page.locator(".cm-content").waitFor();
  expect(await textOf(page)).toBe("one\n\ntwo\n\nthree\n");
  const notice = page.getByText("Save it to restore it");
  expect(await notice.isVisible()).toBe(true);
  await page.locator(".cm-content").press("Control+s");
  await expectSoon(() => notice.count()).toBe(0);
});

test("a picture becomes a paragraph of its own before or after one, but not within one", async () => {
  const page = await openDesk(`${await addPost("places", "First.\n\nSecond.\n")}/edit`);
  const add = async (alt: string) => {
    await page.getByRole("button", { name: "Picture", exact: true }).click();
    await page.getByLabel("Add a new one").setInputFiles({ name: "dot.png", mimeType: "image/png", buffer: DOT });
    await page.getByLabel("Alternative text").fill(alt);
    await page.keyboard.press("Enter");
    await expectSoon(() => textOf(page)).toContain(`![${alt}]`);
  };
  await add("start");
  await page.keyboard.press("Control+End");
  await add("end");
  await page.locator(".cm-line", { hasText: "Second." }).click();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowLeft");
  await add("within");
  expect((await textOf(page)).replaceAll(/\(http[^)]*\)/g, "")).toBe(
    "![start]\n\nFirst.\n\nSecond![within].\n\n![end]",
  );
});

test("a paste from Word becomes Markdown, and one undo reverts it", async () => {
  const page = await openDesk(`${await addPost("word", "end\n")}/edit`);
  await write(page, "");
  const html = `<html><body><h1>Title<o:p></o:p></h1><p class=MsoNormal>Some <b>bold</b> text.</p>
    <p class=MsoListParagraph style='mso-list:l0'><span style='mso-list:Ignore'>·</span>one</p>
    <p class=MsoListParagraph style='mso-list:l0'><span style='mso-list:Ignore'>·</span>two</p></body></html>`;
  await page.locator(".cm-content").evaluate((target: unknown, text) => {
    const { DataTransfer, ClipboardEvent } = Object(globalThis);
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/html", text);
    Object(target).dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, html);
  const text = page.locator("textarea[name=text]");
  await expectSoon(() => text.inputValue()).toContain("# Title\n\nSome **bold** text.\n\n- one\n- two");
  await page.keyboard.press("Control+z");
  await expectSoon(() => text.inputValue()).toBe("end\n");
  await page.getByRole("button", { name: "Plain text area" }).click();
  await text.fill("plain\n");
  await expectSoon(() => preview(page).locator("p").last().textContent()).toBe("plain");
  await page.getByRole("button", { name: "Plain text area" }).click();
  await expectSoon(() => page.locator(".cm-content").innerText()).toContain("plain");
});

test("a cover can be dropped or pasted onto its field, and a drop beside it doesn't navigate away", async () => {
  const page = await openDesk(`${await addPost("cover", "text\n")}/edit`);
  const cover = page.getByLabel("Cover image");
  const shown = page.getByRole("img", { name: "Cover image" });
  for (const [type, name] of [
    ["drop", "loaf"],
    ["paste", "roll"],
  ] as const) {
    const background = name === "loaf" ? "#a52" : "#fa0";
    const picture = await sharp({ create: { width: 40, height: 30, channels: 3, background } })
      .png()
      .toBuffer();
    await cover.evaluate(sendFile, [type, `${name}.png`, picture.toString("base64")] as const);
    await page.getByLabel("Alternative text").fill(`A ${name}`);
    await page.keyboard.press("Enter");
    await expectSoon(() => cover.inputValue()).toContain(`${name}.png`);
    const address = new URL(await cover.inputValue()).pathname;
    await expectSoon(() => preview(page).locator("img").getAttribute("src")).toBe(address);
    await expectSoon(() => shown.evaluate((image) => Object(image).naturalWidth)).toBe(40);
  }
  await page.locator("h1").evaluate(sendFile, ["drop", "lost.png", ""] as const);
  expect(await page.evaluate("globalThis.isTaken")).toBe(true);
  await page.locator(".cm-content").press("Control+s");
  await expectSoon(() => status(page).textContent()).toContain("Saved at");
  expect((await readPost("cover"))?.["coverImage"]).toContain("roll.png");
  const { items } = await world.send("GET", "/api/library");
  expect(items.filter(({ name }) => name === "roll.png").map(({ alt }) => alt)).toEqual(["A roll"]);
  await page.reload();
  await expectSoon(() => shown.count()).toBe(1);
  await cover.fill("https://elsewhere.example/loaf.png");
  await cover.blur();
  await expectSoon(() => shown.count()).toBe(0);
});

/** Drops or pastes a file onto an element; reports whether the page handled it. */
function sendFile(target: unknown, [type, name, base64]: readonly [string, string, string]): void {
  const scope = Object(globalThis);
  const data = new scope.DataTransfer();
  const bytes = scope.Uint8Array.from(scope.atob(base64), (letter: string) => letter.charCodeAt(0));
  data.items.add(new scope.File([bytes], name, { type: "image/png" }));
  const options = { bubbles: true, cancelable: true };
  const event =
    type === "paste"
      ? new scope.ClipboardEvent("paste", { ...options, clipboardData: data })
      : new scope.DragEvent(type, { ...options, dataTransfer: data });
  Object(target).dispatchEvent(event);
  scope.isTaken = event.defaultPrevented;
}

const PLAIN =
  "Setext\n======\n\n* star\n+ plus\n\n_em_ __strong__\r\nhard  \nbreak\\\n<Tag prop={1} />\n\n\ttab\n&amp; \\* end";

test("saving changes only what was edited, and the editor fits a phone and is accessible", async () => {
  const path = await addPost("plain", PLAIN);
  const before = await readPost("plain");
  const page = await openDesk(`${path}/edit`, { scheme: "dark", width: 390 });
  await page.setViewportSize({ width: 320, height: 700 });
  expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320);
  expect(await page.locator("textarea[name=text]").isVisible()).toBe(false);
  await page.reload();
  await expectSoon(() => preview(page).locator("h1").count()).toBeGreaterThan(0);
  expect(await page.evaluate<number>("globalThis.shifts")).toBeLessThanOrEqual(0.02);
  await page.evaluate(AXE);
  const violations = await page.evaluate(
    `axe.run(document, { iframes: false }).then(({ violations }) => violations.map(({ id, nodes }) => id + nodes[0].html))`,
  );
  expect(z.array(z.string()).parse(violations)).toEqual([]);
  await write(page, "X");
  await page.locator(".cm-content").press("Control+s");
  await expectSoon(() => status(page).textContent()).toContain("Saved at");
  const after = await readPost("plain");
  expect(after?.["markdown"]).toBe(`X${PLAIN}`);
  expect({ ...after, markdown: "", version: 0, contentHash: "", updatedAt: "" }).toEqual({
    ...before,
    ...{ markdown: "", version: 0, contentHash: "", updatedAt: "" },
  });
  if (process.env["IMPRINT_SCREENSHOTS"] === undefined) return;
  for (const [scheme, width] of [
    ["light", 1280],
    ["dark", 1280],
    ["light", 390],
    ["dark", 390],
  ] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({ path: join(ARTIFACTS, `desk-${scheme}-${width}.png`) });
  }
});
