import { describe, expect, it } from "vitest";
import { sha256 } from "../../src/base/hash.ts";
import { createInserts, encodeHtml, hashHtml, renderHtml, sizeOfHtml } from "../../src/html/page-html.ts";
import { renderMarker, sealMarker, setMarker, UNSET_MARKER } from "../../src/html/marker.ts";
import { fillHtml, policyHash, renderTextHashPlaceholder } from "../../src/html/fill-placeholders.ts";
import { renderPlaceholder } from "../../src/html/placeholders.ts";

const FONT = Buffer.from(Array.from({ length: 10_001 }, (_, index) => index % 251));
const MODULE = `export const image = "${renderPlaceholder("a".repeat(64))}";${"// 文章\n".repeat(1000)}`;

function open() {
  const inserts = createInserts();
  let reads = 0;
  const read = () => {
    reads += 1;
    return FONT;
  };
  const font = inserts.addBase64(sha256(FONT), { bytes: FONT.length, read });
  const script = inserts.addText(MODULE);
  const page = (html: string) => ({ html, findInsert: inserts.find });
  return { inserts, font, script, page, reads: () => reads };
}

describe("HTML with deferred inserts", () => {
  const { font, script, page, reads } = open();
  const html = page(`<p>é ${font} and ${font}<script>${script}</script>`);
  const whole = `<p>é ${FONT.toString("base64")} and ${FONT.toString("base64")}<script>${MODULE}</script>`;

  it("is hashed, measured, and sent with their content", () => {
    expect(html.html.length).toBeLessThan(400);
    expect(sizeOfHtml(html)).toBe(Buffer.byteLength(whole));
    expect(reads()).toBe(0);
    expect(hashHtml(html)).toBe(sha256(whole));
    expect(renderHtml(html)).toBe(whole);
    expect(encodeHtml(html).equals(Buffer.from(whole))).toBe(true);
    expect(reads()).toBe(1);
  });

  it("keeps text that only looks like one, and doesn't defer short texts", () => {
    const strange = page(`imprint-insert:${"0".repeat(64)} imprint-insert:12`);
    expect([renderHtml(strange), hashHtml(strange)]).toEqual([strange.html, sha256(strange.html)]);
    expect(open().inserts.addText("short")).toBe("short");
  });

  it("reads content again that is too large to keep", () => {
    const inserts = createInserts();
    const reads = Array.from({ length: 3 }, () => 0);
    const large = Buffer.alloc(6 * 1024 * 1024);
    const fonts = reads.map((_, number) => {
      const read = () => {
        reads[number] = (reads[number] ?? 0) + 1;
        return large;
      };
      return inserts.addBase64(sha256(String(number)), { bytes: large.length, read });
    });
    for (const text of [...fonts, ...fonts]) hashHtml({ html: text, findInsert: inserts.find });
    expect(reads).toEqual([2, 2, 2]);
    hashHtml({ html: fonts[2] ?? "", findInsert: inserts.find });
    expect(reads).toEqual([2, 2, 2]);
  });

  it("gets addresses in its inserts, and policies get the hashes of complete scripts and styles", () => {
    const text = page(script);
    const address = "https://library.example/a.webp";
    const filledModule = MODULE.replace(renderPlaceholder("a".repeat(64)), address);
    const policy = `<meta content="script-src '${renderTextHashPlaceholder(text)}' '${policyHash(page(font))}'">`;
    const filled = fillHtml(page(`${policy}<script>${script}</script><style>${font}</style>`), () => address);
    expect(filled.html).not.toContain(address);
    expect(renderHtml(filled)).toBe(
      `<meta content="script-src '${policyHash({ html: filledModule })}' '${policyHash({ html: FONT.toString("base64") })}'">` +
        `<script>${filledModule}</script><style>${FONT.toString("base64")}</style>`,
    );
  });

  it("gets its marker and its hash from the complete content", () => {
    const { hash, ...marked } = setMarker(page(`<head>${UNSET_MARKER}</head>${font}`));
    expect(hash).toBe(sha256(`<head></head>${FONT.toString("base64")}`));
    const sealed = renderHtml(sealMarker(marked, { project: "project1", slug: "über uns" }));
    expect(sealed).toBe(
      `<head>${renderMarker(`${hash} ${hash} project1 %C3%BCber%20uns`)}</head>${FONT.toString("base64")}`,
    );
  });
});
