import { describe, expect, it } from "vitest";
import type { Placement } from "../../../src/site/model.ts";
import { readBuiltSite } from "../../../src/site/read-site.ts";
import { createRewriter } from "../../../src/site/rewrite/rewriter.ts";
import { makeFolder, PLACEMENTS, publish, rewriteSettings, wholePage, writeSiteFile } from "./fixture.ts";

const FILES = {
  "data.json": "[1]",
  "w.js": "fetch('/data.json')",
  "page.js": "new Worker(`/w.js`);fetch('../data.json')",
};

async function rewrite(html: string, placement: Placement) {
  const dist = makeFolder();
  for (const [path, content] of Object.entries({ ...FILES, "index.html": html })) writeSiteFile(dist, path, content);
  const site = await readBuiltSite(dist, { site: "https://example.com", base: "/" });
  const [page] = site.pages;
  if (page === undefined) throw new Error("The page was not found.");
  return wholePage(createRewriter(site, rewriteSettings(new Map([["/", "index"]]), { placement })).rewrite(page));
}

describe("the page's policy allows what its scripts load", () => {
  const policyOf = async (policy: string, placement: Placement) => {
    const page = `<!doctype html><meta http-equiv="content-security-policy" content="${policy}"><script src="/page.js"></script>`;
    const { html, assets } = await rewrite(page, placement);
    const [, content = ""] = /content="([^"]*)"><script (?!type|data-)/.exec(publish(html, assets)) ?? [];
    return content
      .replaceAll(/ 'sha256-[^']*'/g, "")
      .split("; ")
      .toSorted();
  };

  it("from the library", async () => {
    expect(await policyOf("script-src 'self'; connect-src 'none'", PLACEMENTS.library)).toEqual([
      "connect-src https://library.example",
      "script-src 'self' https://library.example",
      "worker-src 'self' https://library.example blob: data:",
    ]);
  });

  it("inlined in the page", async () => {
    expect(await policyOf("default-src 'self'; child-src 'none'", PLACEMENTS.inline)).toEqual([
      "child-src 'none'",
      "connect-src 'self' data:",
      "default-src 'self'",
      "script-src 'self' data:",
      "worker-src blob: data:",
    ]);
  });

  it("and stays unchanged if it doesn't restrict any of that", async () => {
    expect(await policyOf("img-src 'self'", PLACEMENTS.inline)).toEqual(["img-src 'self'"]);
  });
});
