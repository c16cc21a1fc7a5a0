import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { allowsInline, extendPolicy } from "../../src/html/csp.ts";
import { bytesDataAddress, textDataAddress } from "../../src/html/placeholders.ts";
import { applyEdits } from "../../src/html/edits.ts";
import { findBestFontSource, findFontFaces } from "../../src/html/font-faces.ts";
import {
  replaceJsonStrings,
  parseMetaRefresh,
  findSrcsetAddresses,
  replaceMarkup,
  replaceSrcset,
} from "../../src/html/address-texts.ts";

describe("applyEdits", () => {
  it("changes only the given places", () => {
    const edits = [
      { start: 4, end: 5, text: "E" },
      { start: 0, end: 0, text: "<" },
      { start: 0, end: 2, text: "AB" },
      { start: 0, end: 0, text: ">" },
      { start: 6, end: 6, text: "!" },
    ];
    expect(applyEdits("abcdef", edits)).toBe("<>ABcdEf!");
  });

  it("applies the first of two edits at one place, and drops one inside a replaced place", () => {
    const edits = [
      { start: 1, end: 4, text: "-" },
      { start: 1, end: 4, text: "+" },
      { start: 2, end: 3, text: "x" },
    ];
    expect(applyEdits("abcdef", edits)).toBe("a-ef");
  });
});

describe("findSrcsetAddresses", () => {
  it.each([
    ["", []],
    [" , ,", []],
    ["a.png", ["a.png"]],
    ["a.png, b.png 2x", ["a.png", "b.png"]],
    ["a.png,b.png 2x", ["a.png,b.png"]],
    ["a.png 1x,b.png 2x", ["a.png", "b.png"]],
    ["a,b.png 480w , c.png 960w", ["a,b.png", "c.png"]],
    ["data:image/png;base64,AA== 1x, b.png", ["data:image/png;base64,AA==", "b.png"]],
    ["a.png,, b.png", ["a.png", "b.png"]],
    ["a.png (1, 2) 1x, b.png", ["a.png", "b.png"]],
  ])("%s", (srcset, expected) => {
    expect(findSrcsetAddresses(srcset).map(({ address }) => address)).toEqual(expected);
  });

  it("terminates for every text, with places inside it", () => {
    fc.assert(
      fc.property(fc.string(), (srcset) => {
        for (const { address, start, end } of findSrcsetAddresses(srcset))
          expect(srcset.slice(start, end)).toBe(address);
      }),
    );
  });
});

describe("replaceSrcset", () => {
  it.each([
    ["/a.png 300w, /b.png 600w", "</a.png> 300w, </b.png> 600w"],
    ["/a.png, https://example.com/b.png 2x", "</a.png>, <https://example.com/b.png> 2x"],
    ["\n  /a.png 1.5x,\n  /b,c.png 600w 400h,\n", "\n  </a.png> 1.5x,\n  </b,c.png> 600w 400h,\n"],
    ["/a.png 2x", "</a.png> 2x"],
    ["/a.png", undefined],
    ["/a.png, /b.png", undefined],
    ["/a.png is shown 2x", undefined],
    ["/a.png, or 2x", undefined],
    ["a.png 2x", undefined],
  ])("%j", (text, expected) => {
    expect(replaceSrcset(text, (address) => `<${address}>`)).toBe(expected);
  });
});

describe("replaceMarkup", () => {
  it.each([
    [`<img src="/a.png" alt="/b.png">`, `<img src="[/a.png]" alt="/b.png">`],
    [`a <a href='/b/?c=1&amp;d'>b</a><img src=/a.png>`, `a <a href='[/b/?c=1&amp;d]'>b</a><img src=[/a.png]>`],
    [
      `<img data-src="/a b.png" srcset="/a.png 1x, /b.png 2x">`,
      `<img data-src="[/a b.png]" srcset="[/a.png] 1x, [/b.png] 2x">`,
    ],
    [
      `<p style="background: url(/a.png), url(&quot;/b.png&quot;)">`,
      `<p style="background: url([/a.png]), url(&quot;[/b.png]&quot;)">`,
    ],
    [`<img src="a.png">`, undefined],
    [`see src="/a.png" and 1 < 2`, undefined],
    [`<p>/a.png</p>`, undefined],
    [`![x](/a.png "Title") [y](/b.pdf)`, `![x]([/a.png] "Title") [y]([/b.pdf])`],
    [`![x](a.png)`, undefined],
  ])("%s", (text, expected) => {
    expect(replaceMarkup(text, (address) => `[${address}]`)).toBe(expected);
  });
});

