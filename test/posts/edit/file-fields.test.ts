import { expect, it } from "vitest";
import { describeFields } from "../../../src/posts/edit/file-fields.ts";

const SETTINGS = { fields: {}, statuses: {}, tags: "comma", timezone: "UTC" } as const;

it.each([null, "", undefined])(
  "a key without a value is a field of text, if other posts have %j there, too",
  (value) => {
    const fields = describeFields(
      { subtitle: null },
      {
        settings: SETTINGS,
        schema: undefined,
        neighbours: [{ subtitle: value }],
      },
    );
    expect(fields).toMatchObject([{ key: "subtitle", kind: "text", value: "" }]);
  },
);

it("a key without a value has the kind that it has in other posts", () => {
  const sources = { settings: SETTINGS, schema: undefined, neighbours: [{ pinned: true }] };
  expect(describeFields({ pinned: null }, sources)).toMatchObject([{ key: "pinned", kind: "switch", value: "" }]);
});

const REFERENCE = {
  anyOf: [
    { type: "number" },
    { type: "string" },
    { type: "object", properties: { id: { type: "string" }, collection: { type: "string" } }, required: ["id"] },
  ],
};
const VARIANTS = {
  oneOf: [
    { type: "object", properties: { type: { type: "string", const: "video" } }, required: ["type"] },
    { type: "object", properties: { type: { type: "string", const: "text" } }, required: ["type"] },
  ],
};

it.each([
  ["a reference to another collection", REFERENCE, { kind: "text", choices: [] }],
  ["references to another collection", { type: "array", items: REFERENCE }, { kind: "list" }],
  ["a choice or null", { anyOf: [{ type: "string", enum: ["easy", "hard"] }, { type: "null" }] }, { kind: "choice" }],
  [
    "one of several texts",
    { anyOf: ["a", "b"].map((text) => ({ type: "string", const: text })) },
    { kind: "choice", choices: ["a", "b"] },
  ],
  ["a known text or any other", { anyOf: [{ type: "string", enum: ["a"] }, { type: "string" }] }, { kind: "text" }],
  ["a date or null", { anyOf: [{ type: "string", format: "date-time" }, { type: "null" }] }, { kind: "date" }],
])("a field that may be %s is edited as such", (_, property, expected) => {
  const schema = { properties: { field: property }, required: [] };
  expect(describeFields({}, { settings: SETTINGS, schema, neighbours: [] })).toMatchObject([expected]);
});

it("a field that may be one of several objects is left to the author", () => {
  const schema = { properties: { field: VARIANTS }, required: [] };
  expect(describeFields({}, { settings: SETTINGS, schema, neighbours: [] })).toEqual([]);
});
