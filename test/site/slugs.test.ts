import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSlug, normalizeRoute } from "../../src/contract/slug.ts";
import { planSlugs, planSpareSlugs, type SlugOptions } from "../../src/site/slugs.ts";

function slugsOf(routes: readonly string[], options?: SlugOptions): Readonly<Record<string, string>> {
  return Object.fromEntries(planSlugs(routes, options).slugs);
}

/** Routes that often conflict: few letters, in all variants that folding makes equal. */
const routes = fc.uniqueArray(
  fc
    .array(fc.constantFrom("a", "b", "A", "á", "-", "--", ".", "_", "/", "ö", "日", "%2F", "index", "0", " "), {
      maxLength: 8,
    })
    .map((parts) => normalizeRoute(parts.join("").replace(/\/+/g, "/"))),
  { maxLength: 30 },
);

describe("planSlugs", () => {
  it.each([
    ["/", "index"],
    ["/about/", "about"],
    ["/blog/first-post/", "blog-first-post"],
    ["/de/blog/2/", "de-blog-2"],
    ["/About/", expect.stringMatching(/^about-[0-9a-f]{8}$/)],
    ["/docs/v1.2/", expect.stringMatching(/^docs-v1-2-[0-9a-f]{8}$/)],
    ["/über uns/", expect.stringMatching(/^uber-uns-[0-9a-f]{8}$/)],
    ["/fr/タグ/日本語/", expect.stringMatching(/^fr-[0-9a-f]{8}$/)],
    ["/日本語/", expect.stringMatching(/^[0-9a-f]{8}$/)],
    ["/a--b/", expect.stringMatching(/^a-b-[0-9a-f]{8}$/)],
    [`/${"long".repeat(40)}/`, expect.stringMatching(/^(?:long)+lon-[0-9a-f]{8}$/)],
  ])("%s", (route, expected) => {
    expect(slugsOf([route])).toEqual({ [route]: expected });
  });

  it("distinguishes two new routes with the same slug, both by their hash", () => {
    const { "/docs/v1/": deep, "/docs-v1/": flat } = slugsOf(["/docs/v1/", "/docs-v1/"]);
    expect(deep).toMatch(/^docs-v1-[0-9a-f]{8}$/);
    expect(flat).toMatch(/^docs-v1-[0-9a-f]{8}$/);
    expect(deep).not.toBe(flat);
  });

  it("keeps a locked slug if a new route needs the same one", () => {
    const locked = new Map([["/docs/v1/", "docs-v1"]]);
    expect(slugsOf(["/docs-v1/", "/docs/v1/"], { locked })).toEqual({
      "/docs/v1/": "docs-v1",
      "/docs-v1/": expect.stringMatching(/^docs-v1-[0-9a-f]{8}$/),
    });
  });

  it("allows an override to move a locked slug, and reports it", () => {
    const plan = planSlugs(["/about/"], {
      overrides: { about: "who-we-are" },
      locked: new Map([["/about/", "about"]]),
    });
    expect(plan.moved).toEqual([{ route: "/about/", from: "about", to: "who-we-are" }]);
    expect(plan.slugs.get("/about/")).toBe("who-we-are");
  });

  it("calls a function for every route, and names the ones that it skips", () => {
    const overrides = (route: string) => (route === "/" ? "home" : undefined);
    expect(slugsOf(["/", "/about/"], { overrides })).toEqual({ "/": "home", "/about/": "about" });
  });

  it("names both routes with the same slug", () => {
    expect(() => planSlugs(["/a/", "/b/"], { overrides: { "/a/": "same", "/b/": "same" } })).toThrow(
      expect.objectContaining({ code: "SLUG_TAKEN", message: expect.stringMatching(/\/a\/.*\/b\//) }),
    );
  });

  it("rejects an override that isn't a slug", () => {
    expect(() => planSlugs(["/a/"], { overrides: { "/a/": "Not a slug" } })).toThrow(
      expect.objectContaining({ code: "SLUG_INVALID", message: expect.stringContaining("/a/") }),
    );
  });

  it("gives every route its own slug, and every slug is valid for the service", () => {
    fc.assert(
      fc.property(routes, (paths) => {
        const slugs = [...planSlugs(paths).slugs.values()];
        expect(new Set(slugs).size).toBe(paths.length);
        expect(slugs.filter((slug) => !isSlug(slug))).toEqual([]);
      }),
    );
  });

  it("doesn't depend on the order of the routes", () => {
    fc.assert(
      fc.property(routes, (paths) => {
        expect(slugsOf(paths.toReversed())).toEqual(slugsOf(paths));
      }),
    );
  });

  it("doesn't change slugs if routes are added to a locked site", () => {
    fc.assert(
      fc.property(routes, routes, (paths, more) => {
        const locked = planSlugs(paths).slugs;
        const later = planSlugs([...new Set([...more, ...paths])], { locked }).slugs;
        for (const [route, slug] of locked) expect(later.get(route)).toBe(slug);
        expect(new Set(later.values()).size).toBe(later.size);
      }),
    );
  });
});

describe("planSpareSlugs", () => {
  const spare = (routes: readonly string[], options: SlugOptions & { readonly taken: Iterable<string> }) =>
    Object.fromEntries(planSpareSlugs(routes, options));

  it("names routes like pages if nothing is taken", () => {
    expect(spare(["/", "/404/", "/fr/404/"], { taken: [], prefix: "docs" })).toEqual({
      "/": "docs",
      "/404/": "docs-404",
      "/fr/404/": "docs-fr-404",
    });
    expect(
      spare(["/old/", "/was/"], { taken: [], overrides: { "/old/": "new" }, locked: new Map([["/was/", "is"]]) }),
    ).toEqual({ "/old/": "new", "/was/": "is" });
  });

  it("gives a route another slug if its own is taken, even by another of the routes", () => {
    const overrides = (route: string) => route.split("/").at(-2);
    const slugs = spare(["/", "/old/hello/", "/older/hello/", "/oldest/hello/"], { taken: ["index", "hi"], overrides });
    expect(slugs).toEqual({
      "/": expect.stringMatching(/^[0-9a-f]{8}$/),
      "/old/hello/": "hello",
      "/older/hello/": "older-hello",
      "/oldest/hello/": "oldest-hello",
    });
    const locked = new Map([["/old/", "hi"]]);
    expect(spare(["/old/"], { taken: ["hi", "old"], locked })["/old/"]).toMatch(/^old-[0-9a-f]{8}$/);
  });

  it("never returns a slug twice or one that is taken", () => {
    fc.assert(
      fc.property(routes, routes, (own, others) => {
        const { slugs } = planSlugs(own);
        const rest = others.filter((route) => !slugs.has(route));
        const all = [...slugs.values(), ...planSpareSlugs(rest, { taken: slugs.values() }).values()];
        expect(new Set(all).size).toBe(own.length + rest.length);
      }),
    );
  });
});