describe("font faces", () => {
  it("are found with their ranges, even with a data: address and inside @media", () => {
    const css = `/*@font-face{}*/@media print{@font-face{src:url(data:font/woff2;base64,AA==);unicode-range:U+4??, u+0-FF}}@font-face {font-family:'}';src:url(a)}`;
    const faces = findFontFaces(css);
    expect(faces.map(({ start, end }) => css.slice(start, end))).toEqual([
      "@font-face{src:url(data:font/woff2;base64,AA==);unicode-range:U+4??, u+0-FF}",
      "@font-face {font-family:'}';src:url(a)}",
    ]);
    expect(faces.map(({ ranges }) => ranges)).toEqual([
      [
        [0x400, 0x4ff],
        [0, 0xff],
      ],
      undefined,
    ]);
  });

  it.each([
    ["url(a.ttf),url(a.woff),url(a.woff2)", "a.woff2"],
    ["url(a.eot?#iefix) format('embedded-opentype'), url(a.woff) format('woff')", "a.woff"],
    ["local('A'), url(a.bin) format(woff2)", "a.bin"],
    ["url(a.otf)", "a.otf"],
    ["local('A')", undefined],
  ])("use the best source of %s", (source, expected) => {
    expect(findBestFontSource(source)?.address).toBe(expected);
  });
});

describe("replaceJsonStrings", () => {
  const shout = (value: string) => (value === "a" ? 'A"<' : undefined);

  it("replaces values but not keys, and reports the key", () => {
    const keys: (string | undefined)[] = [];
    const json = '{"a" : "a", "list":["a",1,"b\\"a"]}';
    const replaced = replaceJsonStrings(json, (value, key) => {
      keys.push(key);
      return shout(value);
    });
    expect(replaced).toBe('{"a" : "A\\"\\u003c", "list":["A\\"\\u003c",1,"b\\"a"]}');
    expect(keys).toEqual(["a", "list", "list"]);
  });

  it("leaves every JSON text equal if nothing is replaced", () => {
    fc.assert(
      fc.property(fc.json(), (json) => {
        expect(replaceJsonStrings(json, () => undefined)).toBe(json);
      }),
    );
  });
});

describe("parseMetaRefresh", () => {
  it.each([
    ["0;url=/x", 0, "/x"],
    ["5; URL='/x y'", 5, "/x y"],
    ['0, "/x"', 0, "/x"],
    ["2.5;/x ", 2, "/x"],
    ["300", undefined, undefined],
    ["300;", undefined, undefined],
    ["", undefined, undefined],
  ])("%s", (content, seconds, address) => {
    const refresh = parseMetaRefresh(content);
    expect(refresh?.seconds).toBe(seconds);
    expect(refresh?.address).toBe(address);
    if (refresh !== undefined) expect(refresh.before + refresh.address + refresh.after).toBe(content);
  });
});

describe("data addresses", () => {
  it("return the encoded text as a browser decodes it", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: "binary" }).filter((text) => text.isWellFormed()),
        async (text) => {
          const response = await fetch(textDataAddress("text/javascript", text));
          expect(await response.text()).toBe(text.replace(/^\uFEFF/, ""));
        },
      ),
    );
  });

  it("never end a script element", () => {
    expect(textDataAddress("text/javascript", "'</script>'")).not.toContain("<");
  });

  it("can contain bytes", async () => {
    const response = await fetch(bytesDataAddress("font/woff2", Buffer.from([0, 255, 3])));
    expect([...new Uint8Array(await response.arrayBuffer())]).toEqual([0, 255, 3]);
  });
});

describe("allowsInline", () => {
  // The hashes are those of `a()`, as computed by `openssl dgst`.
  it.each([
    ["img-src 'self'", true],
    ["script-src 'self'", false],
    ["default-src 'self'", false],
    ["script-src 'unsafe-inline'", true],
    ["script-src 'unsafe-inline' 'sha256-other='", false],
    ["script-src 'sha256-qVpDBgj7bpq5hMAcGp3AOc79J3Y1Z4HvySTwKrWDoy4='", true],
    [
      "default-src 'sha512-Xwa43hlStOb2KFTrLGz7HHr5Zn1HK6je8NYoRuicP5OgHy4cnNzS5DZ6zVCKJ6r//YrOF0XJJA4zgS8tZZD4iw=='",
      true,
    ],
    ["script-src 'sha256-qVpDBgj7bpq5hMAcGp3AOc79J3Y1Z4HvySTwKrWDoy4='; script-src-elem 'self'", false],
  ])("of `%s` says whether the script `a()` runs", (policy, expected) => {
    expect(allowsInline(policy, "script-src", "a()")).toBe(expected);
  });
});

describe("extendPolicy", () => {
  const needs = new Map([["img-src", ["data:"]]]);

  it.each([
    ["img-src 'self'", "img-src 'self' data:"],
    ["img-src 'none'", "img-src data:"],
    [
      "default-src 'self' https://a.example; object-src 'none'",
      "default-src 'self' https://a.example; object-src 'none'; img-src 'self' https://a.example data:",
    ],
    ["object-src 'none'", "object-src 'none'"],
    ["IMG-SRC data:  ;;", "IMG-SRC data:  ;;"],
    ["", ""],
  ])("%s", (policy, expected) => {
    expect(extendPolicy(policy, needs)).toBe(expected);
  });

  it("adds nothing the second time", () => {
    const once = extendPolicy("default-src 'self'", needs);
    expect(extendPolicy(once, needs)).toBe(once);
  });

  it("doesn't add hashes to a policy that allows all inline scripts, because they would revoke that", () => {
    const policy = "script-src 'unsafe-inline'";
    expect(extendPolicy(policy, new Map([["script-src", ["'sha256-x'"]]]))).toBe(policy);
  });
});
