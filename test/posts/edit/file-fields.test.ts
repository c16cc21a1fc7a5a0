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
