import { describe, expect, it } from "vitest";
import { sha256 } from "../../../src/base/hash.ts";
import { cleanSvg } from "../../../src/service/visitors/clean-svg.ts";
import { clientOf, fileForm, openService, visit } from "../open-service.ts";
import { ATTACKS, LINKS } from "./svg-attacks.ts";

const HOST = "http://127.0.0.1:4401";
const HEAD = 'xmlns="http://www.w3.org/2000/svg"';

async function clean(svg: string): Promise<string> {
  const cleaned = await cleanSvg(new TextEncoder().encode(svg), HOST);
  return cleaned.kind === "cleaned" ? cleaned.svg : cleaned.kind;
}

describe("a drawing", () => {
  it.each(Object.entries({ ...ATTACKS, ...LINKS }))("contains nothing that runs or loads: %s", async (_, svg) => {
    const cleaned = await clean(svg);
    expect(cleaned).not.toBe("clean");
    expect(cleaned).not.toMatch(/alert|script|elsewhere|<foreignObject|stylesheet/i);
  });

  it.each([
    ["paths and shapes", `<svg ${HEAD}><path d="M0 0h9"/><g fill="url(#g)"><circle r="3"/></g></svg>`],
    ["styles", `<svg ${HEAD}><style>.a{fill:url(#g)} @media (prefers-color-scheme:dark){.a{fill:#fff}}</style></svg>`],
    ["pictures inside", `<svg ${HEAD}><image href="data:image/png;base64,iVBORw0="/></svg>`],
    [
      "fonts inside",
      `<svg ${HEAD}><style>@font-face{font-family:f;src:url("data:font/woff2;base64,AA")}</style></svg>`,
    ],
    ["references to its own parts and host", `<svg ${HEAD}><use href="#a"/><use href="icons.svg#b"/></svg>`],
    ["links", `<svg ${HEAD}><a href="https://example.org/"><text>x</text></a><a href="/p/about"/></svg>`],
    ["animations", `<svg ${HEAD}><circle><animate attributeName="r" values="1;9" dur="1s"/></circle></svg>`],
    ["a document type", `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "svg11.dtd"><svg ${HEAD}/>`],
    [
      "entities",
      `<!DOCTYPE svg [<!ENTITY s "http://www.w3.org/2000/svg"> <!ENTITY c "#f00">]><svg xmlns="&s;" fill="&c;"/>`,
    ],
    ["data of an editor", `<?xpacket x?><svg ${HEAD} xmlns:i="urn:i"><i:view i:zoom="1"/><metadata>x</metadata></svg>`],
    ["comments", `<!-- <script> --><svg ${HEAD}><!-- onload="x" --><title>a &amp; b</title></svg>`],
  ])("with %s stays byte for byte the same", async (_, svg) => {
    expect(await clean(svg)).toBe("clean");
  });

  it("keeps its visible parts if something is removed", async () => {
    const svg = `<!DOCTYPE svg [<!ENTITY c "#f00">]><svg ${HEAD} onload="x()">
<!-- made by hand --><style><![CDATA[.a > .b {fill: red}]]></style><text xml:space="preserve"> a &lt; b  &amp;&#160;c </text>
<rect fill="&c;" class="a&quot;b"/></svg>`;
    expect(await clean(svg)).toBe(`<svg ${HEAD}>
<style>.a &#62; .b {fill: red}</style><text xml:space="preserve"> a &#60; b  &#38;\u00a0c </text>
<rect fill="#f00" class="a&#34;b"></rect></svg>`);
  });

  it("is parsed in chunks, however large or deep it is", async () => {
    const path = `<path d="${"M0 0L10 10".repeat(20_000)}"/>`;
    const svg = `<svg ${HEAD}>${path}${"<g>".repeat(50_000)}<script/>${"</g>".repeat(50_000)}</svg>`;
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const cleaned = await clean(svg);
    clearInterval(timer);
    expect([cleaned.includes(path.slice(0, -2)), cleaned.includes("script")]).toEqual([true, false]);
    expect(turns).toBeGreaterThan(3);
  });
});

describe("a drawing in the library", () => {
  async function upload(svg: string) {
    const service = openService();
    const { body } = await clientOf(service, { routeSet: "a" })("POST", "/api/library", {
      form: fileForm(["logo.svg", svg]),
    });
    const { pathname } = new URL(String(body["url"]));
    return { body, get: (init?: RequestInit) => visit(service, pathname, init) };
  }

  it("keeps its bytes and their hash, and is served without scripts", async () => {
    const svg = `<svg ${HEAD} onload="alert(1)"><script>alert(2)</script><rect width="9"/></svg>`;
    const { body, get } = await upload(svg);
    expect(body["hash"]).toBe(sha256(svg));
    const shown = await get();
    const text = await shown.text();
    expect(text).toBe(`<svg ${HEAD}><rect width="9"></rect></svg>`);
    expect(Object.fromEntries(shown.headers)).toMatchObject({
      "content-type": "image/svg+xml; charset=utf-8",
      "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      "x-content-type-options": "nosniff",
      "content-length": String(text.length),
      etag: `"${sha256(text)}"`,
      "cache-control": "no-cache",
    });
    expect((await get({ headers: { "If-None-Match": `"${sha256(text)}"` } })).status).toBe(304);
    const head = await get({ method: "HEAD" });
    expect([head.headers.get("Content-Length"), await head.text()]).toEqual([String(text.length), ""]);
    // A range of the stored bytes would be from a different drawing.
    expect((await get({ headers: { Range: "bytes=0-10" } })).status).toBe(200);
  });

  it("is served unchanged and cached indefinitely if nothing in it runs", async () => {
    const svg = `<svg ${HEAD}><rect width="9"/></svg>`;
    const shown = await (await upload(svg)).get();
    expect([await shown.text(), shown.headers.get("ETag")]).toEqual([svg, `"${sha256(svg)}"`]);
    expect(shown.headers.get("Cache-Control")).toContain("immutable");
  });

  it("that isn't well-formed XML is downloaded when its address is opened", async () => {
    const svg = `<svg ${HEAD}><script>alert(1)</script><g>`;
    const shown = await (await upload(svg)).get();
    expect([await shown.text(), shown.headers.get("Content-Disposition")]).toEqual([svg, "attachment"]);
  });
});
