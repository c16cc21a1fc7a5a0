import * as fc from "fast-check";
import { expect, it } from "vitest";
import { isSentWithout, measureEdit, renderEdit, sentVersionOf } from "../../src/posts/identity/fingerprint.ts";
import { entryOf, localPost } from "./local-post.ts";

function editOf(before: string, after: string, title = "On ink") {
  const sent = sentVersionOf(localPost("ink", { text: before, title: "On ink" }));
  return measureEdit(localPost("ink", { text: after, title }), entryOf("ink", sent));
}

it.each([
  { name: "nothing", before: "a\nb", after: "a\n\nb\n", lines: 0 },
  { name: "a changed line", before: "a\nb", after: "a\nc", lines: 1 },
  { name: "two new lines", before: "a", after: "a\nb\nc", lines: 2 },
  { name: "a removed line and a changed one", before: "a\nb\nc", after: "a\nd", lines: 2 },
  { name: "one of two identical lines", before: "a\na", after: "a", lines: 1 },
  { name: "the title", before: "a", after: "a", title: "About ink", lines: 1 },
])("counts $name", ({ before, after, title, lines }) => {
  expect(editOf(before, after, title)).toEqual({ lines, images: 0 });
});

it("counts images, and describes both", () => {
  const sent = { ...sentVersionOf(localPost("ink")), images: ["00000000"] };
  const edit = measureEdit(localPost("ink", { text: "More." }), entryOf("ink", sent));
  expect(renderEdit(edit)).toBe("1 line, 1 image");
});

it("tells a field that a post was sent without from one that it had", () => {
  const sent = sentVersionOf(localPost("ink", { excerpt: "In short", tags: [], author: undefined }));
  expect((["excerpt", "author", "tags"] as const).map((field) => isSentWithout(field, sent))).toEqual([
    ...[false, true, true],
  ]);
});

it("returns nothing if the sent version is unknown", () => {
  expect(renderEdit(measureEdit(localPost("ink"), entryOf("ink")))).toBe("");
});

it("finds no edit in unchanged text, whatever it is", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(editOf(text, text)).toEqual({ lines: 0, images: 0 });
    }),
  );
});
