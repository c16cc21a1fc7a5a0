import { readdir } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { startService } from "../../../src/service.ts";
import { closePages, openBrowser } from "../../browser.ts";
import { isOnPostgres } from "../backend.ts";
import { clientOf, fileForm, openRunningService, openService } from "../open-service.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { openSignedIn } from "./look.ts";
import { signIn } from "./signed-in.ts";

/** A picture that doesn't compress well, like a photograph. */
async function makePicture(side: number): Promise<Uint8Array<ArrayBuffer>> {
  const noise = { type: "gaussian" as const, mean: 120, sigma: 40 };
  const image = sharp({ create: { width: side, height: side, channels: 3, background: "#000", noise } });
  return new Uint8Array(await image.blur(2).jpeg({ quality: 92 }).toBuffer());
}

let picture: Uint8Array<ArrayBuffer>;

beforeAll(async () => {
  picture = await makePicture(400);
});

test("a page of 60 pictures transfers at most 20 KB for each, and nothing on the next visit", async () => {
  const service = await openRunningService();
  const send = clientOf(service, { routeSet: "a", document: "ignored" });
  const add = (number: number) => {
    const bytes = new Uint8Array(Buffer.concat([picture, Buffer.from([number])]));
    return send("POST", "/api/library", { form: fileForm([`photo-${number}.jpg`, bytes]) });
  };
  await Promise.all(Array.from({ length: 60 }, (_, number) => add(number)));
  const browser = await openBrowser();
  onTestFinished(() => closePages(browser));
  const page = await (await openSignedIn(browser, service, { scheme: "light", width: 1280 })).newPage();
  const pictures = `[...document.querySelectorAll(".picture img")]`;
  const showAll = () => page.evaluate(`for (const image of ${pictures}) image.loading = "eager"`);
  const shown = () => page.evaluate(`${pictures}.filter((image) => image.naturalWidth > 0).length`);
  const sizesOf = (name: string) =>
    page.evaluate(`performance.getEntriesByType("resource")
      .filter(({ initiatorType }) => initiatorType === "img").map((entry) => entry.${name})`);
  await page.goto(`${service.url}/library`);
  await showAll();
  await expect.poll(shown, { timeout: 30_000 }).toBe(60);
  expect(picture.byteLength).toBeGreaterThan(20 * 1024);
  expect(await sizesOf("encodedBodySize")).toEqual(Array.from({ length: 60 }, () => expect.toSatisfy(isSmall)));
  await page.goto(`${service.url}/library?q=photo`);
  await showAll();
  await expect.poll(shown, { timeout: 30_000 }).toBe(60);
  expect(await sizesOf("transferSize")).toEqual(Array.from({ length: 60 }, () => 0));
});

function isSmall(bytes: number): boolean {
  return bytes > 0 && bytes <= 20 * 1024;
}

test.skipIf(isOnPostgres)(
  "a thumbnail is created once, stored with its file, and visible only to signed-in users",
  async () => {
    const dataDir = await temporaryFolder();
    const open = () => startService({ dataDir, dev: false, port: 0, pagesPort: 0 });
    const first = await open();
    const { apiKey } = await first.createKey({ name: "test" });
    const send = clientOf(first, { routeSet: "a", document: "ignored" });
    const form = fileForm(["photo.jpg", picture]);
    const asset = (await send("POST", "/api/library", { form, apiKey })).body;
    const path = `/library/${String(asset["id"])}/thumbnail-1`;
    const made = await (await signIn(first)).get(path);
    expect(Object.fromEntries(made.headers)).toMatchObject({
      "content-type": "image/webp",
      "cache-control": "private, max-age=31536000, immutable",
    });
    const bytes = Buffer.from(await made.arrayBuffer());
    expect(await sharp(bytes).metadata()).toMatchObject({ format: "webp", width: 400, height: 400 });
    expect((await fetch(`${first.url}${path}`, { redirect: "manual" })).headers.get("content-type")).not.toBe(
      "image/webp",
    );
    await first.close();
    const blobs = (await readdir(join(dataDir, "blobs"), { recursive: true })).filter((name) =>
      name.includes("thumbnail"),
    );
    expect(blobs).toEqual([expect.stringContaining(String(asset["hash"] ?? "thumbnail-1"))]);
    const second = await open();
    onTestFinished(() => second.close());
    const { get } = await signIn(second);
    expect(Buffer.from(await (await get(path)).arrayBuffer()).equals(bytes)).toBe(true);
    expect((await get(path, { "If-None-Match": String(made.headers.get("ETag")) })).status).toBe(304);
  },
);

test.each([
  ["a truncated picture", async () => picture.slice(0, 400), 302],
  ["a transparent drawing", async () => new TextEncoder().encode(drawing(400)), 200],
  [
    "a picture rotated by its camera",
    async () =>
      new Uint8Array(
        await sharp(picture).resize(900, 300).withMetadata({ orientation: 6 }).jpeg({ quality: 100 }).toBuffer(),
      ),
    200,
  ],
])("%s", async (name, make, status) => {
  const service = openService();
  const send = clientOf(service, { routeSet: "a", document: "ignored" });
  const file = name.includes("drawing") ? "logo.svg" : "photo.jpg";
  const { body } = await send("POST", "/api/library", { form: fileForm([file, await make()]) });
  const answer = await (await signIn(service)).get(`/library/${String(body["id"])}/thumbnail-1`);
  expect(answer.status).toBe(status);
  if (status === 302) return expect(answer.headers.get("Location")).toBe(body["url"]);
  const { width, height, hasAlpha } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
  expect([width <= 480 && height <= 480, hasAlpha, height > width]).toEqual([
    true,
    file === "logo.svg",
    file !== "logo.svg",
  ]);
});

