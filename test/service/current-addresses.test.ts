import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { makeBytesCurrent, makeCurrent } from "../../src/service/resources/current-addresses.ts";

const ADDRESSES = { pagesUrl: "https://pages.example.org" };
const PATH = "/library/as_0123456789abcdefghijkl/photo.png";

const ofPage = (text: string) => makeCurrent({ text, kind: "html" }, ADDRESSES);
const ofFile = (text: string) => makeCurrent({ text, kind: "file" }, ADDRESSES);
const hashOf = (text: string) => `sha256-${createHash("sha256").update(text).digest("base64")}`;

describe("a page that was published while the service ran on this machine", () => {
  it.each([
    "http://127.0.0.1:4401",
    "http://localhost:80",
    "http://127.0.0.1",
    "http://[::1]:9",
    "https://localhost:1",
  ])("loads its files from the current address instead of %s", (origin) => {
    expect(ofPage(`<img srcset="${origin}${PATH} 1x, ${origin}${PATH} 2x">`)).toBe(
      `<img srcset="https://pages.example.org${PATH} 1x, https://pages.example.org${PATH} 2x">`,
    );
  });

  it("links to pages and posts at the current address", () => {
    expect(ofPage(`<link rel="canonical" href="http://127.0.0.1:4401/p/about">`)).toBe(
      `<link rel="canonical" href="https://pages.example.org/p/about">`,
    );
    expect(ofPage(`<a href='http://127.0.0.1:4401/blog/news/one#a'>`)).toBe(
      `<a href='https://pages.example.org/blog/news/one#a'>`,
    );
  });

  it.each([
    `<p>Open <code>http://127.0.0.1:4401/p/index</code>.</p>`,
    `<a href="http://127.0.0.1:4401/docs">docs</a>`,
    `<a href="http://localhost:3000/p/about">`,
    `<img src="http://127.0.0.1:4401/library/logo.png">`,
    `<img src="https://cdn.example${PATH}">`,
    `<img src="https://pages.example.org${PATH}">`,
    `<img src="${PATH}">`,
  ])("keeps other addresses: %s", (html) => {
    expect(ofPage(html)).toBe(html);
  });

  it("has a policy that allows the current address and the changed inline scripts and styles", () => {
    const style = (origin: string) => `h1{background:url(${origin}${PATH})}`;
    const page = (origin: string) =>
      `<meta http-equiv="Content-Security-Policy" content="img-src ${origin} http://127.0.0.1:9; style-src '${hashOf(style(origin))}' 'sha256-kept'"><style>${style(origin)}</style>`;
    expect(ofPage(page("http://127.0.0.1:4401"))).toBe(page("https://pages.example.org"));
  });

  it("loads files from the library's host when it's on a custom domain", () => {
    const addresses = { pagesUrl: "https://halden.example", libraryUrl: "https://pages.example.org" };
    const text = `<img src="http://127.0.0.1:4401${PATH}">`;
    expect(makeCurrent({ text, kind: "html" }, addresses)).toBe(`<img src="https://pages.example.org${PATH}">`);
  });

  it("keeps its exact bytes if nothing changes, and all unrelated bytes otherwise", () => {
    const plain = Buffer.from(`\uFEFF<p>é http://127.0.0.1:1/</p>`);
    expect(makeBytesCurrent(plain, "html", ADDRESSES)).toBe(plain);
    const moved = Buffer.from(`\uFEFF<p>é</p><img src="http://127.0.0.1:1${PATH}">`);
    expect(Buffer.from(makeBytesCurrent(moved, "html", ADDRESSES)).toString()).toBe(
      `\uFEFF<p>é</p><img src="https://pages.example.org${PATH}">`,
    );
  });
});

describe("a library file", () => {
  it("links to other files and pages at the current address", () => {
    expect(ofFile(`@font-face{src:url(http://127.0.0.1:4401${PATH})}`)).toBe(
      `@font-face{src:url(https://pages.example.org${PATH})}`,
    );
    expect(ofFile(`<link>http://127.0.0.1:4401/p/one</link>`)).toBe(`<link>https://pages.example.org/p/one</link>`);
  });
});
