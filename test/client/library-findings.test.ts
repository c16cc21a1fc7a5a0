import { describe, expect, it } from "vitest";
import {
  classifyServedFile,
  compareContent,
  PROBE_ORIGIN,
  type ServedFile,
} from "../../src/client/library-findings.ts";

function served(headers: Readonly<Record<string, string>>, rest: Partial<ServedFile> = {}): ServedFile {
  return { status: 200, headers: new Map(new Headers(headers)), content: "as sent", ...rest };
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
    const changed = { content: "changed" } as const;
    expect(classifyServedFile("files", served(OPAQUE, changed)).why).toContain("changes their content");
    expect(classifyServedFile("images", served({ "Content-Type": "image/webp" }, changed)).kind).toBe("served");
  });

  it("rejects an image of which only the beginning is served, and a drawing without what it draws", () => {
    const [sent, drawing] = [Buffer.from("0123456789"), Buffer.from('<svg><path d="M0 0h9v9z"/></svg>')];
    const cut = compareContent("images", sent, sent.subarray(0, 4));
    expect(classifyServedFile("images", served({ "Content-Type": "image/webp" }, { content: cut }))).toMatchObject({
      kind: "unusable",
      why: expect.stringContaining("only the beginning"),
    });
    const emptied = compareContent("drawings", drawing, Buffer.from("<svg></svg>"));
    const svg = { "Content-Type": "image/svg+xml" };
    expect(classifyServedFile("drawings", served(svg, { content: emptied })).why).toContain("removes what they draw");
    const cleaned = compareContent("drawings", drawing, Buffer.from("<svg><path/></svg>"));
    expect(classifyServedFile("drawings", served(svg, { content: cleaned })).kind).toBe("served");
  });

  it("distinguishes an address that returns 404 from an incorrect response", () => {
    expect(classifyServedFile("fonts", served(CORS, { status: 404 }))).toEqual({
      kind: "missing",
      why: "their address in the library returns 404",
    });
  });
});