function drawing(lines: number): string {
  const paths = Array.from(
    { length: lines },
    (_, at) => `<path d="M${at} 0L${900 - at} 500" stroke="#a52" stroke-width="0.${at}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="500">${paths.join("")}</svg>`;
}

test("a file that a project uploaded is shown with the name that it has in the site", async () => {
  const service = openService();
  const send = clientOf(service, { routeSet: "a" });
  const name = "paper-fan.k3v9x2ab.9f86d081884c7d65.svg";
  const form = fileForm([name, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')]);
  const id = String((await send("POST", "/api/library", { form })).body["id"]);
  const { get } = await signIn(service);
  const [list, file] = [await (await get("/library")).text(), await (await get(`/library/${id}`)).text()];
  expect(list).toContain(`<a href="/library/${id}">paper-fan.svg</a>`);
  expect(file).toContain(">paper-fan.svg</h1>");
  expect(await (await get("/library?q=fan+paper")).text()).toContain("paper-fan.svg</a>");
  // The project recognizes it by its whole name, which stays.
  expect(file).toContain(`value="${name}"`);
});

test("files can be dropped into the library; rejected files show the reason, and failed uploads can be retried", async () => {
  const service = await openRunningService({ limits: { maxAssetBytes: 1_000_000 } });
  const send = clientOf(service, { routeSet: "a", document: "ignored" });
  const browser = await openBrowser();
  onTestFinished(() => closePages(browser));
  const page = await (await openSignedIn(browser, service, { scheme: "light", width: 390 })).newPage();
  await page.goto(`${service.url}/library`);
  const zone = page.locator(".drop-zone");
  await zone.waitFor();
  const drop = (files: readonly (readonly [name: string, content: string])[]) =>
    page.evaluate(`{
      const dataTransfer = new DataTransfer();
      for (const [name, content] of ${JSON.stringify(files)}) dataTransfer.items.add(new File([content], name));
      for (const type of ["dragover", "drop"]) {
        document.body.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
      }
    }`);

  expect(await page.locator(".empty").count()).toBe(1);
  await drop([
    // A file that was downloaded from the library, and edited.
    ["notes.k3v9x2ab.9f86d081884c7d65.txt", "hello"],
    ["page.html", "<!doctype html><h1>Page</h1>"],
    ["large.txt", "-".repeat(1_500_000)],
  ]);
  await expect
    .poll(() => zone.locator(".refused").allTextContents())
    .toEqual(["", expect.stringContaining("publish it as a page"), "The file has 1.5 MB; the maximum is 1.0 MB."]);
  expect(await zone.getByRole("status").textContent()).toBe("1 added, 2 not added.");
  expect(await zone.getByRole("button", { name: "Try again" }).isVisible()).toBe(false);
  expect(await page.locator(".empty").count()).toBe(0);
  await zone.getByRole("link", { name: "Show what was added" }).click();
  await page.getByRole("link", { name: "notes.txt" }).waitFor();
  expect((await send("GET", "/api/library")).items.map(({ name }) => name)).toEqual(["notes.txt"]);

  // A proxy with a limit of its own.
  await page.route("**/library", (route) => route.fulfill({ status: 413, body: "<html>Too large</html>" }), {
    times: 1,
  });
  await drop([
    ["proxy.txt", "proxy"],
    ["empty.png", ""],
  ]);
  await expect
    .poll(() => zone.locator(".refused").allTextContents())
    .toEqual(["A server in front of the service refuses files of this size.", "empty.png is empty."]);
  expect(await zone.getByRole("button", { name: "Try again" }).isVisible()).toBe(false);
  await page.reload();

  await page.context().setOffline(true);
  await drop([["offline.txt", "later"]]);
  await expect.poll(() => zone.locator(".refused").textContent()).toContain("can’t be reached");
  await page.context().setOffline(false);
  await zone.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("link", { name: "offline.txt" }).waitFor();
  // The script of the page takes what is dropped.
  await page.waitForLoadState();
  await drop([
    ["日本語.txt", "new"],
    ["again.txt", "later"],
  ]);
  await page.getByText("The new name is shown below").waitFor();
  expect(await page.getByRole("status").first().textContent()).toMatch(/^Files added.* weren’t added again/);
  expect((await send("GET", "/api/library")).items[0]?.["name"]).toBe("file-e1422b28.txt");

  await page.getByLabel(/Drop files here/).setInputFiles({
    ...{ name: "photo.jpg", mimeType: "image/jpeg", buffer: Buffer.from(picture) },
  });
  await page.locator(".picture img").waitFor();
  expect((await send("GET", "/api/library")).items.map(({ name }) => name).toSorted()).toEqual([
    ...["file-e1422b28.txt", "notes.txt", "offline.txt", "photo.jpg"],
  ]);

  await page.context().clearCookies();
  await drop([["late.txt", "late"]]);
  await expect.poll(() => zone.locator(".refused").textContent()).toContain("You are signed out");
});
