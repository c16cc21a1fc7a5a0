import { brotliCompressSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { clientOf, openService, visit } from "../open-service.ts";
import { BROWSER } from "./beacon.ts";
import { publishPage } from "./visiting.ts";

function open() {
  const service = openService();
  return { service, b: clientOf(service, { routeSet: "b" }) };
}

describe("the script", () => {
  it("is at most 1 KiB, may be kept for an hour, and is JavaScript", async () => {
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
  ])("stands at the end of the body of %j", async (html, rest) => {
    const { service } = open();
    const id = await publishPage(service, "one", html);
    const served = await (await visit(service, "/p/one", { headers: BROWSER })).text();
    const element = `<script src="/_i.js" defer data-p="${id}" data-v="1"></script>`;
    expect(served).toBe(`${html.slice(0, html.length - rest.length)}${element}${rest}`);
  });

  it.each([
    ["a program", { Accept: "*/*" }],
    ["a program that wants HTML", { Accept: "text/html" }],
    ["somebody who does not want to be counted", { ...BROWSER, "Sec-GPC": "1" }],
    ["somebody who is not to be tracked", { ...BROWSER, DNT: "1" }],
  ])("is not put into the page for %s", async (_who, headers) => {
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
  ])("is put into a page with the policy %s: %s", async (policy, isThere) => {
    const { service } = open();
    await publishPage(service, "one", `<meta http-equiv="Content-Security-Policy" content="${policy}"><p>1</p>`);
    const text = await (await visit(service, "/p/one", { headers: BROWSER })).text();
    expect(text.includes("/_i.js")).toBe(isThere);
  });

  it("stays out of a page whose addresses all lead to another host", async () => {
    const { service } = open();
    await publishPage(service, "one", `<base href="https://example.org/"><p>1</p>`);
    expect(await (await visit(service, "/p/one", { headers: BROWSER })).text()).not.toContain("/_i.js");
  });

  it("leaves what the API answers as it was sent, and makes another entity tag", async () => {
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
