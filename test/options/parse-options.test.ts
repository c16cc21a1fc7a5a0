import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ImprintError } from "../../src/base/error.ts";
import { parseOptions } from "../../src/options/parse-options.ts";

function problemsOf(input: unknown): readonly string[] {
  try {
    parseOptions(input);
  } catch (error) {
    if (error instanceof ImprintError && error.code === "OPTIONS_INVALID") return error.message.split("\n");
    throw error;
  }
  return [];
}

describe("parseOptions", () => {
  it("applies every default", () => {
    expect(parseOptions({})).toMatchObject({
      routeSet: "auto",
      publish: true,
      posts: false,
      prune: "report",
      maxDeleteShare: 0.3,
      adopt: false,
      strict: false,
    });
  });

  it("applies the defaults of an enabled group", () => {
    expect(parseOptions({ posts: {} }).posts).toMatchObject({ folder: "src/content/blog", blog: { slug: "blog" } });
  });

  it("reads ignored front matter keys, and custom status words", () => {
    const fields = { status: "workflow", ignore: ["unlistedInFeed"] };
    const statuses = { evergreen: "shown", seedling: "hidden" };
    expect(parseOptions({ posts: { fields, statuses } }).posts).toMatchObject({ fields, statuses });
    expect(problemsOf({ posts: { fields: { stats: "x" } } })).toEqual([
      "`posts.fields.stats` is not an option. Did you mean `posts.fields.status`?",
    ]);
    expect(problemsOf({ posts: { fields: { ignore: "unlistedInFeed" } } })).toEqual([
      "`posts.fields.ignore` must be a list of keys.",
    ]);
    expect(problemsOf({ posts: { statuses: { ready: "yes" } } })).toEqual([
      '`posts.statuses.ready` must be "shown" or "hidden".',
    ]);
  });

  it("reads the settling time of posts as a number and a unit", () => {
    expect(parseOptions({ posts: { settle: "36h" } }).posts).toMatchObject({ settle: 36 * 3_600_000, target: "blog" });
    expect(problemsOf({ posts: { settle: "a day" } })).toEqual([
      "`posts.settle` must be a time such as 30m, 24h or 2d.",
    ]);
    expect(problemsOf({ posts: { target: "page" } })).toHaveLength(1);
  });

  it("removes a trailing slash from an address", () => {
    expect(parseOptions({ service: "https://example.org/a/" }).service).toBe("https://example.org/a");
  });

  it("suggests the closest match for a misspelled option", () => {
    expect(problemsOf({ servise: "embedded" })).toEqual(["`servise` is not an option. Did you mean `service`?"]);
  });

  it("suggests the closest match inside a group", () => {
    expect(problemsOf({ posts: { foldr: "x" } })).toEqual([
      "`posts.foldr` is not an option. Did you mean `posts.folder`?",
    ]);
  });

  it("accepts rules for branches, and reports a misspelled one", () => {
    expect(parseOptions({ publish: { branches: ["main"] } }).publish).toEqual({ branches: ["main"], previews: false });
    expect(problemsOf({ publish: { branches: ["main"], preview: true } })).toEqual([
      "`publish.preview` is not an option. Did you mean `publish.previews`?",
    ]);
    expect(problemsOf({ publish: { previews: true } })).toEqual(["`publish.branches` must name at least one branch."]);
  });

  it("reports all problems at once", () => {
    expect(problemsOf({ maxDeleteShare: 2, slugs: { "/a/": "Not A Slug" }, routeSet: "c" })).toHaveLength(3);
  });

  it("rejects a key in the options and explains where to set it", () => {
    const [line] = problemsOf({ apiKey: "imp_secret_value" });
    expect(line).toContain("IMPRINT_API_KEY");
    expect(line).not.toContain("imp_secret_value");
  });

  it.each([
    [{ colors: { primry: "#123456" } }, "`brandKit.colors.primry` is not a role: the nearest is `primary`."],
    [{ colors: { primary: "teal" } }, "`brandKit.colors.primary` must be a color like #25c2a0."],
    [
      { colors: { "Our Seal": "#123456" } },
      "`brandKit.colors.Our Seal` must be a role of lowercase letters, digits and hyphens.",
    ],
    [
      { fonts: { headings: "Lora" } },
      "`brandKit.fonts.headings` is not an option. Did you mean `brandKit.fonts.heading`?",
    ],
    [{ logos: { ligt: "a.svg" } }, "`brandKit.logos.ligt` is not an option. Did you mean `brandKit.logos.light`?"],
  ])("rejects an invalid pin of the brand kit: %o", (brandKit, problem) => {
    expect(problemsOf({ brandKit })).toEqual([problem]);
  });

  it.each(["https://x.example/{slug}/{slug}", "https://x.example/{page}", "https://a-{slug}.x.example/"])(
    "rejects %s as the address of pages, which has no place for the slug",
    (pagesUrl) => {
      expect(problemsOf({ pagesUrl })).toEqual([
        "`pagesUrl` must be an http or https address, with {slug} once in its path or as the first part of its host, or without it.",
      ]);
    },
  );

  it.each([
    [{ posts: true }, "`posts` must be false, or an object such as {}."],
    [{ brandKit: { fonts: "lib" } }, '`brandKit.fonts` must be "library" or an object.'],
    [{ exclude: ["/a/", ""] }, "`exclude.1` must not be empty."],
    [{ maxHtmlBytes: 999 }, "`maxHtmlBytes` must be at least 1000."],
    [{ site: { name: "x".repeat(201) } }, "`site.name` must have at most 200 characters."],
    [{ routeSet: "c" }, '`routeSet` must be "auto", "a" or "b".'],
    [{ slugs: "about" }, "`slugs` must be an object from route to slug, or a function."],
  ])("says which values are possible: %j", (input, problem) => {
    expect(problemsOf(input)).toEqual([problem]);
  });

  it("uses its own words for every wrong value of every option", () => {
    const paths = [...readFileSync("docs/options.md", "utf8").matchAll(/^## `(.+)`$/gm)].map(([, path = ""]) => path);
    const values = [null, true, -1.5, 1e9, "", "?", "x".repeat(999), [], [0], [""], {}, { "?": 0 }, () => {}];
    const problems = paths.flatMap((path) =>
      values.flatMap((value) =>
        problemsOf(path.split(".").reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)),
      ),
    );
    expect(problems.length).toBeGreaterThan(paths.length);
    const ours = /^`[^`]+` (?:must|is not an option)(?!.*(?:expected|received|[iI]nvalid|undefined|\bNaN))/;
    expect([...new Set(problems)].filter((problem) => !ours.test(problem))).toEqual([]);
  });

  it("accepts pins for every role and scheme, and custom roles", () => {
    const colors = { primary: "#123", "dark-primary": "#abcdef", seal: "#aa0000" };
    expect(parseOptions({ brandKit: { colors, fonts: { body: "Lora" } } }).brandKit).toEqual({
      colors,
      fonts: { body: "Lora" },
      frame: {},
      logos: {},
    });
  });

  it.each([null, 1, "embedded", []])("rejects options that aren't an object: %j", (input) => {
    if (input === null) expect(parseOptions(input)).toBeDefined();
    else expect(problemsOf(input)).toHaveLength(1);
  });
});
