import { describe, expect, it } from "vitest";
import type { LibraryFinding, LibraryFindings } from "../../../src/client/library-findings.ts";
import { decidePlacement } from "../../../src/sync/desired/placement.ts";

const served: LibraryFinding = { kind: "served", why: "served as x with CORS" };
const unusable: LibraryFinding = { kind: "unusable", why: "the library serves them without CORS" };
const unreachable: LibraryFinding = { kind: "unreachable", why: "their address answers 404" };
const refused: LibraryFinding = { kind: "refused", why: "the library accepts only images" };

function library(others: LibraryFinding, some: Partial<LibraryFindings> = {}): LibraryFindings {
  return { images: served, drawings: served, scripts: others, styles: others, fonts: others, files: others, ...some };
}

describe("decidePlacement", () => {
  it("loads scripts, fonts, and files from a library that serves them, and inlines styles", () => {
    expect(decidePlacement(library(served)).placement).toEqual({
      styles: "inline",
      fonts: "library",
      scripts: "library",
      files: "library",
    });
  });

  it.each([unusable, unreachable, refused])("inlines what is $kind, and leaves files at their addresses", (finding) => {
    const { placement, words } = decidePlacement(library(finding));
    expect(placement).toEqual({ styles: "inline", fonts: "inline", scripts: "data", files: "keep" });
    expect(words.scripts).toBe(`inlined in each page that uses them, because ${finding.why}`);
    expect(words.files).toContain(`because ${finding.why}`);
  });

  it("decides for each kind separately", () => {
    const { placement, words } = decidePlacement(library(served, { scripts: unusable }));
    expect([placement.scripts, placement.fonts]).toEqual(["data", "library"]);
    expect(words.fonts).toBe("from the library, served as x with CORS");
  });
});
