import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isSlug } from "../../src/contract/slug.ts";
import { contentIdOf, foldSlug } from "../../src/posts/read/slugs.ts";

describe("a content id is the same as Astro's:", () => {
  it.each([
    ["first.md", "first"],
    ["2024/First Post.md", "2024/first-post"],
    ["post-0002-gamma.delta.md", "post-0002-gammadelta"],
    ["guide/index.mdx", "guide"],
    ["index.md", "index"],
    ["Ünïcode & more!.markdown", "ünïcode--more"],
    ["タグ/日本語.md", "タグ/日本語"],
  ])("%s", (path, id) => {
    expect(contentIdOf(path)).toBe(id);
  });
});

describe("a slug", () => {
  it.each([
    ["first-post", "first-post"],
    ["2024/first-post", "2024-first-post"],
    ["Hello World", "hello-world"],
    ["ünïcode--more", "unicode-more"],
    ["straße", "strasse"],
    ["snake_case", "snake-case"],
    ["u\u0308ber", "uber"],
    ["\u00FCber", "uber"],
  ])("%s becomes %s", (text, slug) => {
    expect(foldSlug(text)).toBe(slug);
  });

  it("keeps two titles distinct that would lose their letters", () => {
    const slugs = ["日本語", "中文", "日本語-2", "fr/タグ"].map(foldSlug);
    expect(new Set(slugs).size).toBe(4);
    expect(slugs[3]).toMatch(/^fr-[0-9a-f]{8}$/);
  });

  it("is valid for the service, whatever the input", () => {
    const texts = fc.oneof(
      fc.string({ unit: "grapheme" }),
      fc.string({ minLength: 90, maxLength: 300, unit: fc.constantFrom("a", "-", "é", "語") }),
    );
    fc.assert(
      fc.property(texts, (text) => {
        expect(isSlug(foldSlug(text))).toBe(true);
        expect(foldSlug(foldSlug(text))).toBe(foldSlug(text));
      }),
    );
  });
});
