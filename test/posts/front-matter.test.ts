import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFrontMatter, type FrontMatter } from "../../src/posts/read/front-matter.ts";
import type { Problem } from "../../src/posts/read/problems.ts";

function parse(text: string): FrontMatter {
  const parsed = parseFrontMatter(text);
  if (parsed.kind === "parsed") return parsed.frontMatter;
  throw new Error(JSON.stringify(parsed.problem));
}

function refusal(text: string): Problem {
  const parsed = parseFrontMatter(text);
  if (parsed.kind === "refused") return parsed.problem;
  throw new Error(`Not refused: ${JSON.stringify(parsed.frontMatter)}`);
}

describe("finds front matter", () => {
  it.each([
    ["YAML", "---\ntitle: Hi\n---\nBody\n"],
    ["as YAML with its name", "---yaml\ntitle: Hi\n---\nBody\n"],
    ["as YAML with its short name after a space", "--- yml\ntitle: Hi\n---\nBody\n"],
    ["as YAML that ends with dots", "---\ntitle: Hi\n...\nBody\n"],
    ["as YAML in braces", "---\n{ title: Hi }\n---\nBody\n"],
    ["TOML", '+++\ntitle = "Hi"\n+++\nBody\n'],
    ["as TOML between dashes", "---toml\ntitle = 'Hi'\n---\nBody\n"],
    ["JSON", '---json\n{ "title": "Hi" }\n---\nBody\n'],
    ["as JSON without fences, as in Hugo", '{\n  "title": "Hi"\n}\nBody\n'],
    ["as JSON without fences on one line", '{ "title": "Hi" }\nBody\n'],
    ["after a byte order mark", "\uFEFF---\ntitle: Hi\n---\nBody\n"],
    ["after blank lines", "\n \n---\ntitle: Hi\n---\nBody\n"],
    ["with CRLF line ends", "---\r\ntitle: Hi\r\n---\r\nBody\r\n"],
    ["with CR line ends", "---\rtitle: Hi\r---\rBody\r"],
    ["with spaces after the fences", "---  \ntitle: Hi\n---\t\nBody\n"],
  ])("%s", (_, text) => {
    const { data, body } = parse(text);
    expect({ ...data }).toEqual({ title: "Hi" });
    expect(body).toBe("Body\n");
  });

  it("only between fences on their own lines", () => {
    const { data, body } = parse("---\ntext: |\n  ---foo\n  ----\n  a --- b\ntitle: Hi\n---\nBody --- and\n----\n");
    expect(data).toEqual({ text: "---foo\n----\na --- b\n", title: "Hi" });
    expect(body).toBe("Body --- and\n----\n");
  });

  it("without content", () => {
    expect(parse("---\n---\nBody")).toMatchObject({ data: {}, body: "Body", bodyLine: 3 });
    expect(parse("---\n# only a comment\n---\n")).toMatchObject({ data: {}, body: "" });
  });
});

describe("finds no front matter", () => {
  it.each([
    ["in a plain text", "Just text\n"],
    ["in an empty file", ""],
    ["if the text starts with a rule", "---\n\nSome text after a rule.\n"],
    ["if a rule follows the text", "Text\n\n---\n\nMore\n"],
    ["in an underlined heading", "Title\n---\n"],
    ["in an MDX expression", "{/* a comment */}\n\nText\n"],
    ["in a shortcode", '{{< figure src="a.png" >}}\n'],
    ["after four dashes", "----\ntitle: Hi\n----\n"],
    ["if words follow the dashes", "--- a dash, and words\ntitle: Hi\n---\n"],
  ])("%s", (_, text) => {
    expect(parse(text)).toMatchObject({ data: {}, body: text, bodyLine: 1 });
  });
});

