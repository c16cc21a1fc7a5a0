import { describe, expect, it } from "vitest";
import { setKey, type KeyValue } from "../../src/posts/edit/set-key.ts";

const text = (value: string): KeyValue => ({ kind: "text", text: value });
const plain = (value: string): KeyValue => ({ kind: "plain", text: value });
const list = (...items: readonly string[]): KeyValue => ({ kind: "list", items });

/** A file with more than the key, so that unintended changes would show. */
const around = (lines: string) =>
  `---\n# On top\nother:   "kept"   # as it is\n${lines}nested: { a: [1,2] , b: &x 1 }\n---\n\nText\n`;

const CASES: readonly (readonly [
  name: string,
  before: string,
  key: string,
  value: KeyValue | undefined,
  after: string,
])[] = [
  ["single quotes", "title: 'Old'  # why\n", "title", text("It's new"), "title: 'It''s new'  # why\n"],
  ["double quotes", 'title: "Old"\n', "title", text('A "new" one'), 'title: "A \\"new\\" one"\n'],
  ["no quotes", "title: Old # c\n", "title", text("New one"), "title: New one # c\n"],
  ["no quotes, where the new value needs them", "title: Old\n", "title", text("New: one"), 'title: "New: one"\n'],
  ["a text that looks like a number", "title: Old\n", "title", text("2024"), 'title: "2024"\n'],
  ["a text that looks like a date", "title: Old\n", "title", text("2024-01-31"), 'title: "2024-01-31"\n'],
  ["a text that YAML 1.1 reads as a boolean", "title: Old\n", "title", text("yes"), 'title: "yes"\n'],
  ["a text with a comment sign", "title: Old\n", "title", text("C #1"), 'title: "C #1"\n'],
  ["an emoji and a dash", "title: Old\n", "title", text("New – 🥖"), "title: New – 🥖\n"],
  ["a date in quotes", "date: 'Jul 08 2022'\n", "date", plain("2024-01-31"), "date: '2024-01-31'\n"],
  ["a date without quotes", "date: 2022-07-08\n", "date", plain("2024-01-31"), "date: 2024-01-31\n"],
  ["a number that no schema knows", "order: 7 # c\n", "order", text("8"), "order: 8 # c\n"],
  ["a fraction that no schema knows", "ratio: 1.5\n", "ratio", text("-2.5"), "ratio: -2.5\n"],
  ["a date that no schema knows", "seen: 2026-01-05\n", "seen", text("2026-02-06"), "seen: 2026-02-06\n"],
  [
    "a time without quotes",
    "date: 2024-01-31T10:00:00Z # c\n",
    "date",
    text("2024-02-01T10:00:00Z"),
    "date: 2024-02-01T10:00:00Z # c\n",
  ],
  [
    "a time without quotes, with a space before the time of day",
    "date: 2024-01-31 10:00:00 +02:00\n",
    "date",
    text("2024-02-01 09:30:00 +02:00"),
    "date: 2024-02-01 09:30:00 +02:00\n",
  ],
  ["a number that becomes a date", "seen: 7\n", "seen", text("2026-02-06"), 'seen: "2026-02-06"\n'],
  ["a number instead of a text in quotes", 'level: "easy"\n', "level", plain("7"), "level: 7\n"],
  ["a number in quotes", 'order: "7"\n', "order", plain("8"), 'order: "8"\n'],
  ["a switch", "draft: true # for now\n", "draft", plain("false"), "draft: false # for now\n"],
  ["an empty value", "title:   # to do\n", "title", text("New"), 'title: "New"   # to do\n'],
  ["a folded text", "about: >-\n  one\n  two\nx: y\n", "about", text("new words"), "about: >-\n  new words\nx: y\n"],
  ["lines", "about: |\n    one\n    two\n", "about", text("a\n\nb\n"), "about: |\n    a\n\n    b\n"],
  ["lines without a last line end", "about: | # c\n  one\n  two\n", "about", text("a\nb"), "about: |- # c\n  a\n  b\n"],
  ["lines with a last line end", "about: |-\n  one\nx: y\n", "about", text("a\nb\n"), "about: |\n  a\n  b\nx: y\n"],
  ["lines with empty ones at their end", "about: |+\n  one\n\nx: y\n", "about", text("a\n"), "about: |+\n  a\nx: y\n"],
  [
    "lines that end with empty ones, before another key",
    "about: |+\n  one\n\nx: y\n",
    "about",
    text("a\nb\n\n\n"),
    "about: |+\n  a\n  b\n\n\nx: y\n",
  ],
  ["lines that get an empty one at their end", "about: |\n  one\n", "about", text("a\n\n"), "about: |+\n  a\n\n"],
  [
    "a folded text with paragraphs and empty lines at its end",
    "about: >+\n  one\n\nx: y\n",
    "about",
    text("a\nb\n\nc\n\n"),
    "about: >+\n  a\n\n  b\n\n\n  c\n\nx: y\n",
  ],
  ["a text over two lines", "about: one\n  two\n", "about", text("three"), "about: three\n"],
  ["a key with spaces before its colon", "title : Old\n", "title", text("New"), "title : New\n"],
  [
    "an added item, in brackets",
    "tags: [ a, 'b c' ] # t\n",
    "tags",
    list("a", "b c", "d"),
    "tags: [ a, 'b c', d ] # t\n",
  ],
  [
    "a changed item between others",
    "tags: [ a,  'b' ,c ] # t\n",
    "tags",
    list("a", "x", "c"),
    "tags: [ a, x, c ] # t\n",
  ],
  ["an added item, with spaces between others", "tags: [a,  b]\n", "tags", list("a", "b", "c"), "tags: [a,  b, c]\n"],
  [
    "a removed item, with spaces between others",
    "tags: [x, a,  b,c]\n",
    "tags",
    list("a", "b", "c"),
    "tags: [a,  b,c]\n",
  ],
  ["a removed last item", "tags: [a,  b, c]\n", "tags", list("a", "b"), "tags: [a,  b]\n"],
  ["a repeated item", "tags: [a, a]\n", "tags", list("a", "a", "a"), "tags: [a, a, a]\n"],
  [
    "brackets over several lines",
    "tags: [\n  a, # first\n  b\n]\n",
    "tags",
    list("a", "b", "c"),
    "tags: [\n  a, # first\n  b, c\n]\n",
  ],
  ["all items in brackets", "tags: [ a, b ]\n", "tags", list("c"), "tags: [ c ]\n"],
  ["a removed item, in brackets", "tags: ['a', 'b']\n", "tags", list("b"), "tags: ['b']\n"],
  [
    "items on separate lines",
    'tags:\n  - a # first\n  - "b"\n',
    "tags",
    list("a", "c"),
    "tags:\n  - a # first\n  - c\n",
  ],
  ["items on separate lines without indentation", "tags:\n- a\n- b\n", "tags", list("b", "a"), "tags:\n- b\n- a\n"],
  ["a list that was empty", "tags: []\n", "tags", list("a", "b: c"), 'tags: ["a", "b: c"]\n'],
  ["a list that becomes empty", "tags:\n  - a\n", "tags", list(), "tags:\n  []\n"],
  ["a removed value", "title: Old # gone too\nx: y\n", "title", undefined, "x: y\n"],
  ["a removed multiline value", "about: |\n  one\n\n  two\nx: y\n", "about", undefined, "x: y\n"],
  ["a removed list", "tags:\n  - a\n  - b\nx: y\n", "tags", undefined, "x: y\n"],
];

