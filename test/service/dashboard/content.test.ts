import { expect, test } from "vitest";
import { clientOf, openService, visit, type Fields } from "../open-service.ts";
import { signIn } from "./signed-in.ts";

async function open() {
  const service = openService();
  return { service, send: clientOf(service, { routeSet: "a" }), ...(await signIn(service)) };
}

type Opened = Awaited<ReturnType<typeof open>>;

async function publish({ send }: Opened, slug: string, fields: Fields = {}): Promise<string> {
  const { body } = await send("PUT", `/api/pages/${slug}`, { json: { html: `<h1>${slug}</h1>`, ...fields } });
  return String(body["id"]);
}

async function textOf(answer: Response | Promise<Response>): Promise<string> {
  return await (await answer).text();
}

test("pages can be found by text, state, and site", async () => {
  const opened = await open();
  const site = (await opened.send("POST", "/api/sites", { json: { name: "Shop" } })).body;
  await publish(opened, "about", { title: "About us", siteId: site["id"] });
  await publish(opened, "later", { title: "Later", status: "draft" });
  const found = {
    text: await textOf(opened.get("/pages?q=abou")),
    draft: await textOf(opened.get("/pages?status=draft")),
    site: await textOf(opened.get(`/pages?site=${String(site["id"])}`)),
  };
  const seen = Object.values(found).map((text) => [text.includes("About us"), text.includes("Later")]);
  expect(seen).toEqual([
    [true, false],
    [false, true],
    [true, false],
  ]);
});

test("a page's title, description, and site can be changed without new HTML", async () => {
  const opened = await open();
  const id = await publish(opened, "about");
  const site = (await opened.send("POST", "/api/sites", { json: { name: "Shop" } })).body;
  const fields = { title: "Who we are", description: "All of us.", siteId: String(site["id"]), version: "1" };
  const answer = await opened.post(`/pages/${id}/edit`, fields);
  const { body } = await opened.send("GET", "/api/pages/about?include=html");
  expect(answer.headers.get("Location")).toBe(`/edit/${id}?notice=saved`);
  expect(body).toMatchObject({ title: "Who we are", description: "All of us.", siteId: site["id"], version: 2 });
  expect(body["html"]).toBe("<h1>about</h1>");
});

test("a draft stays a draft after its title changes", async () => {
  const opened = await open();
  const id = await publish(opened, "about", { status: "draft" });
  await opened.post(`/pages/${id}/edit`, { title: "Soon", description: "", siteId: "", version: "1" });
  expect((await opened.send("GET", "/api/pages/about")).body).toMatchObject({ title: "Soon", status: "draft" });
});

test("two people who edit the same page don't lose their input", async () => {
  const opened = await open();
  const id = await publish(opened, "about");
  await opened.post(`/pages/${id}/edit`, { title: "First", description: "", siteId: "", version: "1" });
  const late = await opened.post(`/pages/${id}/edit`, { title: "Second", description: "", siteId: "", version: "1" });
  const text = await textOf(late);
  expect(late.status).toBe(412);
  expect(text).toContain("Someone else changed this in the meantime");
  expect(text).toContain('value="Second"');
  expect(text).toContain("Saved meanwhile: <strong>First</strong>");
  expect((await opened.send("GET", "/api/pages/about")).body).toMatchObject({ title: "First" });
  await opened.post(`/pages/${id}/edit`, { title: "Second", description: "", siteId: "", version: "2" });
  expect((await opened.send("GET", "/api/pages/about")).body).toMatchObject({ title: "Second" });
});

test("an invalid field shows an error, and all input is kept", async () => {
  const opened = await open();
  const id = await publish(opened, "about");
  const answer = await opened.post(`/pages/${id}/edit`, { title: " ", description: "Kept", siteId: "", version: "1" });
  const text = await textOf(answer);
  expect(answer.status).toBe(422);
  expect(text).toContain("must not be empty");
  expect(text).toContain('aria-describedby="title-error title-hint"');
  expect(text).toContain("Kept</textarea>");
});

test("opening the confirmation deletes nothing; confirming it does", async () => {
  const opened = await open();
  const id = await publish(opened, "about");
  const question = await opened.get(`/pages/${id}/delete`);
  const before = await visit(opened.service, "/p/about");
  const answer = await opened.post(`/pages/${id}/delete`);
  const after = await visit(opened.service, "/p/about");
  expect([question.status, before.status, answer.status, after.status]).toEqual([200, 200, 303, 410]);
});

test("titles and other text are never parsed as HTML", async () => {
  const opened = await open();
  const id = await publish(opened, "about", {
    title: "<img src=x onerror=alert(1)>",
    description: '"><script>1</script>',
  });
  const texts = [await textOf(opened.get("/pages")), await textOf(opened.get(`/edit/${id}`))];
  for (const text of texts) {
    expect(text).not.toContain("<img src=x");
    expect(text).not.toContain("<script>1");
  }
});

