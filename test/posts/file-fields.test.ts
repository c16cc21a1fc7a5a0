import { expect, test } from "vitest";
import { describeFields, parseField } from "../../src/posts/edit/file-fields.ts";
import { FIELD_SETTINGS } from "./folder.ts";

const SOURCES = { settings: FIELD_SETTINGS, schema: undefined, neighbours: [] };

test("a tag with a comma can be edited, and stays one tag", () => {
  const [field] = describeFields({ tags: ["paper", "Portland, Oregon"] }, SOURCES);
  expect(field).toMatchObject({ key: "tags", kind: "list", value: 'paper, "Portland, Oregon"' });
  if (field === undefined) return;
  expect(parseField(field, `${field.value}, "Salem, Oregon"`)).toEqual({
    kind: "list",
    items: ["paper", "Portland, Oregon", "Salem, Oregon"],
  });
});
