import { describe, expect, it } from "vitest";
import { longestChain, mutualPairs, readSources } from "../../tools/house/sources.ts";
import { findBreaches, findUpwardImports } from "../../tools/house/walls.ts";

const files = readSources();

describe("the import rules", () => {
  it("are met by every import", () => {
    expect(findBreaches(files)).toEqual([]);
  });

  it("detect an invalid import", () => {
    const text = "";
    const imports = [
      { from: "src/cli/print.ts", isValue: false },
      { from: "node:fs", isValue: true },
      { from: "src/contract/slug.ts", isValue: true },
    ];
    expect(findBreaches([{ path: "src/html/parse.ts", text, lines: 0, imports }])).toEqual([
      "src/html/parse.ts imports src/cli/print.ts, which html may not",
      "src/html/parse.ts imports node:fs, but html is pure",
    ]);
    expect(findBreaches([{ path: "src/new-room/file.ts", text, lines: 0, imports }])).toEqual([
      "src/new-room/file.ts: the room new-room has no row in tools/house/walls.ts",
    ]);
  });

  it("limit chains of imports to twelve files", () => {
    expect(longestChain(files).length).toBeLessThanOrEqual(12);
  });

  it("allow only downward imports inside the service", () => {
    expect(findUpwardImports(files)).toEqual([]);
    const imports = [{ from: "src/service/host/core.ts", isValue: true }];
    expect(findUpwardImports([{ path: "src/service/http/messages.ts", text: "", lines: 0, imports }])).toEqual([
      "src/service/http/messages.ts imports src/service/host/core.ts, which stands above http",
    ]);
  });

  it("allow no mutual value imports between two folders", () => {
    const imports = (from: string) => [{ from, isValue: true }];
    const mutual = [
      { path: "src/a/one.ts", text: "", lines: 0, imports: imports("src/b/deep/two.ts") },
      { path: "src/b/three.ts", text: "", lines: 0, imports: imports("src/a/one.ts") },
    ];
    expect(mutualPairs(mutual)).toEqual(["src/a → src/b"]);
    expect(mutualPairs(files)).toEqual([]);
  });
});