describe("keeps values as written:", () => {
  it.each([
    ["date: 2024-02-30", { date: "2024-02-30" }],
    ["date: 2024-01-02 10:00:00 +0800", { date: "2024-01-02 10:00:00 +0800" }],
    ["version: 1.10", { version: "1.10" }],
    ["number: 010", { number: "010" }],
    ["time: 12:30", { time: "12:30" }],
    ["draft: no", { draft: "no" }],
    ["draft: false", { draft: false }],
    ['draft: "false"', { draft: "false" }],
    ["nothing:\nnull: ~", { nothing: null, null: null }],
    ["tags: [2024, on, true]", { tags: ["2024", "on", true] }],
    ["base: &a [x]\nother: *a", { base: ["x"], other: ["x"] }],
    ["base: &a { draft: true }\n<<: *a\ntitle: Hi", { base: { draft: true }, draft: true, title: "Hi" }],
    ["base: &a { draft: true }\n<<: [*a]\ndraft: false", { base: { draft: true }, draft: false }],
    ['"<<": text', { "<<": "text" }],
    ["excerpt_separator: { toString: x }", { excerpt_separator: { toString: "x" } }],
  ])("%s", (yaml, data) => {
    expect(parse(`---\n${yaml}\n---\n`).data).toEqual(data);
  });

  it("and no key can reach the prototype", () => {
    const { data } = parse("---\n__proto__:\n  polluted: yes\nconstructor: x\n---\n");
    expect(Object.hasOwn(data, "__proto__")).toBe(true);
    expect(Reflect.get({}, "polluted")).toBeUndefined();
  });
});

describe("rejects invalid front matter with its location:", () => {
  it.each([
    ["---js\n{ title: process.exit(1) }\n---\n", 1, "JavaScript front matter is not supported."],
    ["\n---javascript\nmodule.exports = {}\n---\n", 2, "JavaScript front matter is not supported."],
    ["---coffee\ntitle: 1\n---\n", 1, "JavaScript front matter is not supported."],
    ["---constructor\ntitle: 1\n---\n", 1, `Front matter can't be written in "constructor".`],
    ["---toString\ntitle: 1\n---\n", 1, `Front matter can't be written in "toString".`],
    ["---\ntitle: Hi\n\nBody\n", 1, "has no closing line (---)"],
    ["+++\ntitle = 1\n\nBody\n", 1, "has no closing line (+++)"],
    ["---\ntitle: Hi\ntags: [a\nb: c\n---\n", 4, "YAML: "],
    ["---\ntitle: Hi\ntitle: Ho\n---\n", 3, "YAML: duplicated mapping key."],
    ["---\ntitle: a: b\n---\n", 2, "YAML: "],
    ["---\ntitle: Hi\n\tx: y\n---\n", 3, "YAML: "],
    ["---\ntitle: !!js/function 'x'\n---\n", 2, "YAML: unknown tag"],
    ["+++\ntitle = Hi\n+++\n", 2, "TOML: "],
    ['---json\n{\n "title" "Hi" }\n---\n', 3, "JSON: "],
    ['---json\n# { "draft": true }\n---\n', 2, "JSON: "],
    ['{\n "title": "Hi",\n}\nBody\n', 3, "JSON: "],
    ['\n{ "title": "Hi",\nBody\n', 2, "has no closing line (})"],
    [`---\na: 1\n${"\n".repeat(60_000)}---\n`, 1, "200 blank lines in a row"],
    ["---\nHello world\n---\n", 1, "is not front matter"],
    ["---\n- a\n- b\n---\n", 1, "is not front matter"],
  ])("%j", (text, line, message) => {
    const problem = refusal(text);
    expect(problem.line).toBe(line);
    expect(problem.message).toContain(message);
  });

  it("with its column", () => {
    expect(refusal("\n---\na: 1\nb: c: d\n---\n")).toMatchObject({ line: 4, column: 5 });
    expect(refusal('---json\n{ "a": 1,\n  b }\n---\n')).toMatchObject({ line: 3, column: 3 });
    expect(refusal("+++\na = 1\nb = = 2\n+++\n")).toMatchObject({ line: 3, column: 5 });
  });

  it("if aliases expand too much", () => {
    const levels = Array.from(
      { length: 9 },
      (_, level) => `l${level + 1}: &l${level + 1} [${`*l${level}, `.repeat(9)}]`,
    );
    const bomb = `---\nl0: &l0 [x, x, x, x, x, x, x, x, x]\n${levels.join("\n")}\n---\n`;
    expect(refusal(bomb).message).toContain("too many");
  });

  it("if a long text is repeated too often", () => {
    const text = `---\na: &a ${"x".repeat(60_000)}\nb: [${"*a, ".repeat(500)}]\n---\n`;
    expect(refusal(text).message).toContain("too long");
  });

  it("if merge keys expand too much", () => {
    const base = Array.from({ length: 1000 }, (_, index) => `k${index}: x`).join(", ");
    const copies = Array.from({ length: 20 }, (_, index) => `c${index}: { <<: *base }`).join("\n");
    expect(refusal(`---\nbase: &base { ${base} }\n${copies}\n---\n`).message).toContain("maxTotalMergeKeys");
  });

  it("if an alias contains itself", () => {
    expect(refusal("---\na: &a\n  b: *a\n---\n").message).toContain("too deeply nested");
  });

  it.each(["[", '{"a":'])("if %s are nested without end", (opening) => {
    expect(refusal(`---\na: ${opening.repeat(5000)}\n---\n`).line).toBeGreaterThanOrEqual(1);
    expect(refusal(`---json\n${opening.repeat(5000)}\n---\n`).line).toBeGreaterThanOrEqual(1);
    expect(refusal(`+++\na = ${opening.repeat(5000)}\n+++\n`).line).toBeGreaterThanOrEqual(1);
  });

  it("if it is longer than 64 KiB", () => {
    expect(refusal(`---\na: ${"x".repeat(70_000)}\n---\n`).message).toContain("at most 65536 are read");
  });
});

