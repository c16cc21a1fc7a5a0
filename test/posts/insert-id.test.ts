import { describe, expect, it } from "vitest";
import { insertPostId } from "../../src/posts/write/write-post-id.ts";

describe("insertPostId", () => {
  it.each([
    {
      name: "YAML with comments and quotes",
      text: `---\n# mine\ntitle:   "A"   # kept\ntags: [ a,b ]\n---\nText\n`,
      result: `---\n# mine\ntitle:   "A"   # kept\ntags: [ a,b ]\nimprintId: po_1\n---\nText\n`,
    },
    {
      name: "CRLF line ends and a byte order mark",
      text: `\uFEFF---\r\ntitle: A\r\n---\r\nText\r\n`,
      result: `\uFEFF---\r\ntitle: A\r\nimprintId: po_1\r\n---\r\nText\r\n`,
    },
    {
      name: "a multiline text at the end",
      text: `---\ntitle: |\n  A\n  B\n---\n`,
      result: `---\ntitle: |\n  A\n  B\nimprintId: po_1\n---\n`,
    },
    {
      name: "TOML with a table",
      text: `+++\ntitle = "A"\n[params]\nx = 1\n+++\nText`,
      result: `+++\nimprintId = "po_1"\ntitle = "A"\n[params]\nx = 1\n+++\nText`,
    },
    {
      name: "an existing id",
      text: `---\nimprintId: po_0\ntitle: A\n---\n`,
      result: `---\nimprintId: po_1\ntitle: A\n---\n`,
    },
    {
      name: "an existing id in TOML",
      text: `+++\ntitle = "A"\nimprintId = "po_0"\n+++\n`,
      result: `+++\ntitle = "A"\nimprintId = "po_1"\n+++\n`,
    },
    { name: "a blank line above", text: `\n---\ntitle: A\n---\n`, result: `\n---\ntitle: A\nimprintId: po_1\n---\n` },
  ])("adds one line to $name and keeps the rest", ({ text, result }) => {
    expect(insertPostId(text, "po_1")).toBe(result);
  });

  it("quotes an id that YAML would parse as another type", () => {
    expect(insertPostId(`---\ntitle: A\n---\n`, "12:30")).toBe(`---\ntitle: A\nimprintId: "12:30"\n---\n`);
  });

  it.each([
    ["JSON", `---json\n{"title": "A"}\n---\n`],
    ["a mapping in braces", `---\n{title: A}\n---\n`],
    ["no front matter", `# A\n\nText\n`],
    ["an id that isn't on its own line", `---\n? imprintId\n: po_0\n---\n`],
  ])("doesn't change %s", (_, text) => {
    expect(insertPostId(text, "po_1")).toBeUndefined();
  });
});
