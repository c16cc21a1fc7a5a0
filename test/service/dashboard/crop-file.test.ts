import sharp from "sharp";
import { expect, onTestFinished, test } from "vitest";
import { closePages, openBrowser } from "../../browser.ts";
import { clientOf, fileForm, openRunningService, openService, visit } from "../open-service.ts";
import { lookAt, openSignedIn } from "./look.ts";
import { signIn } from "./signed-in.ts";

/** Red on the left, blue on the right; stored sideways, as by a camera that was held upright. */
async function makePhoto(): Promise<Uint8Array<ArrayBuffer>> {
  const right = await sharp({ create: { width: 200, height: 200, channels: 3, background: "#00f" } })
    .png()
    .toBuffer();
  const wide = await sharp({ create: { width: 400, height: 200, channels: 3, background: "#f00" } })
    .composite([{ input: right, left: 200, top: 0 }])
    .png()
    .toBuffer();
  return new Uint8Array(await sharp(wide).rotate(-90).jpeg().withMetadata({ orientation: 6 }).toBuffer());
}

const LOOKS = [
  { scheme: "light", width: 1280 },
  { scheme: "dark", width: 390 },
  { scheme: "dark", width: 1280 },
  { scheme: "light", width: 390 },
] as const;

test("a picture can be cropped with the mouse and with the keyboard, and the original keeps its bytes, text, and tags", async () => {
  const service = await openRunningService();
  const send = clientOf(service, { routeSet: "a" });
  const photo = await makePhoto();
  const { body } = await send("POST", "/api/library", { form: fileForm(["sea.k3v9x2ab.9f86d081884c7d65.jpg", photo]) });
  expect(body).toMatchObject({ width: 400, height: 200 });
  const [id, url] = [String(body["id"]), String(body["url"])];
  await send("PATCH", `/api/library/${id}`, { json: { alt: "The sea", tags: ["blue"] } });
  await send("POST", "/api/blogs", { json: { name: "News", slug: "news" } });
  await send("POST", "/api/blogs/news/posts", { json: { slug: "one", title: "One", markdown: `![A](${url})\n` } });
  const browser = await openBrowser();
  onTestFinished(() => closePages(browser));
  const page = await (await openSignedIn(browser, service, LOOKS[0])).newPage();
  await page.goto(`${service.url}/library/${id}`);
  await page.getByRole("link", { name: "Crop" }).press("Enter");
  const valuesOf = async () =>
    await Promise.all(
      ["Left", "Top", "Width", "Height"].map((name) => page.getByLabel(name, { exact: true }).inputValue()),
    );
  expect(await valuesOf()).toEqual(["0", "0", "400", "200"]);
  const picture = await page.locator(".crop-picture").boundingBox();
  const { x = 0, y = 0 } = picture ?? {};
  await page.getByLabel("Shape").selectOption("Square");
  expect(await valuesOf()).toEqual(["0", "0", "200", "200"]);
  await page.mouse.move(x + 390, y + 190);
  await page.mouse.down();
  await page.mouse.move(x + 290, y + 20);
  await page.mouse.up();
  expect(await valuesOf()).toEqual(["290", "90", "100", "100"]);
  await page.getByLabel("Left", { exact: true }).fill("300");
  await page.getByLabel("Left", { exact: true }).press("ArrowDown");
  expect(await page.locator(".crop-picture div").evaluate((box) => Object(box).style.left)).toBe("74.75%");
  await page.keyboard.press("Enter");
  await page.getByText("This is the cropped file.").waitFor();
  const added = (await send("GET", "/api/library")).items.find((asset) => asset["id"] !== id);
  expect(added).toMatchObject({ name: "sea-100x100.jpg", alt: "The sea", tags: ["blue"], width: 100, height: 100 });
  const cropped = await (await visit(service, new URL(String(added?.["url"])).pathname)).arrayBuffer();
  const { dominant } = await sharp(cropped).stats();
  expect([dominant.r < 50, dominant.b > 200]).toEqual([true, true]);
  expect(new Uint8Array(await (await visit(service, new URL(url).pathname)).arrayBuffer())).toEqual(photo);
  const readPost = async () => (await send("GET", "/api/blogs/news/posts?include=content")).items[0]?.["markdown"];
  expect(await readPost()).toBe(`![A](${url})\n`);
  expect(await lookAt(page, service, { shown: { name: "crop", path: `/library/${id}/crop` }, looks: LOOKS })).toEqual(
    [],
  );
  await page.getByLabel("Width", { exact: true }).fill("150");
  await page.getByRole("button", { name: "Save, and show it in 1 post" }).press("Enter");
  await page.getByText("This is the new file.").waitFor();
  expect(await readPost()).not.toContain(id);
});

test("an area outside the picture is rejected with the picture's size, and files without pixels can't be cropped", async () => {
  const service = openService();
  const send = clientOf(service, { routeSet: "a" });
  const { get, post } = await signIn(service);
  const { body } = await send("POST", "/api/library", { form: fileForm(["sea.jpg", await makePhoto()]) });
  const drawing = await send("POST", "/api/library", {
    form: fileForm(["a.svg", '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>']),
  });
  const path = `/library/${String(body["id"])}/crop`;
  for (const width of ["1000", "0", "1.5", "x"]) {
    const refused = await post(path, { left: "0", top: "0", width, height: "10" });
    expect(refused.status).toBe(422);
    expect(await refused.text()).toContain("Choose an area inside the picture, which has 400 × 200 pixels.");
  }
  expect((await get(`/library/${String(drawing.body["id"])}/crop`)).status).toBe(404);
  expect((await post(path, { left: "0", top: "0", width: "10", height: "10" })).status).toBe(303);
});

test("an animation isn't cropped to its first frame", async () => {
  const service = openService();
  const frames = ["#f00", "#00f"].map((background) => {
    return sharp({ create: { width: 40, height: 30, channels: 3, background } })
      .png()
      .toBuffer();
  });
  const animation = await sharp(await Promise.all(frames), { join: { animated: true } })
    .webp()
    .toBuffer();
  const form = fileForm(["wave.webp", new Uint8Array(animation)]);
  const { body } = await clientOf(service, { routeSet: "a" })("POST", "/api/library", { form });
  const { get, post } = await signIn(service);
  const path = `/library/${String(body["id"])}/crop`;
  const refused = [await get(path), await post(path, { left: "0", top: "0", width: "20", height: "20" })];
  expect(refused.map(({ status }) => status)).toEqual([422, 422]);
  expect(await refused[1]?.text()).toContain("This picture is an animation");
});