test("a page's preview has its own origin", async () => {
  const opened = await open();
  const id = await publish(opened, "about", { html: "<script>document.cookie</script>" });
  const preview = await opened.get(`/pages/${id}/preview`);
  expect(preview.headers.get("Content-Security-Policy")).toBe("sandbox allow-scripts; frame-ancestors 'self'");
  expect(await preview.text()).toContain("<script>document.cookie</script>");
});

test("a site can be created, renamed, given a home page, and deleted with its pages", async () => {
  const opened = await open();
  const fields = { name: "Shop", slug: "", homeSlug: "about", brandKitId: "" };
  const made = await opened.post("/sites", fields);
  const id = /st_\w+/.exec(made.headers.get("Location") ?? "")?.[0] ?? "";
  await publish(opened, "about", { siteId: id });
  await opened.post(`/sites/${id}`, { ...fields, name: "Store", slug: "shop", version: "1" });
  const { body } = await opened.send("GET", `/api/sites/${id}`);
  expect(body).toMatchObject({ name: "Store", slug: "shop", homeSlug: "about", pageCount: 1 });
  await opened.post(`/sites/${id}/delete`, { pages: "delete" });
  const gone = [await opened.send("GET", `/api/sites/${id}`), await opened.send("GET", "/api/pages/about")];
  expect(gone.map(({ status }) => status)).toEqual([404, 404]);
});

test("deleting a site keeps its pages by default", async () => {
  const opened = await open();
  const site = (await opened.send("POST", "/api/sites", { json: { name: "Shop" } })).body;
  await publish(opened, "about", { siteId: site["id"] });
  await opened.post(`/sites/${String(site["id"])}/delete`);
  expect((await opened.send("GET", "/api/pages/about")).body).toMatchObject({ siteId: null });
});

test("the slug of another site shows an error at its field", async () => {
  const opened = await open();
  await opened.send("POST", "/api/sites", { json: { name: "Shop" } });
  const answer = await opened.post("/sites", { name: "Other", slug: "shop", homeSlug: "", brandKitId: "" });
  const text = await textOf(answer);
  expect(answer.status).toBe(409);
  expect(text).toContain("A site “shop” already exists.".replaceAll(/[“”]/g, "&quot;"));
  expect(text).toContain('value="Other"');
});

test("files can be added to the library with tags, and duplicates aren't stored twice", async () => {
  const opened = await open();
  const first = await opened.upload("/library", [["notes.txt", "hello"]], { alt: "Notes", tags: "one, two, one" });
  const again = await opened.upload("/library", [["copy.txt", "hello"]], { alt: "", tags: "" });
  const { items } = await opened.send("GET", "/api/library");
  expect(first.headers.get("Location")).toMatch(/^\/library\/as_\w+\?notice=assets-added$/);
  expect(again.headers.get("Location")).toBe(first.headers.get("Location")?.replace("added", "known"));
  expect(await textOf(await opened.get(again.headers.get("Location") ?? ""))).toContain("weren’t added again");
  expect(items).toMatchObject([{ name: "notes.txt", alt: "Notes", tags: ["one", "two"] }]);
});

test("a file's name that isn't kept is never said to be saved", async () => {
  const opened = await open();
  const sent = await opened.upload("/library", [["日本語.txt", "hello"]], { alt: "", tags: "" });
  const location = sent.headers.get("Location") ?? "";
  const shown = await textOf(await opened.get(location));
  expect(shown).toContain("the service replaced what isn’t a letter from A to Z");
  expect(shown).toContain("<h1>file-e1422b28.txt</h1>");
  const path = location.split("?")[0] ?? "";
  const [renamed, kept] = [await opened.post(path, { name: "写真" }), await opened.post(path, { name: "photo.txt" })];
  expect(renamed.headers.get("Location")).toBe(`${path}?notice=saved,asset-name-changed`);
  expect(kept.headers.get("Location")).toBe(`${path}?notice=saved`);
});

test("a rejected file leaves nothing behind, even in an upload of several", async () => {
  const opened = await open();
  const files = [
    ["notes.txt", "hello"],
    ["page.html", "<!doctype html><script>1</script>"],
  ] as const;
  const answer = await opened.upload("/library", files, { tags: "kept" });
  const text = await textOf(answer);
  expect(answer.status).toBe(415);
  expect(text).toContain('role="alert"');
  expect(text).toContain('value="kept"');
  expect((await opened.send("GET", "/api/library")).items).toEqual([]);
});

test("a file that pages use is deleted only after a confirmation that lists them", async () => {
  const opened = await open();
  await opened.upload("/library", [["notes.txt", "hello"]], {});
  const asset = (await opened.send("GET", "/api/library")).items[0];
  const path = `/library/${String(asset?.["id"])}`;
  await publish(opened, "about", { html: `<a href="${String(asset?.["url"])}">Notes</a>`, title: "About" });
  const question = await textOf(opened.get(`${path}/delete`));
  const hasty = await opened.post(`${path}/delete`);
  expect(question).toContain("Delete anyway");
  expect([hasty.status, (await opened.get(path)).status]).toEqual([409, 200]);
  expect(await hasty.text()).toContain(">About</a>");
  await opened.post(`${path}/delete`, { force: "yes" });
  expect((await opened.get(path)).status).toBe(404);
});
