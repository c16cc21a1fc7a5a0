import { rm } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import sharp from "sharp";
import { describe, expect, it, onTestFinished } from "vitest";
import { toSafeName } from "../../src/service/resources/library.ts";
import { isOnPostgres } from "./backend.ts";
import { closePages, openBrowser } from "../browser.ts";
import { clientOf, fileForm, openRunningService, openService, visit } from "./open-service.ts";
import { temporaryFolder } from "./temporary-folder.ts";
import { publishPage } from "./visitors/visiting.ts";

async function png(width: number, height: number): Promise<Uint8Array<ArrayBuffer>> {
  const image = sharp({ create: { width, height, channels: 3, background: "#a63d1f" } });
  return new Uint8Array(await image.png().toBuffer());
}

describe("the library of route set A", () => {
  it.each([
    ["style.css", "body { color: red }", "text/css"],
    ["app.js", "export const answer = 42;", "text/javascript"],
    ["data.json", "{}", "application/json"],
    ["feed.rss", '<?xml version="1.0"?><rss></rss>', "application/rss+xml"],
    ["notes", "BM, said the text", "image/bmp"],
    ["notes.txt", "BM, said the text", "text/plain"],
    ["logo.svg", '<?xml version="1.0"?><!-- hi --><svg xmlns="http://www.w3.org/2000/svg"/>', "image/svg+xml"],
    ["logo.txt", "<svg></svg>", "image/svg+xml"],
    ["paper.bin", "%PDF-1.4\n%\u0000", "application/pdf"],
    ["unknown.zzz", "\u0000\u0001\u0002", "application/octet-stream"],
  ])("detects the type of %s from its content", async (name, content, type) => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    const { status, body } = await send("POST", "/api/library", { form: fileForm([name, content]) });
    expect([status, body.contentType]).toEqual([201, type]);
    const file = await service.fetch(new Request(String(body.url)));
    expect(file.headers.get("Content-Type")?.split(";")[0]).toBe(type);
    expect(file.headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(await file.text()).toBe(content);
  });

  it("serves an SVG so that it can't run or load anything, in full and in ranges", async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(2)</script></svg>';
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    const { body } = await send("POST", "/api/library", { form: fileForm(["logo.svg", svg]) });
    for (const init of [{}, { method: "HEAD" }, { headers: { Range: "bytes=0-9" } }]) {
      const { headers } = await service.fetch(new Request(String(body.url), init));
      expect(headers.get("Content-Security-Policy")).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox");
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    }
  });

  it.each([
    ["page.html", "<p>hi</p>"],
    ["page.txt", "<!DOCTYPE html><p>hi"],
    ["page.xml", '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"/>'],
  ])("rejects HTML, even as %s", async (name, content) => {
    const send = clientOf(openService(), { routeSet: "a" });
    const { status, body } = await send("POST", "/api/library", {
      form: fileForm([name, content]),
    });
    expect([status, body.code]).toEqual([415, "unsupported_asset_type"]);
  });

  it("rejects an image that can't be decoded", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    const cut = (await png(40, 40)).subarray(0, 20);
    for (const form of [fileForm(["a.png", "no image"]), fileForm(["b.png", new Uint8Array(cut)])]) {
      const { status, body } = await send("POST", "/api/library", { form });
      expect([status, body.code]).toEqual([422, "image_unreadable"]);
    }
  });

  it("rejects an image with too many pixels, and returns the size of others", async () => {
    const send = clientOf(openService({ limits: { maxImagePixels: 100 } }), { routeSet: "a" });
    const large = await send("POST", "/api/library", { form: fileForm(["large.png", await png(11, 10)]) });
    expect([large.status, large.body.code]).toEqual([422, "image_too_many_pixels"]);
    const small = await send("POST", "/api/library", { form: fileForm(["small.png", await png(10, 10)]) });
    expect(small.body).toMatchObject({ width: 10, height: 10 });
  });

  it("doesn't delete an asset that a published page uses, unless forced", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    const { body: asset } = await send("POST", "/api/library", { form: fileForm(["a.css", "a{}"]) });
    await send("PUT", "/api/pages/one", { json: { html: `<link rel=stylesheet href=${String(asset.url)}>` } });
    expect((await send("GET", "/api/library")).items[0]?.usedBy).toBe(1);
    const refused = await send("DELETE", `/api/library/${String(asset.id)}`);
    expect([refused.status, refused.body.code, refused.body.usedBy]).toEqual([409, "asset_in_use", ["one"]]);
    expect((await send("DELETE", `/api/library/${String(asset.id)}?force=true`)).status).toBe(204);
    expect((await service.fetch(new Request(String(asset.url)))).status).toBe(404);
  });

  it("deletes an asset after the page that used it is changed or deleted", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    const { body: asset } = await send("POST", "/api/library", {
      form: fileForm(["a.css", "a{}"]),
    });
    await send("PUT", "/api/pages/one", { json: { html: `<link href="${String(asset.url)}">` } });
    await send("PUT", "/api/pages/one", { json: { html: "<p>without</p>" } });
    expect((await send("DELETE", `/api/library/${String(asset.id)}`)).status).toBe(204);
  });

  it("changes name, description, and tags, and still serves the asset under its old name", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    const { body: asset } = await send("POST", "/api/library", {
      form: fileForm(["a.css", "a{}"]),
    });
    const patch = { name: "b.css", alt: "styles", tags: ["css"] };
    const { body } = await send("PATCH", `/api/library/${String(asset.id)}`, { json: patch });
    expect(body).toMatchObject(patch);
    expect((await service.fetch(new Request(String(asset.url)))).status).toBe(200);
  });

  it("doesn't serve an asset under a name that it never had", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    const { body: asset } = await send("POST", "/api/library", {
      form: fileForm(["loader.js", "0"]),
    });
    for (const name of ["plugin.js", "loader.css", "loader.js.map", "LOADER.js"]) {
      const sibling = await service.fetch(new Request(new URL(name, String(asset.url))));
      expect([name, sibling.status]).toEqual([name, 404]);
    }
    expect((await service.fetch(new Request(`${String(asset.url)}?v=2`))).status).toBe(200);
  });

  it("prevents a loader script from starting itself in place of the script next to it", async () => {
    const service = await openRunningService();
    const loader =
      'var own = document.querySelector("script[src*=loader]").src; var next = document.createElement("script"); next.src = own.replace(/[^/]*$/, "plugin.js"); document.body.append(next);';
    const send = clientOf(service, { routeSet: "a" });
    const { body: asset } = await send("POST", "/api/library", {
      form: fileForm(["loader.js", loader]),
    });
    await publishPage(
      service,
      "shop",
      `<!doctype html><title>Shop</title><p>Shop</p><script src="${String(asset.url)}"></script>`,
    );
    const browser = await openBrowser();
    onTestFinished(() => closePages(browser));
    const page = await browser.newPage();
    await page.goto(`${service.pagesUrl}/p/shop`, { waitUntil: "load", timeout: 10_000 });
    expect(await page.locator("script[src$='/plugin.js']").count()).toBe(1);
  });

  it.each([
    ["?q=sty", 1],
    ["?type=text", 1],
    ["?type=text/css", 1],
    ["?type=image", 0],
    ["?hash=e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855", 0],
  ])("can be searched by %s", async (query, length) => {
    const send = clientOf(openService(), { routeSet: "a" });
    await send("POST", "/api/library", { form: fileForm(["style.css", "a{}"]) });
    expect((await send("GET", `/api/library${query}`)).items).toHaveLength(length);
  });

  it("accepts one file at a time", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    const { status } = await send("POST", "/api/library", { form: fileForm(["a.css", "a{}"], ["b.css", "b{}"]) });
    expect(status).toBe(422);
  });
});

