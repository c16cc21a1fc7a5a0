import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FieldSettings } from "../../src/posts/read/field-keys.ts";
import { readFields, type PostFields, type ReadFields } from "../../src/posts/read/fields.ts";
import { parseFrontMatter } from "../../src/posts/read/front-matter.ts";

const SETTINGS: FieldSettings = { timezone: "UTC", fields: {}, statuses: {}, tags: "comma" };

function read(yaml: string, settings: Partial<FieldSettings> = {}): ReadFields {
  const text = /^(?:---|\+\+\+)/.test(yaml) ? yaml : `---\n${yaml}\n---\n`;
  const parsed = parseFrontMatter(text);
  if (parsed.kind === "refused") throw new Error(parsed.problem.message);
  return readFields(parsed.frontMatter, { ...SETTINGS, ...settings });
}

function fieldsOf(yaml: string, settings: Partial<FieldSettings> = {}): PostFields {
  const { fields, problems } = read(yaml, settings);
  expect(problems).toEqual([]);
  return fields;
}

describe("supports the front matter of", () => {
  it("Astro's blog example", () => {
    const yaml =
      "title: 'First post'\ndescription: 'Lorem'\npubDate: 'Jul 08 2022'\nupdatedDate: 'Jul 09 2022'\nheroImage: '../a.jpg'";
    expect(fieldsOf(yaml)).toMatchObject({
      title: "First post",
      excerpt: "Lorem",
      publishedAt: new Date("2022-07-08"),
      cover: { source: "../a.jpg", alt: undefined, position: { line: 6, column: 1 } },
    });
  });

  it("Starlight's blog", () => {
    const yaml = `title: Hi\ndate: 2023-07-24\nexcerpt: Small\nauthors:\n  - name: Ann\n    url: https://a.example\n  - Ben\ncover:\n  alt: Hills\n  light: ./l.png\n  dark: ./d.png\ntags: [a, b]`;
    expect(fieldsOf(yaml)).toMatchObject({
      author: "Ann, Ben",
      cover: { source: "./l.png", alt: "Hills" },
      tags: ["a", "b"],
      publishedAt: new Date("2023-07-24"),
    });
  });

  it("Hugo's TOML", () => {
    const toml = `+++\ntitle = "Hi"\ndate = 2024-01-02T10:00:00+02:00\npublishDate = 2024-01-03\nexpiryDate = 2030-01-01 # later\ndraft = false\nsummary = "S"\ncategories = ["C"]\ntags = ["T"]\n[params]\nx = 1\n+++\n`;
    expect(fieldsOf(toml)).toMatchObject({
      publishedAt: new Date("2024-01-03"),
      expiresAt: new Date("2030-01-01"),
      excerpt: "S",
      tags: ["T", "C"],
      isDraft: false,
    });
  });

  it("Jekyll's", () => {
    const yaml =
      "Title: Hi\ndate: 2013-05-05 12:34:56 +0800\ncategories: red green\npublished: true\npermalink: /news/:title/";
    expect(fieldsOf(yaml, { tags: "space" })).toMatchObject({
      title: "Hi",
      slug: undefined,
      publishedAt: new Date("2013-05-05T04:34:56Z"),
      tags: ["red", "green"],
    });
  });

  it("dev.to and Hashnode", () => {
    const yaml = `title: Hi\npublished: true\ncover_image: https://cdn.example/c.png\ncanonical_url: https://a.example/hi\ntags: 'go, rust'\ndatePublished: Sat Jan 01 2022 00:00:00 GMT+0000 (Coordinated Universal Time)`;
    expect(fieldsOf(yaml)).toMatchObject({
      cover: { source: "https://cdn.example/c.png" },
      canonicalUrl: "https://a.example/hi",
      tags: ["go", "rust"],
      publishedAt: new Date("2022-01-01"),
    });
  });

  it("Obsidian's", () => {
    expect(fieldsOf("tags:\n  - '#garden'\n  - garden\n  - Plants/Trees\npublish: true\nlang: de")).toMatchObject({
      title: undefined,
      tags: ["garden", "Plants/Trees"],
      isDraft: false,
      language: "de",
    });
  });

  it("a custom format, with a mapping", () => {
    const mapping = { title: "headline", date: "when", slug: "address" } as const;
    const fields = fieldsOf("title: No\nheadline: Yes\nwhen: 2024-01-02\ndate: nonsense\naddress: x", {
      fields: mapping,
    });
    expect(fields).toMatchObject({ title: "Yes", slug: "x", publishedAt: new Date("2024-01-02") });
  });

  it.each(["title", "Title", "TITLE"])("any letter case: %s", (key) => {
    expect(fieldsOf(`${key}: Hi`).title).toBe("Hi");
  });

  it.each([
    "publish_date",
    "publish-date",
    "publishDate",
    "PublishDate",
    "pubDate",
    "pub_date",
    "date",
    "published",
    "pubDatetime",
  ])("dates as %s", (key) => {
    expect(fieldsOf(`${key}: 2024-01-02`).publishedAt).toEqual(new Date("2024-01-02"));
  });

  it("numbers and dates as titles and slugs, which keep every character", () => {
    expect(fieldsOf("title: 1.10\nslug: 007")).toMatchObject({ title: "1.10", slug: "007" });
  });
});

