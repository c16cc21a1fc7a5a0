import { describe, expect, it } from "vitest";
import {
  baseOfPattern,
  findPagesAt,
  patternOf,
  publishedAddress,
  publishedHref,
} from "../../src/client/published-address.ts";

const SERVICE = { baseUrl: "https://api.example.org" };

it.each([
  [{ slug: "home", url: "https://p.example.org/p/home" }, "https://p.example.org/p/{slug}"],
  [{ slug: "home", url: "https://p.example.org/me/p/home/" }, "https://p.example.org/me/p/{slug}/"],
  [{ slug: "home", url: "https://p.example.org/home" }, "https://p.example.org/{slug}"],
  [{ slug: "home", url: "https://p.example.org/acct/home" }, "https://p.example.org/acct/{slug}"],
  [{ slug: "p", url: "https://p.example.org/p/p" }, "https://p.example.org/p/{slug}"],
  [{ slug: "home", url: "https://p.example.org/home/view" }, "https://p.example.org/{slug}/view"],
  [{ slug: "größe", url: "https://p.example.org/gr%C3%B6%C3%9Fe" }, "https://p.example.org/{slug}"],
  [{ slug: "home", url: "/edit/pg_1", publicUrl: "http://127.0.0.1:4401/p/home" }, "http://127.0.0.1:4401/p/{slug}"],
  [{ slug: "home", url: "https://home.pages.example.org/" }, "https://{slug}.pages.example.org/"],
  [{ slug: "home", url: "http://home.pages.test:8080/" }, "http://{slug}.pages.test:8080/"],
  [{ slug: "p", url: "https://p.example.org/p/p" }, "https://p.example.org/p/{slug}"],
  [{ slug: "home", url: "https://p.example.org/home.html" }, "https://p.example.org/{slug}.html"],
  [{ slug: "home.html", url: "https://p.example.org/home.html" }, "https://p.example.org/{slug}"],
  [{ slug: "home", url: "https://homes.example.org/" }, undefined],
  [{ slug: "home", url: "/edit/pg_1" }, undefined],
  [{ slug: "home", url: "https://api.example.org/edit/home" }, undefined],
  [{ slug: "home", url: "https://api.example.org/api/pages/home" }, undefined],
  [{ slug: "home", url: "https://p.example.org/p/other" }, undefined],
  [{ slug: "home", url: "https://p.example.org/my-home" }, undefined],
  [{ slug: "home" }, undefined],
])("the page %j reveals that pages are published at %s", (page, pagesAt) => {
  expect(findPagesAt(page, SERVICE)).toBe(pagesAt);
});

describe("a pattern for published addresses", () => {
  it("is derived from a base address or used unchanged", () => {
    expect(patternOf("https://x.example/")).toBe("https://x.example/p/{slug}");
    expect(patternOf("https://x.example/{slug}")).toBe("https://x.example/{slug}");
  });

  it("returns a page's address", () => {
    expect(publishedAddress("https://x.example/me/{slug}/", "a b")).toBe("https://x.example/me/a%20b/");
  });

  it.each([
    ["https://x.example/me/{slug}/", "/me/a%20b/"],
    ["https://x.example/?page={slug}", "/?page=a%20b"],
    ["https://{slug}.x.example/", "https://a%20b.x.example/"],
  ])("%s produces the link %s", (pagesAt, href) => {
    expect(publishedHref(pagesAt, "a b")).toBe(href);
  });

  it("has a base address if it has the usual format", () => {
    expect(baseOfPattern("https://x.example/me/p/{slug}")).toBe("https://x.example/me");
    expect(baseOfPattern("https://x.example/{slug}")).toBeUndefined();
  });
});
