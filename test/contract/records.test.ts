import { describe, expect, it } from "vitest";
import * as extensions from "../../src/contract/extension-records.ts";
import { fieldsOf, titleOf, type RecordContract } from "../../src/contract/fields.ts";
import * as records from "../../src/contract/records.ts";

const ALL = Object.entries<unknown>({ ...records, ...extensions }).filter(
  (entry): entry is [string, RecordContract] => typeof entry[1] === "object" && "full" in Object(entry[1]),
);

describe.each(ALL)("%s", (_, record) => {
  it("has a title and a description for each of its fields, so that forms, columns and tools can show them", () => {
    const bare = fieldsOf(record).filter(({ name, title, description }) => title === name || description === "");
    expect(bare).toEqual([]);
  });

  it("describes each field in sentences", () => {
    const fragments = fieldsOf(record).filter(({ description }) => !/^[A-Z].*\.$/s.test(description));
    expect(fragments).toEqual([]);
  });

  it("has in `full` what it has in `minimum`", () => {
    const { minimum, full } = record;
    expect(Object.keys(full.shape)).toEqual(expect.arrayContaining(Object.keys(minimum.shape)));
  });
});

it("gives the title of one field", () => {
  expect(titleOf(records.postRecord, "coverImage")).toBe("Cover image");
});
