import sharp from "sharp";
import { expect, onTestFinished, test } from "vitest";
import { closePages, openBrowser } from "../../browser.ts";
import { clientOf, fileForm, openRunningService, openService, visit } from "../open-service.ts";
import { inviteAs } from "../people/signed-in-as.ts";
import { lookAt, openSignedIn } from "./look.ts";
import { signIn } from "./signed-in.ts";

async function makePicture(background: string): Promise<Uint8Array<ArrayBuffer>> {
  const options = { create: { width: 40, height: 30, channels: 3, background } } as const;
  return new Uint8Array(await sharp(options).png().toBuffer());
}

test("a replaced file is updated in posts and keeps its own address, and other uses of it are listed and left unchanged", async () => {
  const service = openService();
  const send = clientOf(service, { routeSet: "a" });
  const { get, upload } = await signIn(service);
  const former = await makePicture("#a52");
  const { body } = await send("POST", "/api/library", { form: fileForm(["loaf.png", former]) });
  const [id, url] = [String(body["id"]), String(body["url"])];
  await send("PATCH", `/api/library/${id}`, { json: { alt: "A loaf", tags: ["bread"] } });
  await send("POST", "/api/blogs", { json: { name: "News", slug: "news" } });
  const post = { slug: "one", title: "One", markdown: `![A](${url})\n\n![B](${url} "t")\n`, coverImage: url };
  await send("POST", "/api/blogs/news/posts", { json: post });
  await send("PUT", "/api/pages/about", { json: { title: "About", html: `<h1>About</h1><img src="${url}" alt="">` } });

  const question = await (await get(`/library/${id}/replace`)).text();
  expect(question).toMatch(/These posts will show the new file:.*One.*These keep this file.*About/s);
  const path = `/library/${id}/replace`;
  expect((await upload(path, [["same.png", former]], {})).status).toBe(422);
  expect((await upload(path, [], {})).status).toBe(422);
  const done = await upload(path, [["roll.png", await makePicture("#fa0")]], {});
  const next = /^\/library\/(as_\w+)\?notice=asset-replaced$/.exec(done.headers.get("Location") ?? "")?.[1] ?? "";
  const added = (await send("GET", "/api/library")).items.find(({ id: each }) => each === next);
  expect(added).toMatchObject({ name: "roll.png", alt: "A loaf", tags: ["bread"] });
  const roll = String(added?.["url"]);
  const changed = (await send("GET", "/api/blogs/news/posts?include=content")).items[0];
  expect(changed).toMatchObject({ markdown: `![A](${roll})\n\n![B](${roll} "t")\n`, version: 2 });
  expect(changed?.["coverImage"]).toBe(roll);
  expect(await (await get("/blogs/news/posts/one/history")).text()).toContain("/blogs/news/posts/one/history/1");
  const page = await (await visit(service, "/p/about")).text();
  expect([page.includes(id), page.includes(next)]).toEqual([true, false]);
  const kept = await visit(service, new URL(url).pathname);
  expect(new Uint8Array(await kept.arrayBuffer())).toEqual(former);
  const viewer = await inviteAs(service, "viewer");
  expect((await viewer.get(path)).status).toBe(403);
  expect((await viewer.upload(path, [["x.png", former]], {})).status).toBe(403);
});

test("a file that is in the library already gets the text and tags of the one that it replaces, unless it has its own", async () => {
  const service = openService();
  const send = clientOf(service, { routeSet: "a" });
  const { upload } = await signIn(service);
  const add = async (name: string, picture: Uint8Array<ArrayBuffer>, fields = {}) => {
    const { body } = await send("POST", "/api/library", { form: fileForm([name, picture]) });
    await send("PATCH", `/api/library/${String(body["id"])}`, { json: fields });
    return String(body["id"]);
  };
  const [plain, described] = [await makePicture("#fa0"), await makePicture("#0af")];
  const loaf = await add("loaf.png", await makePicture("#a52"), { alt: "A loaf", tags: ["bread"] });
  await add("roll.png", plain);
  await add("bun.png", described, { alt: "A bun", tags: ["sweet"] });
  for (const [name, picture] of [
    ["roll.png", plain],
    ["bun.png", described],
  ] as const)
    expect((await upload(`/library/${loaf}/replace`, [[name, picture]], {})).status).toBe(303);
  const { items } = await send("GET", "/api/library");
  expect(items.find(({ name }) => name === "roll.png")).toMatchObject({ alt: "A loaf", tags: ["bread"] });
  expect(items.find(({ name }) => name === "bun.png")).toMatchObject({ alt: "A bun", tags: ["sweet", "bread"] });
});

test("a file can be replaced in a browser, which leads from its page to the new one", async () => {
  const service = await openRunningService();
  const form = fileForm(["loaf.png", await makePicture("#a52")]);
  const { body } = await clientOf(service, { routeSet: "a" })("POST", "/api/library", { form });
  const browser = await openBrowser();
  onTestFinished(() => closePages(browser));
  const page = await (await openSignedIn(browser, service, { scheme: "light", width: 1280 })).newPage();
  await page.goto(`${service.url}/library/${String(body["id"])}`);
  await page.getByRole("link", { name: "Replace" }).press("Enter");
  const buffer = Buffer.from(await makePicture("#fa0"));
  await page.getByLabel("New file").setInputFiles({ name: "roll.png", mimeType: "image/png", buffer });
  await page.getByRole("button", { name: "Replace file" }).press("Enter");
  await page.getByRole("heading", { name: "roll.png" }).waitFor();
  const path = `/library/${String(body["id"])}/replace`;
  const looks = [
    { scheme: "light", width: 1280 },
    { scheme: "dark", width: 390 },
  ] as const;
  expect(await lookAt(page, service, { shown: { name: "replace", path }, looks })).toEqual([]);
});
