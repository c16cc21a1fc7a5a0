import { describe, expect, it } from "vitest";
import { classifyServedFile, PROBE_ORIGIN, type ServedFile } from "../../src/client/library-findings.ts";

function served(headers: Readonly<Record<string, string>>, rest: Partial<ServedFile> = {}): ServedFile {
  return { status: 200, headers: new Map(new Headers(headers)), isUnchanged: true, ...rest };
}

const CORS = { "Access-Control-Allow-Origin": "*" };
const OPAQUE = { "Content-Type": "application/octet-stream" };

describe("classifyServedFile", () => {
  it.each([
    ["scripts", { "Content-Type": "text/javascript; charset=utf-8", ...CORS }],
    ["scripts", { "Content-Type": "application/x-javascript", "Access-Control-Allow-Origin": PROBE_ORIGIN }],
    ["fonts", { ...OPAQUE, ...CORS, "Cross-Origin-Resource-Policy": "same-origin" }],
    ["styles", { "Content-Type": "TEXT/CSS" }],
    ["images", OPAQUE],
    ["images", { ...OPAQUE, "X-Content-Type-Options": "nosniff" }],
    ["images", { "Content-Type": "text/plain" }],
    ["images", { "Content-Type": "image/webp", "X-Content-Type-Options": "nosniff" }],
    ["drawings", { "Content-Type": "image/svg+xml" }],
    ["files", OPAQUE],
  ] as const)("allows pages to load %s that are served with %j", (kind, headers) => {
    expect(classifyServedFile(kind, served(headers)).kind).toBe("served");
  });

  it.each([
    ["scripts", { ...OPAQUE, ...CORS }, "as application/octet-stream"],
    ["scripts", { "Content-Type": "text/javascript" }, "without Access-Control-Allow-Origin"],
    ["scripts", { "Content-Type": "text/javascript", "Access-Control-Allow-Origin": "https://a.example" }, "without"],
    ["fonts", { "Content-Type": "font/woff2" }, "without Access-Control-Allow-Origin"],
    ["styles", OPAQUE, "as application/octet-stream"],
    ["styles", { "Content-Type": "text/css", "Cross-Origin-Resource-Policy": "same-site" }, "its own host"],
    ["images", { "Content-Type": "text/plain", "X-Content-Type-Options": "nosniff" }, "as text/plain"],
    ["images", { "Content-Type": "image/png", "Cross-Origin-Resource-Policy": "same-origin" }, "its own host"],
    ["drawings", OPAQUE, "as application/octet-stream"],
    ["drawings", {}, "as a file without a type"],
  ] as const)("prevents pages from loading %s that are served with %j", (kind, headers, words) => {
    const finding = classifyServedFile(kind, served(headers));
    expect(finding.kind).toBe("unusable");
    expect(finding.why).toContain(words);
  });

  it("rejects a file that is served with other bytes, except an image, which may be optimized", () => {
    const changed = { isUnchanged: false };
    expect(classifyServedFile("files", served(OPAQUE, changed)).why).toContain("other bytes");
    expect(classifyServedFile("images", served({ "Content-Type": "image/webp" }, changed)).kind).toBe("served");
  });

  it("distinguishes an address that returns 404 from an incorrect response", () => {
    expect(classifyServedFile("fonts", served(CORS, { status: 404 }))).toEqual({
      kind: "missing",
      why: "their address in the library answers 404",
    });
  });
});
