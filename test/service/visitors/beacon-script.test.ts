import { brotliCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { clientOf, openService, visit } from "../open-service.ts";
import { BROWSER } from "./beacon.ts";
import { publishPage } from "./visiting.ts";

function open() {
  const service = openService();
  return { service, b: clientOf(service, { routeSet: "b" }) };
}

describe("the beacon script", () => {
  it("is at most 1 KiB, can be cached for an hour, and is JavaScript", async () => {
    const { service } = open();
    const answer = await visit(service, "/_i.js");
    const text = await answer.text();
    expect(brotliCompressSync(text).length).toBeLessThanOrEqual(1024);
    expect(answer.headers.get("Content-Type")).toBe("text/javascript; charset=utf-8");
    expect(() => new Function(text)).not.toThrow();
    const etag = answer.headers.get("ETag") ?? "";
    expect((await visit(service, "/_i.js", { headers: { "If-None-Match": etag } })).status).toBe(304);
  });

  it.each([
    ["<html><body><p>1</p></body></html>\n", "</body></html>\n"],
    ["<body><p>1</p></BODY >", "</BODY >"],
    ["<p>1</p></body><!-- built --></html>", "</body><!-- built --></html>"],
    ["<p>1</p>", ""],
    ["<script>'</body>'</script><p>1</p>", ""],
    ["<p>ß – 日本</p></body>", "</body>"],
  ])("is placed at the end of the body of %j", async (html, rest) => {
    const { service } = open();
    const id = await publishPage(service, "one", html);
    const served = await (await visit(service, "/p/one", { headers: BROWSER })).text();
    const element = `<script src="/_i.js" defer data-p="${id}" data-v="1"></script>`;
    expect(served).toBe(`${html.slice(0, html.length - rest.length)}${element}${rest}`);
  });

  it.each([
    ["an API client", { Accept: "*/*" }],
    ["a client that requests HTML", { Accept: "text/html" }],
    ["a visitor with Global Privacy Control", { ...BROWSER, "Sec-GPC": "1" }],
    ["a visitor with Do Not Track", { ...BROWSER, DNT: "1" }],
  ])("isn't added to the page for %s", async (_who, headers) => {
    const { service } = open();
    await publishPage(service, "one", "<p>1</p>");
    const answer = await visit(service, "/p/one", { headers });
    expect(await answer.text()).toBe("<p>1</p>");
    expect(answer.headers.get("Vary")).toBe("Accept, Sec-GPC, DNT");
  });

  it.each([
    ["script-src 'self'", true],
    ["default-src 'self'; script-src 'self' 'sha256-abc='", true],
    ["default-src 'none'; script-src 'self'; connect-src 'self'", true],
    ["default-src 'none'; script-src 'self'", false],
    ["script-src 'sha256-abc='", false],
    ["script-src 'self' 'strict-dynamic' 'nonce-a'", false],
    ["connect-src 'none'", false],
    ["img-src 'none'", true],
    ["script-src *; connect-src *", true],
  ])("is added to a page with the policy %s: %s", async (policy, isThere) => {
    const { service } = open();
    await publishPage(service, "one", `<meta http-equiv="Content-Security-Policy" content="${policy}"><p>1</p>`);
    const text = await (await visit(service, "/p/one", { headers: BROWSER })).text();
    expect(text.includes("/_i.js")).toBe(isThere);
  });

  it("isn't added to a page with a base address on another host", async () => {
    const { service } = open();
    await publishPage(service, "one", `<base href="https://example.org/"><p>1</p>`);
    expect(await (await visit(service, "/p/one", { headers: BROWSER })).text()).not.toContain("/_i.js");
  });

  it("isn't part of API responses, and changes the page's ETag", async () => {
    const { service, b } = open();
    await publishPage(service, "one", "<p>1</p>");
    expect((await b("GET", "/api/pages/one/raw")).text).toBe("<p>1</p>");
    const [plain, counted] = [await visit(service, "/p/one"), await visit(service, "/p/one", { headers: BROWSER })];
    expect(plain.headers.get("ETag")).not.toBe(counted.headers.get("ETag"));
    const again = await visit(service, "/p/one", {
      headers: { ...BROWSER, "If-None-Match": counted.headers.get("ETag") ?? "" },
    });
    expect(again.status).toBe(304);
  });
});
