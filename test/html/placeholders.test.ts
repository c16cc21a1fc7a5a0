import fc from "fast-check";
import { parse } from "parse5";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../src/base/hash.ts";
import { extendPolicy } from "../../src/html/csp.ts";
import { fillPlaceholders, policyHash, renderTextHashPlaceholder } from "../../src/html/fill-placeholders.ts";
import { textDataAddress, renderOriginsPlaceholder, renderPlaceholder } from "../../src/html/placeholders.ts";
import { findCssAddresses } from "../../src/html/css-addresses.ts";
import { findSrcsetAddresses } from "../../src/html/address-texts.ts";

const HASH = sha256("picture");
const OTHER = sha256("other");

/** Possible addresses of a service, with every character that is special in HTML, CSS, JSON, or scripts. */
const addresses = fc
  .array(fc.constantFrom(..."aZ9/.-_~,;:@&=?#+$!*'()[]{}|\\\"<>` %2F&amp;&copy\u00e9"), { maxLength: 30 })
  .map((characters) => `https://library.example/${characters.join("")}`);

describe("fillPlaceholders", () => {
  it("doesn't change a text without placeholders", () => {
    expect(fillPlaceholders("imprint-asset: imprint-asset:12 <p>", () => "never")).toBe(
      "imprint-asset: imprint-asset:12 <p>",
    );
  });

  it("requests every asset, however often its placeholder is encoded", () => {
    const text = `${renderPlaceholder(OTHER)} ${renderPlaceholder(HASH)} imprint-asset%253A${OTHER}`;
    expect(fillPlaceholders(text, (hash) => (hash === HASH ? "first" : "second"))).toBe("second first second");
  });

  it("passes on an error of the caller", () => {
    expect(() =>
      fillPlaceholders(renderPlaceholder(HASH), () => {
        throw new Error("no address");
      }),
    ).toThrow("no address");
  });

  it("inserts an equivalent address into an attribute, CSS, JSON, a srcset, and a data: address", () => {
    fc.assert(
      fc.property(addresses, (address) => {
        const wanted = new URL(fillPlaceholders(renderPlaceholder(HASH), () => address)).href;
        const fill = (text: string) => fillPlaceholders(text, () => address);

        const [element] = parse(fill(`<!doctype html><img src="${renderPlaceholder(HASH)}">`)).childNodes.slice(-1);
        expect(JSON.stringify(sourceOf(element))).toBe(JSON.stringify(wanted));

        const css = findCssAddresses(fill(`a{background:url(${renderPlaceholder(HASH)})}`));
        expect(css.map((found) => new URL(found.address).href)).toEqual([wanted]);

        const data: unknown = JSON.parse(fill(`{"a":"${renderPlaceholder(HASH)}"}`));
        expect(data).toEqual({ a: expect.any(String) });

        const candidates = findSrcsetAddresses(fill(`${renderPlaceholder(HASH)}, ${renderPlaceholder(OTHER)} 2x`));
        expect(candidates.map((found) => new URL(found.address).href)).toEqual([wanted, wanted]);

        const script = fill(textDataAddress("text/javascript", `const a="${renderPlaceholder(HASH)}"`));
        const text = decodeURIComponent(script.slice(script.indexOf(",") + 1));
        expect(new URL(/"(.*)"/.exec(text)?.[1] ?? "").href).toBe(wanted);
      }),
    );
  });

  it("encodes an address as often as the surrounding text", () => {
    const once = textDataAddress("text/javascript", `a="${renderPlaceholder(HASH)}"`);
    const twice = textDataAddress("text/javascript", `b="${once}"`);
    const filled = fillPlaceholders(twice, () => "https://library.example/a%20b#c");
    const inner = decodeURIComponent(filled.slice(filled.indexOf(",") + 1));
    expect(decodeURIComponent(inner)).toContain('a="https://library.example/a%20b#c"');
  });

  it("keeps an address with an IPv6 host intact", () => {
    expect(fillPlaceholders(renderPlaceholder(HASH), () => "http://[::1]:4401/x?a=1&b=2")).toBe(
      "http://[::1]:4401/x?a=1&b=2",
    );
  });

  it("hashes inline scripts for the policy after filling them, and skips look-alikes", () => {
    const script = `import "${renderPlaceholder(HASH)}"`;
    const policy = extendPolicy(
      "script-src 'self'; img-src 'none'",
      new Map([
        ["script-src", [`'${renderTextHashPlaceholder({ html: script })}'`]],
        ["img-src", [renderOriginsPlaceholder([HASH, OTHER])]],
      ]),
    );
    const html = `<meta content="${policy}"><!-- <script> --><p title="<script>"><script data-a=">">${script}</script>`;
    const filled = fillPlaceholders(html, (hash) => (hash === HASH ? "https://library.example/a.js" : "/own.js"));
    expect(filled).toContain(`script-src 'self' '${policyHash({ html: 'import "https://library.example/a.js"' })}'`);
    expect(filled).toContain("img-src https://library.example 'self'");
  });
});

function sourceOf(node: unknown): string {
  const html = JSON.stringify(node, (key, value: unknown) => (key === "parentNode" ? undefined : value));
  const [, value = ""] = /"name":"src","value":("(?:[^"\\]|\\.)*")/.exec(html) ?? [];
  const source: unknown = JSON.parse(value);
  return new URL(String(source)).href;
}
