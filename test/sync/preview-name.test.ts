import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findPreviewName, isSlug, previewCheck } from "../../src/contract/slug.ts";
import { planSlugs } from "../../src/site/slugs.ts";
import { isDoubtful, isPreviewOf, parsePreviewName, previewSlug } from "../../src/sync/preview-name.ts";

describe("a preview's name", () => {
  it.each([
    ["pr-12", "pr-12"],
    ["feature/new-header", "feature-new-header"],
    ["release_2.1", "release-2-1"],
    ["Feature/Login", "feature-login-HASH"],
    ["über-uns", "uber-uns-HASH"],
    ["🚀", "HASH"],
  ])("is derived from %s", (text, name) => {
    expect(parsePreviewName(text)).toMatch(new RegExp(`^${name.replace("HASH", "[0-9a-f]{8}")}$`));
  });

  it.each(["", "  "])("is never empty (%j), so that an unset variable doesn't publish the live site", (text) => {
    expect(() => parsePreviewName(text)).toThrow("The name of the preview is empty.");
  });

  it("rejects a flag, which `--preview` without a name would take as its value", () => {
    expect(() => parsePreviewName("--json")).toThrow("--json is a flag, not the name of a preview.");
  });

  it("distinguishes branches that differ in more than separators", () => {
    const names = ["fix", "Fix", "fix!", "fïx", `${"a".repeat(60)}1`, `${"a".repeat(60)}2`].map(parsePreviewName);
    expect(new Set(names).size).toBe(names.length);
  });

  it("doesn't change when it is normalized again", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: "grapheme" }), (text) => {
        fc.pre(text.trim() !== "");
        const name = parsePreviewName(text);
        expect(parsePreviewName(name)).toBe(name);
      }),
    );
  });
});

describe("the slug of a page in a preview", () => {
  it("contains the preview and the page", () => {
    expect(previewSlug("pr-12", "about")).toBe("preview-pr-12--about");
    expect(findPreviewName("preview-pr-12--about")).toBe("pr-12");
  });

  it("is a slug that identifies its preview, whatever the branch and the page are named", () => {
    const slugs = fc.stringMatching(/^[a-z0-9]{1,40}(?:-{1,2}[a-z0-9]{1,20}){0,2}$/).filter(isSlug);
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), slugs, (branch, slug) => {
        fc.pre(branch.trim() !== "" && !branch.startsWith("--"));
        const name = parsePreviewName(branch);
        const whole = previewSlug(name, slug);
        expect(isSlug(whole)).toBe(true);
        expect(findPreviewName(whole)).toBe(name);
      }),
    );
  });

  it("identifies its preview even if a host collapses hyphens or converts them to underscores", () => {
    const single = previewSlug("pr-12", "about", { hyphens: "single" });
    expect(single).toBe(`preview-pr-12-${previewCheck("pr-12")}-about`);
    const slugs = fc.stringMatching(/^[a-z0-9]{1,40}(?:-[a-z0-9]{1,20}){0,2}$/);
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), slugs, (branch, slug) => {
        fc.pre(branch.trim() !== "" && !branch.startsWith("--"));
        const name = parsePreviewName(branch);
        for (const hyphens of ["single", undefined] as const) {
          const whole = previewSlug(name, slug, { hyphens });
          expect(findPreviewName(whole)).toBe(name);
          expect(findPreviewName(whole.replaceAll("-", "_"))).toBe(name);
          expect(isPreviewOf(whole, { name, page: slug })).toBe(true);
        }
      }),
    );
  });

  it("is ambiguous if it starts like a preview's and shows no name", () => {
    expect(isDoubtful("preview-pr-12-about")).toBe(true);
    expect(isDoubtful("preview-pr-12-about", "pr-12")).toBe(true);
    expect(isDoubtful("preview-pr-12-about", "pr-1")).toBe(false);
    expect(isDoubtful("preview-pr-12--about")).toBe(false);
    expect(isDoubtful(previewSlug("pr-12", "about", { hyphens: "single" }), "pr")).toBe(false);
  });

  it("differs for pages whose slugs are too long to be included in full", () => {
    const [one, other] = ["a", "b"].map((end) => previewSlug("pr-12", `${"x".repeat(90)}${end}`));
    expect(one).not.toBe(other);
    expect(one?.length).toBeLessThanOrEqual(96);
  });

  it("is never that of a live page", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("preview", "pr", "12", "--", "-", "/", "a")), (parts) => {
        const route = `/${parts.join("")}/`.replace(/\/+/g, "/");
        const [slug = ""] = planSlugs([route]).slugs.values();
        expect(findPreviewName(slug)).toBeUndefined();
      }),
    );
  });
});