describe("finds a key", () => {
  it.each([
    ["---\na: 1\nTitle: Hi\n---\n", "Title", { line: 3, column: 1 }],
    ["\n---\n'title': Hi\n---\n", "title", { line: 3, column: 1 }],
    ['+++\na = 1\n  title = "x"\n+++\n', "title", { line: 3, column: 3 }],
    ['---json\n{\n  "title": "x"\n}\n---\n', "title", { line: 3, column: 3 }],
    ["---\ntext: |\n  title: no\ntitle: x\n---\n", "text", { line: 2, column: 1 }],
    ["---\na: 1\n---\n", "title", { line: 1, column: 1 }],
    ["no front matter", "title", { line: 1, column: 1 }],
  ])("in %j", (text, key, position) => {
    expect(parse(text).positionOf(key)).toEqual(position);
  });

  it("with the text of its value", () => {
    expect(parse("+++\nd = 2024-02-30 # no\n+++\n").rawValueOf("d")).toBe("2024-02-30");
  });
});

describe("for any text,", () => {
  const line = fc.oneof(
    fc.constantFrom(
      "---",
      "+++",
      "---json",
      "---js",
      "...",
      "",
      "a: b",
      "a = 1",
      "- x",
      "{",
      "}",
      "[",
      "a: &x",
      "*x",
      "\t",
      "\uFEFF",
    ),
    fc.string({ maxLength: 20 }),
  );
  const text = fc
    .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom("\n", "\r\n", "\r"))
    .map(([lines, end]) => lines.join(end));

  it("nothing is thrown, and locations are inside the file", () => {
    fc.assert(
      fc.property(text, (content) => {
        const parsed = parseFrontMatter(content);
        const lines = content.split(/\r\n|\n|\r/).length;
        const at = parsed.kind === "parsed" ? parsed.frontMatter.bodyLine - 1 : (parsed.problem.line ?? 0);
        expect(at).toBeLessThanOrEqual(lines + 1);
      }),
      { numRuns: 2000 },
    );
  });

  it("the body is the end of the file, and reading it again returns the same", () => {
    fc.assert(
      fc.property(text, (content) => {
        const parsed = parseFrontMatter(content);
        if (parsed.kind === "refused") return;
        const normal = content.replace(/^\uFEFF/, "").replaceAll(/\r\n|\r/g, "\n");
        expect(normal.endsWith(parsed.frontMatter.body)).toBe(true);
        expect(parse(normal).data).toEqual(parsed.frontMatter.data);
      }),
      { numRuns: 1000 },
    );
  });
});
