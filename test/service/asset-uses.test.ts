import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { findAssetIds } from "../../src/service/resources/asset-uses.ts";
import { migrate } from "../../src/service/store/migrate.ts";
import type { Service } from "../../src/service.ts";
import { isOnPostgres } from "./backend.ts";
import { signIn } from "./dashboard/signed-in.ts";
import { clientOf, fileForm, openService, type Fields, type Send } from "./open-service.ts";
import { temporaryFolder } from "./temporary-folder.ts";

const ID = "as_0123456789ABCDEFGHIJKL";

async function open() {
  const service = openService();
  return await openWith(service);
}

async function openWith(service: Service) {
  const send = clientOf(service, { routeSet: "a" });
  const { body: file } = await send("POST", "/api/library", { form: fileForm(["logo.txt", "logo"]) });
  return { service, send, file, url: String(file.url), path: `/api/library/${String(file.id)}` };
}

async function usedBy(send: Send, { id }: Fields): Promise<unknown> {
  return (await send("GET", "/api/library")).items.find((item) => item.id === id)?.usedBy;
}

async function refusal(send: Send, path: string): Promise<readonly unknown[]> {
  const { status, body } = await send("DELETE", path);
  return [status, body.code, body.usedBy];
}

describe("a library file counts as used", () => {
  it.each(["published", "draft"])("by a page with status %s", async (status) => {
    const { send, file, url, path } = await open();
    await send("PUT", "/api/pages/one", { json: { html: `<img src="${url}">`, status } });
    expect(await usedBy(send, file)).toBe(1);
    expect(await refusal(send, path)).toEqual([409, "asset_in_use", ["one"]]);
  });

  it.each([
    ["published", {}],
    ["draft", { status: "draft" }],
    ["scheduled", { publishedAt: "2099-01-01T00:00:00.000Z" }],
  ])("by a %s post", async (_, fields) => {
    const { send, file, url, path } = await open();
    await send("POST", "/api/blogs", { json: { name: "News", slug: "news" } });
    const post = { slug: "first", title: "First", html: `<img src="${url}">`, ...fields };
    expect((await send("POST", "/api/blogs/news/posts", { json: post })).status).toBe(201);
    expect(await usedBy(send, file)).toBe(1);
    expect(await refusal(send, path)).toEqual([409, "asset_in_use", ["news/first"]]);
  });

  it.each([
    ["markdown", (url: string) => ({ markdown: `![](${url})` })],
    ["cover image", (url: string) => ({ markdown: "x", coverImage: url })],
    ["excerpt", (url: string) => ({ markdown: "x", excerpt: `<img src="${url}">` })],
  ])("by the %s of a post, until the post is changed or deleted", async (_, fieldsOf) => {
    const { send, file, url } = await open();
    await send("POST", "/api/blogs", { json: { name: "News", slug: "news" } });
    await send("POST", "/api/blogs/news/posts", { json: { slug: "first", title: "First", ...fieldsOf(url) } });
    expect(await usedBy(send, file)).toBe(1);
    const without = { markdown: "y", coverImage: null, excerpt: null };
    await send("PATCH", "/api/blogs/news/posts/first", { json: without });
    expect(await usedBy(send, file)).toBe(0);
    await send("PATCH", "/api/blogs/news/posts/first", { json: { coverImage: url } });
    expect(await usedBy(send, file)).toBe(1);
    await send("DELETE", "/api/blogs/news/posts/first");
    expect(await usedBy(send, file)).toBe(0);
  });

  it("by a brand kit with the file as its logo", async () => {
    const { send, file, url, path } = await open();
    const logos = [{ kind: "logo", url, contentType: "image/png", width: 1, height: 1 }];
    const { body: kit } = await send("POST", "/api/brand-kits", { json: { name: "Acme", logos } });
    expect(await usedBy(send, file)).toBe(1);
    expect(await refusal(send, path)).toEqual([409, "asset_in_use", ["Acme"]]);
    await send("PUT", `/api/brand-kits/${String(kit.kitId)}`, { json: { name: "Acme" } });
    expect(await usedBy(send, file)).toBe(0);
  });

  it("by a blog's description", async () => {
    const { send, file, url, path } = await open();
    await send("POST", "/api/blogs", { json: { name: "News", slug: "news", description: `See ${url}` } });
    expect(await usedBy(send, file)).toBe(1);
    expect(await refusal(send, path)).toEqual([409, "asset_in_use", ["news"]]);
  });

  it.each([
    ["style.css", (url: string) => `a{background:url(${url})}`],
    ["app.js", (url: string) => `import "${url}";`],
    ["data.json", (url: string) => JSON.stringify({ url }).replaceAll("/", String.raw`\/`)],
    ["card.svg", (url: string) => `<svg xmlns="http://www.w3.org/2000/svg"><image href="${url}"/></svg>`],
  ])("by the file %s, until that file is deleted", async (name, contentOf) => {
    const { send, file, url, path } = await open();
    const { body: other } = await send("POST", "/api/library", { form: fileForm([name, contentOf(url)]) });
    expect(await usedBy(send, file)).toBe(1);
    expect(await refusal(send, path)).toEqual([409, "asset_in_use", [name]]);
    expect((await send("DELETE", `/api/library/${String(other.id)}`)).status).toBe(204);
    expect((await send("DELETE", path)).status).toBe(204);
  });

  it("once by each of these, and a rejected deletion reports their kinds", async () => {
    const { send, file, url, path } = await open();
    await send("PUT", "/api/pages/one", { json: { html: `<img src="${url}"><img src="${url}">`, title: "One" } });
    await send("POST", "/api/blogs", { json: { name: "News", slug: "news" } });
    await send("POST", "/api/blogs/news/posts", { json: { slug: "first", title: "First", html: url } });
    expect(await usedBy(send, file)).toBe(2);
    const { body } = await send("DELETE", path);
    expect(body.users).toMatchObject([
      { kind: "page", name: "one", title: "One" },
      { kind: "post", name: "news/first", title: "First" },
    ]);
    expect(body.detail).toContain("page one");
    expect(body.detail).toContain("post news/first");
  });
});