describe("a post is a draft", () => {
  it.each([
    "draft: true",
    "published: false",
    "publish: false",
    "status: draft",
    "Status: Private",
    "permalink: false",
    "draft: True",
  ])("with %s", (yaml) => {
    expect(fieldsOf(yaml).isDraft).toBe(true);
  });

  it.each(["draft: false", "published: true", "status: published", "title: Hi", "draft:", "published: 2024-01-02"])(
    "but not with %s",
    (yaml) => {
      expect(fieldsOf(yaml).isDraft).toBe(false);
    },
  );

  it.each([
    'draft: "false"',
    'draft: "true"',
    "draft: no",
    "draft: yes",
    "draft: 0",
    "draft: 1",
    "draft: off",
    "draft: maybe",
    "draft: [true]",
    'published: "false"',
    "published: no",
    "published: 0",
    "publish: someday",
  ])("or invalid: %s is neither true nor false", (yaml) => {
    const { problems } = read(`title: Hi\n${yaml}`);
    expect(problems).toMatchObject([{ line: 3, column: 1, message: expect.stringContaining("must be true or false") }]);
  });

  it("in TOML and JSON, too", () => {
    expect(fieldsOf('+++\ntitle = "x"\ndraft = true\n+++\n').isDraft).toBe(true);
    expect(read('---json\n{"draft": 0}\n---\n').problems).toHaveLength(1);
  });
});

describe("front matter errors are reported with their lines, all at once:", () => {
  it("several of them", () => {
    const yaml =
      "title: [a]\ndate: 2024-02-30\ntags: { a: 1 }\nauthor: 5\ncover: { alt: x }\ncanonical: /here\ndraft: no";
    expect(
      read(yaml)
        .problems.map(({ line, message }) => `${line} ${message}`)
        .toSorted(),
    ).toEqual([
      '2 "title" must be text.',
      '3 "date": "2024-02-30" is not a valid date: that month has 29 days.',
      '4 "tags" must be a list of strings.',
      '6 "cover" must be a path, or an object with a path and an "alt" text.',
      '7 "canonical" must be a URL that starts with https://.',
      '8 "draft" must be true or false, without quotes; "no" is neither.',
    ]);
  });

  it("an impossible date in TOML, which its parser would roll over", () => {
    expect(read("+++\ndate = 2024-02-30 # x\n+++\n").problems).toMatchObject([
      { line: 2, message: expect.stringContaining("29 days") },
    ]);
  });

  it.each([
    [`title: ${"x".repeat(201)}`, '"title" has 201 characters; at most 200 are allowed.'],
    [`description: ${"x".repeat(2001)}`, '"description" has 2001 characters; at most 2000 are allowed.'],
    [
      `tags: [${Array.from({ length: 21 }, (_, index) => `t${index}`).join(", ")}]`,
      "The post has 21 tags; at most 20 are allowed.",
    ],
    [`tags: [${"x".repeat(61)}]`, `The tag "${"x".repeat(61)}" is longer than 60 characters.`],
  ])("values that the service would reject (%#)", (yaml, message) => {
    expect(read(yaml).problems).toMatchObject([{ line: 2, message }]);
  });
});

describe("a permalink", () => {
  it.each([
    ["/2024/my-post/", "my-post", undefined],
    ["/2024/my-post.html", "my-post", undefined],
    ["blog/my-post/index.html", "my-post", undefined],
    ["https://a.example/x/my-post/?a#b", "my-post", "https://a.example/x/my-post/?a#b"],
    ["/:year/:title/", undefined, undefined],
    ["/{{ page.fileSlug }}/", undefined, undefined],
  ])("%s produces the slug %s", (permalink, slug, canonicalUrl) => {
    expect(fieldsOf(`permalink: ${JSON.stringify(permalink)}`)).toMatchObject({ slug, canonicalUrl });
  });

  it("has lower precedence than a slug and a canonical URL", () => {
    const yaml = "permalink: https://a.example/x\nslug: y\ncanonical: https://b.example/z";
    expect(fieldsOf(yaml)).toMatchObject({ slug: "y", canonicalUrl: "https://b.example/z" });
  });
});

it("any value of any key is read or reported, without throwing, with the same result every time", () => {
  const keys = fc.constantFrom(
    "title",
    "date",
    "published",
    "draft",
    "tags",
    "authors",
    "cover",
    "canonical",
    "permalink",
    "slug",
    "status",
  );
  const data = fc.dictionary(keys, fc.jsonValue({ maxDepth: 3 }));
  fc.assert(
    fc.property(data, (value) => {
      const text = `---json\n${JSON.stringify(value)}\n---\n`;
      const first = read(text);
      expect(read(text)).toEqual(first);
      expect(first.problems.every(({ message }) => message.length > 10)).toBe(true);
    }),
    { numRuns: 1000 },
  );
});
