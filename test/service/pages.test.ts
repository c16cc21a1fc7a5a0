import { describe, expect, it } from "vitest";
import { sha256 } from "../../src/base/hash.ts";
import { clientOf, openService, pageForm, visit } from "./open-service.ts";
import { temporaryFolder } from "./temporary-folder.ts";

describe("pages", () => {
  it("keep their version if a PUT changes nothing", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    const json = { html: "<p>1</p>", title: "One" };
    await send("PUT", "/api/pages/one", { json });
    const again = await send("PUT", "/api/pages/one", { json });
    const changed = await send("PUT", "/api/pages/one", { json: { ...json, title: "Two" } });
    expect([again.body.version, changed.body.version]).toEqual([1, 2]);
  });

  it("keep their version if a client truncates a title within a character", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    const json = { html: "<p>1</p>", title: "Party 🎉".slice(0, -1) };
    const first = await send("PUT", "/api/pages/one", { json });
    const again = await send("PUT", "/api/pages/one", { json });
    const { body } = await send("GET", "/api/pages/one");
    expect([first.body.title, body.title]).toEqual(["Party \uFFFD", "Party \uFFFD"]);
    expect([again.body.version, body.version]).toEqual([1, 1]);
    const long = await send("PUT", "/api/pages/two", { json: { html: `<title>x${"🎉".repeat(200)}</title>` } });
    expect(long.body.title).toBe(`x${"🎉".repeat(99)}`);
  });

  it("report the hash and the size of the HTML as it was sent", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    const html = "<p>Grüße 🌍</p>\r\n";
    const { body } = await send("PUT", "/api/pages/one", { json: { html } });
    expect(body).toMatchObject({ contentHash: sha256(html), bytes: Buffer.byteLength(html) });
  });

  it("take their title from the document if none is given, and keep it afterwards", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    const first = await send("PUT", "/api/pages/one", { json: { html: "<title>A &amp;\n B</title>" } });
    const second = await send("PUT", "/api/pages/one", { json: { html: "<p>no title</p>" } });
    expect([first.body.title, second.body.title]).toEqual(["A & B", "A & B"]);
  });

  it("use their slug as title if the document has none, without slow searches in hostile HTML", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    const { body } = await send("PUT", "/api/pages/one", { json: { html: "<title".repeat(500_000) } });
    expect(body.title).toBe("one");
  });

  it("are hidden from readers while they are drafts, and keep the time of their first publication", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    const draft = await send("PUT", "/api/pages/one", { json: { html: "<p>1</p>", status: "draft" } });
    expect(draft.body.publishedAt).toBeNull();
    expect((await visit(service, "/p/one")).status).toBe(404);
    const published = await send("PUT", "/api/pages/one", { json: { html: "<p>1</p>" } });
    expect(published.body.publishedAt).not.toBeNull();
    const hidden = await send("PUT", "/api/pages/one", { json: { html: "<p>1</p>", status: "draft" } });
    expect(hidden.body.publishedAt).toBe(published.body.publishedAt);
    expect((await visit(service, "/p/one")).status).toBe(404);
  });

  it("are read in their latest version, even if another process has written them", async () => {
    const dataDir = await temporaryFolder();
    const [own, other] = [openService({ ephemeral: false, dataDir }), openService({ ephemeral: false, dataDir })];
    const sends = [own, other].map((service) => clientOf(service, { routeSet: "a" }));
    const read = async () => {
      const answer = await visit(own, "/p/one");
      return answer.ok ? await answer.text() : answer.status;
    };
    const readings: unknown[] = [];
    for (const html of ["<p>1", "<p>2", "<p>3", "<p>4"]) {
      const send = sends[readings.length % 2];
      await send?.("PUT", "/api/pages/one", { json: { html } });
      readings.push(await read());
    }
    expect(readings).toEqual(["<p>1", "<p>2", "<p>3", "<p>4"]);
    await sends[1]?.("PATCH", "/api/pages/one", { json: { status: "draft" } });
    expect([await read(), await read()]).toEqual([404, 404]);
    await sends[0]?.("PATCH", "/api/pages/one", { json: { status: "published" } });
    expect(await read()).toBe("<p>4");
    await sends[0]?.("DELETE", "/api/pages/one");
    expect(await read()).toBe(410);
  });

  it("can be published again after deletion, with a new id", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    const first = await send("PUT", "/api/pages/one", { json: { html: "<p>1</p>" } });
    await send("DELETE", "/api/pages/one");
    const second = await send("PUT", "/api/pages/one", { json: { html: "<p>2</p>" } });
    expect(second.status).toBe(201);
    expect(second.body.id).not.toBe(first.body.id);
    expect((await visit(service, "/p/one")).status).toBe(200);
  });

  it("include their HTML on request", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    await send("PUT", "/api/pages/one", { json: { html: "\u{FEFF}<p>1</p>" } });
    expect((await send("GET", "/api/pages/one")).body.html).toBeUndefined();
    expect((await send("GET", "/api/pages/one?include=html")).body.html).toBe("\u{FEFF}<p>1</p>");
  });

  it("are returned raw in route set B, byte for byte and with a sandbox policy", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "b" });
    await send("POST", "/api/pages", { form: pageForm({ html: "<p>1</p>", title: "One", slug: "one" }) });
    const raw = await send("GET", "/api/pages/one/raw", { apiKey: null });
    expect(raw.text).toBe("<p>1</p>");
    expect(raw.headers.get("Content-Security-Policy")).toBe("sandbox allow-scripts allow-forms allow-popups");
    const etag = raw.headers.get("ETag") ?? "";
    const fresh = await send("GET", "/api/pages/one/raw", { headers: { "If-None-Match": etag } });
    // Otherwise, a browser would apply another response's policy to its cached copy.
    expect(fresh.headers.get("Content-Security-Policy")).toBe(raw.headers.get("Content-Security-Policy"));
    expect(fresh.status).toBe(304);
  });

  it("are returned raw as drafts only for a key with access to pages", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "b" });
    const blogger = await service.createKey({ name: "blogger", scopes: ["blogs:read"] });
    await send("PUT", "/api/pages/one", { json: { html: "<p>1</p>", status: "draft" } });
    expect((await send("GET", "/api/pages/one/raw", { apiKey: null })).status).toBe(404);
    expect((await send("GET", "/api/pages/one/raw", { apiKey: blogger.apiKey })).status).toBe(403);
    expect((await send("GET", "/api/pages/one/raw")).status).toBe(200);
  });

  it("created with POST are rejected if the slug is taken", async () => {
    const send = clientOf(openService(), { routeSet: "b" });
    const form = { html: "<p>1</p>", title: "One", slug: "one" };
    await send("POST", "/api/pages", { form: pageForm(form) });
    const { status, body } = await send("POST", "/api/pages", { form: pageForm(form) });
    expect([status, body.code]).toEqual([409, "slug_taken"]);
  });

  it.each(["UPPER", "a/b", "-a", "a---b", "ü", "a".repeat(97)])("are rejected with the slug %j", async (slug) => {
    const send = clientOf(openService(), { routeSet: "a" });
    const { status, body } = await send("PUT", `/api/pages/${encodeURIComponent(slug)}`, { json: { html: "<p>" } });
    expect([status, body.code]).toEqual([422, "invalid_slug"]);
  });

  it.each(["", "  ", "\n\t"])("are rejected with %j as HTML", async (html) => {
    const send = clientOf(openService(), { routeSet: "a" });
    const { status, body } = await send("PUT", "/api/pages/one", { json: { html } });
    expect([status, body.code]).toEqual([422, "invalid_html"]);
  });

  it.each(["a", "b"] as const)("accept plain text as HTML in route set %s", async (routeSet) => {
    const service = openService();
    const send = clientOf(service, { routeSet });
    const text = "just words & no tag: 1 < 2";
    const { status, body } = await send("PUT", "/api/pages/note", { json: { html: text } });
    expect([status, body.title]).toEqual([201, "note"]);
    expect(await (await visit(service, "/p/note")).text()).toContain(text);
  });

  it("are rejected if the document isn't UTF-8", async () => {
    const send = clientOf(openService(), { routeSet: "b" });
    const form = new FormData();
    form.append("html", new File([new Uint8Array([0x3c, 0x70, 0x3e, 0xff])], "page.html"));
    const { status, body } = await send("PUT", "/api/pages/one", { form });
    expect([status, body.code]).toEqual([422, "invalid_html"]);
  });

  it("are rejected beyond the account's limit, while existing ones can still change", async () => {
    const send = clientOf(openService({ limits: { maxPages: 1 } }), { routeSet: "a" });
    await send("PUT", "/api/pages/one", { json: { html: "<p>1</p>" } });
    expect((await send("PUT", "/api/pages/two", { json: { html: "<p>2</p>" } })).body.code).toBe("limit_reached");
    expect((await send("PUT", "/api/pages/one", { json: { html: "<p>3</p>" } })).status).toBe(200);
  });
});

