import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { expectSoon, openDeskWorld, textOf, write } from "./desk-world.ts";

const world = openDeskWorld();
let posts = 0;

/** Pastes HTML into an empty post and returns its text. */
async function paste(html: string): Promise<string> {
  return await textOf(await openPasted(html));
}

async function openPasted(html: string): Promise<Page> {
  const page = await world.openDesk(`${await world.addPost(`paste-${posts++}`, "x")}/edit`);
  await write(page, "");
  await page.keyboard.press("Control+a");
  await page.locator(".cm-content").evaluate((target: unknown, text) => {
    const { DataTransfer, ClipboardEvent } = Object(globalThis);
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/html", text);
    Object(target).dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
  }, html);
  return page;
}

function fromDocs(content: string): string {
  return `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-7a">${content}</b>`;
}

const span = (style: string, text: string) => `<span style="font-size:11pt;${style}">${text}</span>`;

test("bold and italic text from Google Docs stays bold and italic", async () => {
  const styled = [
    span("font-weight:400", "Plain "),
    span("font-weight:700;font-style:normal", "bold "),
    span("font-weight:700;font-style:italic", "both"),
    span("font-weight:400;font-style:normal", " and "),
    span("font-weight:400;font-style:italic", "ital"),
    span("font-weight:400;font-style:italic", "ic"),
  ];
  const html = fromDocs(`<h2>${span("font-weight:700", "Title")}</h2><p dir="ltr">${styled.join("")}</p>`);
  expect(await paste(html)).toBe("## Title\n\nPlain **bold *both*** and *italic*");
});

test("nested lists from Google Docs stay nested", async () => {
  const item = (text: string) => `<li dir="ltr"><p dir="ltr" role="presentation">${span("", text)}</p></li>`;
  const html = fromDocs(
    `<ul>${item("one")}<ul>${item("nested")}<ol>${item("deep")}</ol></ul>${item("two")}</ul><p>${span("", "End")}</p>`,
  );
  expect(await paste(html)).toBe("- one\n    - nested\n        1. deep\n- two\n\nEnd");
});

test("nested lists from Word stay nested, with numbers, letters, and bullets", async () => {
  const item = (level: number, mark: string, text: string) =>
    `<p class=MsoListParagraph style='margin-left:${level / 2}in;mso-list:l0 level${level} lfo1'><![if !supportLists]><span
      style='font-family:Symbol'><span style='mso-list:Ignore'>${mark}<span>&nbsp; </span></span></span><![endif]>${text}<o:p></o:p></p>`;
  const items = [
    item(1, "1.", "First"),
    item(2, "a.", "Letter"),
    item(3, "o", "Bullet"),
    item(2, "b.", "Other"),
    item(1, "2.", "Second"),
  ];
  const html = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><body>${items.join("\n")}<p class=MsoNormal>End</p>${item(2, "·", "Low")}${item(2, "·", "Low too")}</body></html>`;
  expect(await paste(html)).toBe(
    "1. First\n    1. Letter\n        - Bullet\n    2. Other\n2. Second\n\nEnd\n\n- Low\n- Low too",
  );
});

test("tags that a document shows as text stay text", async () => {
  const html = "<p class=MsoNormal>Use <b>bold</b> for <i>&lt;b&gt;</i>, and &amp;lt; for &lt; 3.</p>";
  expect(await paste(html)).toBe("Use **bold** for *&lt;b>*, and &amp;lt; for < 3.");
});

const PIXEL =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("a picture within a pasted document is added to the library, and one undo reverts the paste", async () => {
  const page = await openPasted(
    fromDocs(`<h2>Title</h2><p>Before</p><p><img src="${PIXEL}"></p><p><img alt="A [b]" src="${PIXEL}"></p>`),
  );
  await page.getByLabel("Alternative text").fill("A dot");
  await page.getByRole("button", { name: "Use the picture" }).click();
  await expectSoon(() => textOf(page)).toMatch(
    /^## Title\n\nBefore\n\n!\[A dot\]\(http:\S+\/library\/as_\w+\/picture-1\.png\)\n\n!\[A \\\[b\\\]\]\(http:\S+\)$/,
  );
  expect(await page.locator(".pasted").count()).toBe(0);
  await page.locator(".cm-content").press("Control+z");
  expect(await textOf(page)).toBe("x");
});

test("a pasted picture that can't be added is left out, with the reason", async () => {
  const page = await openPasted(`<p>Text</p><img src="data:image/png;base64,AAAA">`);
  await page.getByRole("heading", { name: "picture-1.png was not added" }).waitFor();
  await page.getByRole("button", { name: "Close" }).click();
  await expectSoon(() => textOf(page)).toBe("Text");
});

test("pictures that only the copied document has are named as missing", async () => {
  const page = await openPasted(
    `<p class=MsoNormal>Word<img src="file:///C:/Users/x/clip_image001.png"><img src="cid:2"></p>`,
  );
  expect(await page.locator(".pasted").textContent()).toContain(
    "2 pictures weren’t pasted, because the clipboard doesn’t contain them: drop their files into the text.",
  );
  expect(await textOf(page)).toBe("Word");
});

test("pictures that stay on another host are named, with what to do", async () => {
  const address = "https://lh7-rt.googleusercontent.com/docsz/AD_x";
  const own = `${world.service.pagesUrl}/library/as_${"a".repeat(22)}/own.png`;
  const page = await openPasted(
    fromDocs(`<h2>Title</h2><p><img alt="Remote" src="${address}"><img alt="Own" src="${own}"></p>`),
  );
  expect(await textOf(page)).toBe(`## Title\n\n![Remote](${address})![Own](${own})`);
  const notice = page.locator(".pasted");
  expect(await notice.textContent()).toContain(
    "1 picture stays at lh7-rt.googleusercontent.com, from where it can disappear: download it, then drop it into the text instead.",
  );
  await notice.getByRole("button", { name: "Close" }).click();
  expect(await notice.count()).toBe(0);
});

test("a dropped file that isn't a picture is refused with a reason, and a text is inserted", async () => {
  const page = await world.openDesk(`${await world.addPost("drops", "x")}/edit`);
  const drop = (name: string, type: string) =>
    page.locator(".cm-content").evaluate(
      (target: unknown, [name, type]) => {
        const { DataTransfer, DragEvent, File } = Object(globalThis);
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(["%PDF-1.7 words"], name, { type }));
        const at = { clientX: 400, clientY: 400, bubbles: true, cancelable: true };
        Object(target).dispatchEvent(new DragEvent("drop", { ...at, dataTransfer }));
      },
      [name, type] as const,
    );
  for (const [name, type] of [
    ["prices.pdf", "application/pdf"],
    ["photo.heic", ""],
  ] as const) {
    await drop(name, type);
    await page.getByRole("heading", { name: `${name} was not added` }).waitFor();
    await page.getByRole("button", { name: "Close" }).click();
  }
  expect(await textOf(page)).toBe("x");
  await drop("notes.md", "");
  await expect.poll(() => textOf(page)).toContain("%PDF-1.7 words");
});