describe("the dashboard", () => {
  it("lists what uses a file, and deletes the file only after the list has been confirmed", async () => {
    const { service, send, url, file } = await open();
    await send("POST", "/api/blogs", { json: { name: "News", slug: "news" } });
    await send("POST", "/api/blogs/news/posts", { json: { slug: "first", title: "First post", html: url } });
    await send("POST", "/api/brand-kits", { json: { name: "Acme", sourceUrl: url } });
    const opened = await signIn(service);
    const view = await (await opened.get(`/library/${String(file.id)}`)).text();
    expect(view).toContain("Used by");
    expect(view).toMatch(/<a href="\/blogs\/news\/posts\/first">First post<\/a>/);
    expect(view).toMatch(/<a href="\/brand-kits\/bk_\w+">Acme<\/a>/);
    expect((await opened.post(`/library/${String(file.id)}/delete`)).status).toBe(409);
  });
});

describe("findAssetIds finds an asset", () => {
  it.each([
    ["absolute", `<img src="http://127.0.0.1:4401/library/${ID}/a.png">`],
    ["path-relative", `<img src="../library/${ID}/a.png?x=1&amp;y=2">`],
    ["in JSON", String.raw`{"src":"http:\/\/x\/library\/${ID}\/a.png"}`],
    ["in JSON with escaped slashes", String.raw`"\u002flibrary\u002F${ID}\u002fa.png"`],
    ["url-encoded", `/_image?href=%2Flibrary%2F${ID}%2Fa.png&w=3`],
    ["url-encoded to the underscore", `?u=%2Flibrary%2F${ID.replace("_", "%5F")}%2Fa.png`],
    ["url-encoded twice", `?u=%252Flibrary%252F${ID.replace("_", "%255f")}%252Fa.png`],
    ["HTML-escaped", `&#x2F;library&#47;${ID.replace("_", "&#95;")}&sol;a.png`],
    ["in Markdown", `![](/library/${ID.replace("_", String.raw`\_`)}/a.png)`],
    ["in CSS", `url(/library/${ID.replace("_", String.raw`\5f `)}/a.png)`],
    ["by its id", `data-file=${ID}`],
  ])("in a text: %s", (_, text) => {
    expect(findAssetIds([text])).toEqual([ID]);
  });
});

describe.skipIf(isOnPostgres)("a database from before uses were tracked", () => {
  it("is indexed on demand, and use counts are announced once every record is indexed", async () => {
    const dataDir = await temporaryFolder();
    const first = openService({ ephemeral: false, dataDir });
    const { send, file, url, path } = await openWith(first);
    await send("POST", "/api/blogs", { json: { name: "News", slug: "news" } });
    await send("POST", "/api/blogs/news/posts", { json: { slug: "first", title: "First", html: url } });
    await send("POST", "/api/library", { form: fileForm(["a.css", `a{background:url(${url})}`]) });
    await first.close();
    goBack(join(dataDir, "service.sqlite"));

    const service = openService({ ephemeral: false, dataDir, background: false });
    const again = clientOf(service, { routeSet: "a" });
    const capabilities = async () => (await again("GET", "/api/account")).body.capabilities;
    expect(await capabilities()).toMatchObject({ "assets.uses": false });
    expect(await refusal(again, path)).toEqual([409, "asset_in_use", ["news/first", "a.css"]]);
    expect(await usedBy(again, file)).toBe(2);
    expect(await capabilities()).toMatchObject({ "assets.uses": true });
  });
});

/** Rolls the database back to before uses were tracked, and forward again. */
function goBack(path: string): void {
  const database = new DatabaseSync(path);
  try {
    for (const table of ["post_asset", "blog_asset", "brand_kit_asset", "file_asset", "unread_text"]) {
      database.exec(`drop table ${table}`);
    }
    database.exec("delete from schema_version where version = 10");
    migrate(database, new Date(0));
  } finally {
    database.close();
  }
}