describe("the library of route set B", () => {
  it("accepts several images at once", async () => {
    const send = clientOf(openService(), { routeSet: "b" });
    const form = fileForm(["a.png", await png(1, 1)], ["b.png", await png(2, 2)], ["c.png", await png(1, 1)]);
    const { status, items } = await send("POST", "/api/assets/upload", { form });
    expect([status, items.length]).toEqual([201, 3]);
    expect(items[2]?.id).toBe(items[0]?.id);
  });

  it("accepts all files or none, and names the rejected one", async () => {
    const send = clientOf(openService(), { routeSet: "b" });
    const form = fileForm(["a.png", await png(1, 1)], ["b.css", "b{}"]);
    const { status, body } = await send("POST", "/api/assets/upload", { form });
    expect([status, body.code]).toEqual([415, "unsupported_asset_type"]);
    expect(body.errors).toMatchObject([{ pointer: "/body/file/1" }]);
    expect((await send("GET", "/api/assets")).items).toHaveLength(0);
  });
});

describe("library files", () => {
  it("are cached indefinitely and not sent again to clients that have them", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    const { body } = await send("POST", "/api/library", { form: fileForm(["a.css", "a{}"]) });
    const file = await service.fetch(new Request(String(body.url)));
    expect(file.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
    const headers = { "If-None-Match": file.headers.get("ETag") ?? "" };
    expect((await service.fetch(new Request(String(body.url), { headers }))).status).toBe(304);
  });

  it.each([
    ["bytes=2-4", [206, "234", "bytes 2-4/10"]],
    ["bytes=7-", [206, "789", "bytes 7-9/10"]],
    ["bytes=-2", [206, "89", "bytes 8-9/10"]],
    ["bytes=0-99", [206, "0123456789", "bytes 0-9/10"]],
    ["bytes=10-", [416, "", "bytes */10"]],
    ["bytes=4-2", [200, "0123456789", null]],
    ["bytes=0-1,3-4", [200, "0123456789", null]],
    ["lines=1-2", [200, "0123456789", null]],
  ])("support range requests: %s", async (range, expected) => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    const { body } = await send("POST", "/api/library", { form: fileForm(["a.txt", "0123456789"]) });
    const part = await service.fetch(new Request(String(body.url), { headers: { Range: range } }));
    expect([part.status, await part.text(), part.headers.get("Content-Range")]).toEqual(expected);
  });

  it.each([
    ["GET", '"another"', 200],
    ["GET", "Thu, 26 Nov 2099 00:00:00 GMT", 200],
    ["GET", undefined, 206],
    ["HEAD", undefined, 200],
  ])(
    "are sent in full to a client with a range of another file: %s with If-Range %s",
    async (method, ifRange, status) => {
      const service = openService();
      const send = clientOf(service, { routeSet: "a" });
      const { body } = await send("POST", "/api/library", { form: fileForm(["a.txt", "0123456789"]) });
      const ask = (headers: Readonly<Record<string, string>>) =>
        service.fetch(new Request(String(body.url), { method, headers: { Range: "bytes=2-4", ...headers } }));
      const tag = (await ask({})).headers.get("ETag") ?? "";
      expect((await ask({ "If-Range": ifRange ?? tag })).status).toBe(status);
    },
  );

  it.each([
    ["drawings", "a.svg", "<svg><script>1</script></svg>"],
    ["XML", "a.xml", '<x><script xmlns="http://www.w3.org/1999/xhtml">1</script></x>'],
  ])("with content type %s can't run scripts", async (_, name, content) => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    const { body } = await send("POST", "/api/library", { form: fileForm([name, content]) });
    const file = await service.fetch(new Request(String(body.url)));
    expect(file.headers.get("Content-Security-Policy")).toBe("default-src 'none'; style-src 'unsafe-inline'; sandbox");
  });

  it("can be served without type and CORS headers, to simulate other services", async () => {
    const service = openService({ quirks: { libraryHeaders: "opaque" } });
    const send = clientOf(service, { routeSet: "a" });
    const { body } = await send("POST", "/api/library", { form: fileForm(["a.js", "1"]) });
    const file = await service.fetch(new Request(String(body.url)));
    expect(file.headers.get("Content-Type")).toBe("application/octet-stream");
    expect(file.headers.get("Access-Control-Allow-Origin")).toBeNull();
  });

  it("respond to HEAD with headers and no body", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    const { body } = await send("POST", "/api/library", { form: fileForm(["a.css", "a{}"]) });
    const path = new URL(String(body.url)).pathname;
    const head = await visit(service, path, { method: "HEAD" });
    expect([head.status, head.headers.get("Content-Length"), await head.text()]).toEqual([200, "3", ""]);
  });

  it.skipIf(isOnPostgres)("respond to HEAD without opening the file, which would stay open", async () => {
    const dataDir = await temporaryFolder();
    const service = openService({ ephemeral: false, dataDir });
    const send = clientOf(service, { routeSet: "a" });
    const { body } = await send("POST", "/api/library", { form: fileForm(["a.txt", "abc"]) });
    await rm(join(dataDir, "blobs"), { recursive: true });
    const head = await service.fetch(new Request(String(body.url), { method: "HEAD" }));
    expect([head.status, head.headers.get("Content-Length")]).toEqual([200, "3"]);
  });
});

describe("file names", () => {
  it.each([
    ["../../etc/passwd", "passwd"],
    ["C:\\temp\\Über uns.PNG", "Uber-uns.PNG"],
    ["Recipe (final).pdf", "Recipe-final.pdf"],
    ["写真.jpg", "file-2437d6a3.jpg"],
    ["日本語.jpg", "file-741fb1ee.jpg"],
    ["日本語", "file-77710aed"],
    ["..png", "file-36cc71f3.png"],
    ["..", "file"],
    ["", "file"],
  ])("%j becomes %j", (name, safe) => {
    expect(toSafeName(name)).toBe(safe);
  });

  it("contain nothing with a special meaning in an address or a path", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom("a", ".", "-", "/", "\\", "ü", "é", "\u0000"), maxLength: 400, size: "max" }),
        (name) => {
          expect(toSafeName(name)).toMatch(/^[A-Za-z0-9_][A-Za-z0-9._-]{0,119}$/);
        },
      ),
    );
  });
});
