import { brotliCompressSync, crc32, deflateSync, gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { problemSchema } from "../../src/contract/problems.ts";
import { clientOf, fileForm, openRunningService, openService, type Answer } from "./open-service.ts";

const MEBIBYTE = 1024 * 1024;

function expectProblem({ status, body }: Answer, expected: readonly [number, string]): void {
  expect(problemSchema.parse(body).status).toBe(status);
  expect([status, body["code"]]).toEqual(expected);
}

/** A multipart body with these parts. */
function formOf(parts: readonly (readonly [disposition: string, content: string])[]) {
  const sent = parts.map(
    ([disposition, content]) => `--x\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`,
  );
  return { body: `${sent.join("")}--x--\r\n`, headers: { "Content-Type": "multipart/form-data; boundary=x" } };
}

describe("a JSON body", () => {
  it.each([
    ["100,000 brackets", "[".repeat(100_000), [400, "malformed_body"]],
    ["100,000 closed brackets", "[".repeat(100_000) + "]".repeat(100_000), [422, "invalid_body"]],
    [
      "100,000 nested objects in a field",
      `{"html":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`,
      [422, "invalid_body"],
    ],
    ["a million zeros", `{"html":"<p>","title":1${"0".repeat(1_000_000)}}`, [422, "invalid_body"]],
    ["a `__proto__` field", '{"__proto__":{"html":"<p>","title":"x"}}', [422, "invalid_body"]],
    ["a constructor", '{"html":{"constructor":{"prototype":{"x":1}}}}', [422, "invalid_body"]],
  ] as const)("with %s is rejected", async (_, body, expected) => {
    const send = clientOf(openService(), { routeSet: "a" });
    const headers = { "Content-Type": "application/json" };
    expectProblem(await send("PUT", "/api/pages/one", { body, headers }), expected);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it("with 100,000 brackets in an unknown field is accepted", async () => {
    const service = openService();
    const body = `{"html":"<p>","x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    const headers = { "Content-Type": "application/json", "Idempotency-Key": "k" };
    const send = clientOf(service, { routeSet: "a" });
    expect((await send("PUT", "/api/pages/one", { body, headers })).status).toBe(201);
    expect((await send("POST", "/api/sites", { body: body.replace("{", '{"name":"Site",'), headers })).status).toBe(
      201,
    );
  });

  it("with 10,000 unknown fields, or one with a 1 MB name, produces a short warning", async () => {
    const service = openService();
    const send = clientOf(service, { routeSet: "a" });
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`field-${index}`, 1]));
    await send("PUT", "/api/pages/one", { json: { html: "<p>", ...many } });
    await send("PUT", "/api/pages/one", { json: { html: "<p>", ["x".repeat(MEBIBYTE)]: 1 } });
    const [first, second] = service.requests().map(({ warnings }) => warnings);
    expect(first).toHaveLength(11);
    expect(first?.at(-1)).toBe("The body has 9990 more unknown fields, all ignored.");
    expect(JSON.stringify(second).length).toBeLessThan(300);
  });
});

describe("a compressed body", () => {
  const page = JSON.stringify({ html: `<p>${"x".repeat(MEBIBYTE)}` });

  it.each([
    ["gzip", gzipSync(page)],
    ["br", brotliCompressSync(page)],
    ["deflate", deflateSync(page)],
    ["gzip, gzip", gzipSync(gzipSync(page))],
    ["unheard-of", Buffer.from("{}")],
  ])("with encoding %s is rejected without being decompressed", async (encoding, body) => {
    const send = clientOf(openService(), { routeSet: "a" });
    const headers = { "Content-Type": "application/json", "Content-Encoding": encoding };
    const answer = await send("PUT", "/api/pages/one", { body, headers });
    expectProblem(answer, [415, "unsupported_media_type"]);
    expect(answer.headers.get("Accept-Encoding")).toBe("identity");
  });

  it("with encoding identity is accepted", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    const headers = { "Content-Type": "application/json", "Content-Encoding": "identity" };
    expect((await send("PUT", "/api/pages/one", { body: page, headers })).status).toBe(201);
  });
});

describe("a form", () => {
  it.each([
    ["parts", 'name="x"'],
    ["tags", 'name="tags"'],
    ["files", 'name="file"; filename="a.txt"'],
    ["parts without a name", "x"],
  ])("with 10,000 %s is rejected", async (_, disposition) => {
    const send = clientOf(openService(), { routeSet: "a" });
    const form = formOf(Array.from({ length: 10_000 }, () => [disposition, "a"] as const));
    expectProblem(await send("POST", "/api/library", form), [413, "body_too_large"]);
  });

  it("can't pollute the prototype of the parsed object", async () => {
    const send = clientOf(openService(), { routeSet: "a" });
    const form = formOf([
      ['name="__proto__"; filename="a.txt"', "a"],
      ['name="constructor"', "a"],
      ['name="file"; filename="a.txt"', "a note"],
    ]);
    const { status, body } = await send("POST", "/api/library", form);
    expect([status, body["name"]]).toEqual([201, "a.txt"]);
  });

  it("submitted to a published page with thousands of fields is rejected", async () => {
    const service = openService();
    await clientOf(service, { routeSet: "a" })("PUT", "/api/pages/one", {
      json: { html: '<form method="post"><input name="a"></form>' },
    });
    const fields = Array.from({ length: 5000 }, (_, index) => `a${index}=1`).join("&");
    const answer = await service.fetch(
      new Request(`${service.pagesUrl}/p/one`, {
        ...{ method: "POST", body: fields },
        headers: { "Content-Type": "application/x-www-form-urlencoded", Accept: "application/json" },
      }),
    );
    expect(answer.status).toBe(422);
  });
});

describe("an image", () => {
  it.each([16_000, 30_000])("of %i pixels per side in a few kilobytes is rejected", async (side) => {
    const bytes = bomb(side);
    expect(bytes.length).toBeLessThan(2 * MEBIBYTE);
    const send = clientOf(openService(), { routeSet: "a" });
    const answer = await send("POST", "/api/library", { form: fileForm(["bomb.png", bytes]) });
    expectProblem(answer, [422, "image_too_many_pixels"]);
  });

  it("whose declared size overflows a number is rejected", async () => {
    const bytes = new Uint8Array(bomb(10));
    bytes.set([0x7f, 0xff, 0xff, 0xff, 0x7f, 0xff, 0xff, 0xff], 16);
    const send = clientOf(openService(), { routeSet: "a" });
    const answer = await send("POST", "/api/library", { form: fileForm(["bomb.png", bytes]) });
    expect([answer.status, String(answer.body["code"])]).toEqual([422, expect.stringMatching(/^image_/)]);
  });

  it("over the limit in an upload of several leaves nothing behind", async () => {
    const send = clientOf(openService(), { routeSet: "b" });
    const form = fileForm(["a.png", bomb(10)], ["bomb.png", bomb(16_000)]);
    expectProblem(await send("POST", "/api/assets/upload", { form }), [422, "image_too_many_pixels"]);
    expect((await send("GET", "/api/assets")).items).toEqual([]);
  });
});

describe("a page", () => {
  it.each([
    ["500,000 unclosed elements", "<div>".repeat(500_000)],
    ["500,000 unclosed links", "<a>".repeat(500_000)],
    ["100,000 unclosed fonts in tables", "<table><font>".repeat(100_000)],
    ["100,000 forms", "<form method=post><input name=a></form>".repeat(100_000)],
    ["a 4 MB attribute", `<p title="${"x".repeat(4 * MEBIBYTE)}">`],
    ["400,000 attributes", `<p ${Array.from({ length: 400_000 }, (_, index) => `a${index}`).join(" ")}>`],
  ])("with %s is accepted or rejected without crashing the service", async (_, html) => {
    const send = clientOf(openService(), { routeSet: "a" });
    const { status } = await send("PUT", "/api/pages/one", { json: { html } });
    expect([201, 413, 422]).toContain(status);
    expect((await send("GET", "/api/pages")).status).toBe(200);
  });
});

describe("a request", () => {
  it("with huge headers is rejected, and the next one succeeds", async () => {
    const service = await openRunningService();
    const headers = { Authorization: `Bearer ${service.apiKey}`, "X-Huge": "x".repeat(100_000) };
    const huge = await fetch(`${service.baseUrl("a")}/api/pages`, { headers });
    expect(huge.status).toBe(431);
    const many = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`x-${index}`, "1"]));
    expect((await fetch(`${service.baseUrl("a")}/api/pages`, { headers: many })).status).toBe(431);
    expect((await clientOf(service, { routeSet: "a", transport: "over HTTP" })("GET", "/api/pages")).status).toBe(200);
  });

  it.each(["/".repeat(10_000), "/api/pages/" + "a".repeat(10_000), "/api/pages?q=" + "%25".repeat(3000)])(
    "with a long address gets a response",
    async (path) => {
      const send = clientOf(openService(), { routeSet: "a" });
      expect((await send("GET", path)).status).toBeLessThan(500);
    },
  );
});

/** A PNG of black pixels, one bit per pixel. */
function bomb(side: number): Uint8Array<ArrayBuffer> {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(side, 0);
  size.writeUInt32BE(side, 4);
  const rows = deflateSync(Buffer.alloc((Math.ceil(side / 8) + 1) * side));
  const header = Buffer.concat([size, Buffer.from([1, 0, 0, 0, 0])]);
  const chunks = [chunk("IHDR", header), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))];
  return new Uint8Array(Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]), ...chunks]));
}

function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(content), 4);
  return Buffer.concat([ends.subarray(0, 4), content, ends.subarray(4)]);
}