describe("a changed key of the front matter", () => {
  const cases = CASES.map(([name, ...change]) => ({ name, change }));
  it.each(cases)("changes no other byte: $name", ({ change: [before, key, value, after] }) => {
    expect(setKey(around(before), key, value)).toBe(around(after));
    const windows = (lines: string) => around(lines).replaceAll("\n", "\r\n");
    expect(setKey(windows(before), key, value)).toBe(windows(after));
  });

  it("is added at the end if it is new, in the same quotes as the others", () => {
    expect(setKey("---\ntitle: 'A'\n---\nText", "about", text("New"))).toBe("---\ntitle: 'A'\nabout: 'New'\n---\nText");
    expect(setKey("---\n---\n", "tags", list("a"))).toBe("---\ntags: [a]\n---\n");
    expect(setKey("\uFEFF---\r\na: b\r\n---", "draft", plain("true"))).toBe("\uFEFF---\r\na: b\r\ndraft: true\r\n---");
  });

  it.each([
    { name: "another key means the same", source: "---\na: &x one\nb: *x\n---\n" },
    { name: "there is no front matter", source: "Text\n" },
    { name: "it is TOML", source: '+++\na = "b"\n+++\n' },
    { name: "the key appears twice", source: "---\na: b\na: c\n---\n" },
    { name: "it is a mapping in braces", source: "---\n{ b: c }\n---\n" },
  ])("is rejected if $name", ({ source }) => {
    expect(setKey(source, "a", text("new"))).toBeUndefined();
  });
});