describe("preconditions", () => {
  it("accept a change only for the named version of the record", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    await send("PUT", "/api/pages/one", { json: { html: "<p>1</p>" } });
    const right = await send("PUT", "/api/pages/one", { json: { html: "<p>2</p>" }, headers: { "If-Match": '"v1"' } });
    const wrong = await send("PUT", "/api/pages/one", { json: { html: "<p>3</p>" }, headers: { "If-Match": '"v1"' } });
    expect(right.status).toBe(200);
    expect([wrong.status, wrong.body.code, wrong.body.version]).toEqual([412, "version_mismatch", 2]);
    expect((await send("DELETE", "/api/pages/one", { headers: { "If-Match": '"v1"' } })).status).toBe(412);
    expect((await send("DELETE", "/api/pages/one", { headers: { "If-Match": '"v2"' } })).status).toBe(204);
  });

  it("reject a version of a page that doesn't exist", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    const { status } = await send("PUT", "/api/pages/one", { json: { html: "<p>" }, headers: { "If-Match": '"v1"' } });
    expect(status).toBe(412);
  });

  it("can restrict a request to creating a page", async () => {
    const send = clientOf(openService(), { routeSet: "b" });
    const options = { json: { html: "<p>1</p>" }, headers: { "If-None-Match": "*" } };
    expect((await send("PUT", "/api/pages/one", options)).status).toBe(201);
    const again = await send("PUT", "/api/pages/one", options);
    expect([again.status, again.body.code]).toEqual([412, "already_exists"]);
  });

  it("skip sending a record that the client already has", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    await send("PUT", "/api/pages/one", { json: { html: "<p>1</p>" } });
    const first = await send("GET", "/api/pages/one");
    expect(first.headers.get("ETag")).toBe('"v1"');
    const second = await send("GET", "/api/pages/one", { headers: { "If-None-Match": '"v1"' } });
    expect([second.status, second.text]).toEqual([304, ""]);
  });

  it("get no ETag from a PUT, whose body was transformed", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    const { headers } = await send("PUT", "/api/pages/one", { json: { html: "<p>1</p>" } });
    expect(headers.get("ETag")).toBeNull();
  });
});
