import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { minifySync } from "rolldown/utils";
import { expect, it } from "vitest";

it("adds at most 2 KB, compressed, to pages with scripts that navigate", () => {
  const source = readFileSync(new URL("../../../src/site/rewrite/route-shim.js", import.meta.url), "utf8");
  // As `tools/build.ts` adds it to the package.
  const { code } = minifySync("route-shim.js", source, { module: false });
  expect(code).toContain("data-imprint-map");
  expect(gzipSync(code.trim(), { level: 9 }).byteLength).toBeLessThanOrEqual(2048);
});
