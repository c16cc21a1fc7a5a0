import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalizeRoute } from "../../../src/contract/slug.ts";
import { isRootPath, slugsOfPath } from "../../../src/service/visitors/page-path.ts";
import { planSlugs } from "../../../src/site/slugs.ts";

describe("the page for a path of a custom domain", () => {
  it.each([
    ["/about", "about"],
    ["/about/", "about"],
    ["/about.html", "about"],
    ["/blog/first/", "blog-first"],
    ["/blog/first/index.html", "blog-first"],
    ["/de/blog/2", "de-blog-2"],
  ])("%s is first looked up as %s", (path, slug) => {
    expect(slugsOfPath(path)[0]).toBe(slug);
  });

  it.each([
    ["/a--b", "a--b"],
    ["/about-0123abcd", "about-0123abcd"],
  ])("%s is available under its slug %s", (path, slug) => {
    expect(slugsOfPath(path)).toContain(slug);
  });

  it.each(["/", "//", "/index.html"])("%s is the root", (path) => {
    expect(isRootPath(path)).toBe(true);
  });

  it.each(["/%", "/%ff", "/%E0%A4%A"])("%s matches no page", (path) => {
    expect(slugsOfPath(path)).toEqual([]);
  });

  it("is found under any slug that the publisher generates", () => {
    const segment = fc.oneof(
      fc.constantFrom("blog", "About", "über uns", "v1.2", "タグ", "a--b", "index", "x", "first.html", "a%2Fb"),
      fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" }).filter((text) => !/[/\\]|^\.{1,2}$/.test(text)),
    );
    const routes = fc.uniqueArray(
      fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => normalizeRoute(parts.join("/"))),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(routes, (all) => {
        for (const [route, slug] of planSlugs(all.filter((route) => route !== "/")).slugs) {
          const path = encodeURI(route).replaceAll("?", "%3F").replaceAll("#", "%23");
          expect(slugsOfPath(path)).toContain(slug);
        }
      }),
    );
  });
});
