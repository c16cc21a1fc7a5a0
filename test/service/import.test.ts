import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { startHost, startSocketHost } from "../client/host.ts";
import { clientOf, openService, type Answer, type Send } from "./open-service.ts";
import type { ServiceOptions } from "../../src/service.ts";

const PNG = await sharp({ create: { width: 4, height: 3, channels: 3, background: "#2a6f97" } })
  .png()
  .toBuffer();

function open(options: ServiceOptions = {}) {
  const service = openService({ allowNetworks: ["127.0.0.0/8"], ...options });
  return { service, send: clientOf(service, { routeSet: "b" }) };
}

function importFrom(send: Send, url: string, fields: object = {}): Promise<Answer> {
  return send("POST", "/api/assets/import", { json: { url, ...fields } });
}

/** A host that serves these bytes. */
function startFileHost(bytes: Uint8Array, head = "HTTP/1.1 200 OK"): Promise<string> {
  return startSocketHost((socket) => {
    socket.write(`${head}\r\nContent-Length: ${bytes.byteLength}\r\nConnection: close\r\n\r\n`);
    socket.end(bytes);
  });
}

describe("importing a file", () => {
  it("adds it to the library under the name in its address", async () => {
    const { service, send } = open();
    const url = `${await startFileHost(PNG)}/photos/a%20b.png?size=large`;
    const first = await importFrom(send, url, { alt: "A sea" });
    expect(first.status).toBe(201);
    expect(first.body).toMatchObject({ name: "a-b.png", contentType: "image/png", width: 4, height: 3, alt: "A sea" });
    const file = await service.fetch(new Request(String(first.body.url)));
    expect(Buffer.from(await file.arrayBuffer()).equals(PNG)).toBe(true);
    const again = await importFrom(send, url);
    expect([again.status, again.body.id]).toEqual([200, first.body.id]);
  });

  it("uses the given name, and follows redirects", async () => {
    const { send } = open();
    const file = await startFileHost(PNG);
    const { baseUrl } = await startHost(() => ({ status: 302, headers: { location: `${file}/x.png` } }));
    expect((await importFrom(send, baseUrl, { name: "sea.png" })).body.name).toBe("sea.png");
  });

  it.each([
    "http://127.0.0.1:1/",
    "http://[::1]/",
    "http://169.254.169.254/latest/meta-data",
    "file:///etc/passwd",
    "https://user:secret@example.org/",
    "nonsense",
    "http://localhost:1/",
  ])("rejects %s", async (url) => {
    const { send } = open({ allowNetworks: [] });
    const { status, body } = await importFrom(send, url);
    expect([status, body.code]).toEqual([422, "import_refused"]);
    expect(body.errors).toEqual([{ pointer: "/body/url", detail: expect.any(String) }]);
  });

  it("rejects a redirect to a private address", async () => {
    const { baseUrl, received } = await startHost(() => ({ status: 302, headers: { location: "http://10.0.0.1/" } }));
    const { send } = open();
    expect((await importFrom(send, baseUrl)).body.code).toBe("import_refused");
    expect(received).toHaveLength(1);
  });

  it.each([
    ["an error", { status: 404, body: "gone" }, "import_failed"],
    ["a page", { headers: { "content-type": "text/html" }, body: "<!doctype html><p>Hello" }, "import_failed"],
    ["too much", { body: "x".repeat(2001) }, "asset_too_large"],
  ] as const)("stores nothing if the response is %s", async (_, answer, code) => {
    const { send } = open({ limits: { maxAssetBytes: 2000 } });
    const { baseUrl } = await startHost(() => answer);
    const { body } = await importFrom(send, `${baseUrl}/file`);
    expect(body.code).toBe(code);
    expect((await send("GET", "/api/assets")).items).toEqual([]);
  });

  it("fails for a file that claims to be an image but isn't", async () => {
    const { send } = open();
    const url = `${await startFileHost(Buffer.from([0, 1, 2, 3]))}/photo.jpg`;
    expect((await importFrom(send, url)).body.code).toBe("import_failed");
  });

  it("from the service's own pages requires their network to be allowed", async () => {
    const closed = open({ allowNetworks: [] });
    expect((await importFrom(closed.send, `${closed.service.pagesUrl}/p/one`)).body.code).toBe("import_refused");
  });

  it("with an idempotency key runs once", async () => {
    const { send } = open();
    const { baseUrl, received } = await startHost(() => ({ body: "text" }));
    const request = { json: { url: `${baseUrl}/a.txt` }, headers: { "Idempotency-Key": "once" } };
    const first = await send("POST", "/api/assets/import", request);
    const again = await send("POST", "/api/assets/import", request);
    expect([first.status, again.status, again.body.id, received.length]).toEqual([201, 201, first.body.id, 1]);
  });
});

it("rejects invalid networks at startup", () => {
  expect(() => openService({ allowNetworks: ["10.0.0.0/99"] })).toThrow(
    expect.objectContaining({ code: "OPTIONS_INVALID" }),
  );
});
