import { describe, expect, it } from "vitest";
import * as extensions from "../../src/contract/extension-records.ts";
import { fieldsOf, titleOf, type RecordContract } from "../../src/contract/fields.ts";
import * as records from "../../src/contract/records.ts";

const ALL = Object.entries<unknown>({ ...records, ...extensions }).filter(
  (entry): entry is [string, RecordContract] => typeof entry[1] === "object" && "full" in Object(entry[1]),
);

describe.each(ALL)("%s", (_, record) => {
  it("has a title and a description for each of its fields, for forms, columns, and tools", () => {
    const bare = fieldsOf(record).filter(({ name, title, description }) => title === name || description === "");
    expect(bare).toEqual([]);
  });

  it("describes each field in sentences", () => {
    const fragments = fieldsOf(record).filter(({ description }) => !/^[A-Z].*\.$/s.test(description));
    expect(fragments).toEqual([]);
  });

  it("has every field of `minimum` in `full`", () => {
    const { minimum, full } = record;
    expect(Object.keys(full.shape)).toEqual(expect.arrayContaining(Object.keys(minimum.shape)));
  });
});

it("returns the title of a field", () => {
  expect(titleOf(records.postRecord, "coverImage")).toBe("Cover image");
});
