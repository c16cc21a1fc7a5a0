import { describe, expect, it } from "vitest";
import { clientOf, fileForm, openRunningService, openService } from "./open-service.ts";

const LIMITS = { maxPageBytes: 1000, maxJsonBodyBytes: 2000, maxAssetBytes: 1000, maxPostBytes: 500 };

function chunked(text: string, chunkSize: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, at + chunkSize));
      at += chunkSize;
    },
  });
}

describe.each(["in process", "over HTTP"] as const)("request bodies, %s", (transport) => {
  async function open() {
    const options = { limits: LIMITS };
    const service = transport === "in process" ? openService(options) : await openRunningService(options);
    return { service, send: clientOf(service, { routeSet: "a", transport }) };
  }

  it("are rejected if their declared length is too large", async () => {
    const { send } = await open();
    const { status, body } = await send("PUT", "/api/pages/one", { json: { html: `<p>${"x".repeat(3000)}` } });
    expect([status, body.code]).toEqual([413, "page_too_large"]);
  });

  it("are rejected if they arrive in chunks and grow too large", async () => {
    const { service, send } = await open();
    const request = new Request(`${service.baseUrl("a")}/api/pages/one`, {
      method: "PUT",
      headers: { Authorization: `Bearer ${service.apiKey}`, "Content-Type": "application/json" },
      body: chunked(JSON.stringify({ html: `<p>${"x".repeat(100_000)}` }), 500),
      duplex: "half",
    });
    const response = transport === "in process" ? await service.fetch(request) : await fetch(request);
    expect(response.status).toBe(413);
    expect((await send("GET", "/api/pages")).items).toHaveLength(0);
  });

  it("are accepted if they arrive in chunks and are small enough", async () => {
    const { service } = await open();
    const request = new Request(`${service.baseUrl("a")}/api/pages/one`, {
      method: "PUT",
      headers: { Authorization: `Bearer ${service.apiKey}`, "Content-Type": "application/json" },
      body: chunked(JSON.stringify({ html: "<p>small" }), 7),
      duplex: "half",
    });
    const response = transport === "in process" ? await service.fetch(request) : await fetch(request);
    expect(response.status).toBe(201);
  });

  it("are rejected if their content exceeds the limit for its kind", async () => {
    const { send } = await open();
    const page = await send("PUT", "/api/pages/one", { json: { html: `<p>${"x".repeat(1000)}` } });
    expect([page.status, page.body.code]).toEqual([413, "page_too_large"]);
    const file = await send("POST", "/api/library", { form: fileForm(["a.txt", "x".repeat(1001)]) });
    expect([file.status, file.body.code]).toEqual([413, "asset_too_large"]);
    await send("POST", "/api/blogs", { json: { name: "Blog" } });
    const post = { slug: "a", title: "A", markdown: "x".repeat(501) };
    const posted = await send("POST", "/api/blogs/blog/posts", { json: post });
    expect([posted.status, posted.body.code]).toEqual([413, "post_too_large"]);
  });

  it.each([
    ["text/plain", "{}", [415, "unsupported_media_type"]],
    ["application/json", "{", [400, "malformed_body"]],
    ["application/json", "", [400, "malformed_body"]],
    ["application/json", "[]", [422, "invalid_body"]],
    ["application/json", "null", [422, "invalid_body"]],
    ["application/json", '{"html": 1}', [422, "invalid_body"]],
  ])("of type %s with content %j are rejected", async (type, text, expected) => {
    const { send } = await open();
    const answer = await send("PUT", "/api/pages/one", { body: text, headers: { "Content-Type": type } });
    expect([answer.status, answer.body.code]).toEqual(expected);
  });

  it("are rejected without a content type", async () => {
    const { send } = await open();
    const { status } = await send("PUT", "/api/pages/one", { body: new Uint8Array([123, 125]) });
    expect(status).toBe(415);
  });

  it("are rejected if a form is malformed", async () => {
    const { send } = await open();
    const { status, body } = await send("POST", "/api/library", {
      body: "no form",
      headers: { "Content-Type": "multipart/form-data; boundary=x" },
    });
    expect([status, body.code]).toEqual([400, "malformed_body"]);
  });

  it("get a problem with a pointer to each invalid field", async () => {
    const { send } = await open();
    const { body } = await send("POST", "/api/brand-kits", {
      json: { name: "", colors: [{ role: "a", hex: "red" }], "a/b": 1 },
    });
    const pointers = Array.isArray(body.errors) ? body.errors.map(({ pointer }: { pointer: string }) => pointer) : [];
    expect(pointers).toEqual(["/body/name", "/body/colors/0/hex"]);
  });

  it("may have unknown fields, which the request log lists as warnings", async () => {
    const { service, send } = await open();
    await send("PUT", "/api/pages/one", { json: { html: "<p>1</p>", colour: "red" } });
    expect(service.requests().at(-1)?.warnings).toEqual(['The body has an unknown field "colour", which is ignored.']);
  });
});
