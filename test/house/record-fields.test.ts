import { expect, it } from "vitest";
import { filesThatSpell, readSources } from "../../tools/house/sources.ts";

// Fields of records. Code for all fields of a record uses the contract and names none of them.
const FIELDS = [
  "canonicalUrl",
  "homeSlug",
  "altText",
  "submittedAt",
  "publicUrl",
  "coverImage",
  "pageCount",
  "postCount",
  "submissionCount",
  "lastFour",
  "nextAttemptAt",
  "avgScroll",
] as const;

const files = readSources();

it.each(FIELDS)("at most 9 files name %s", (field) => {
  expect(filesThatSpell(files, field).length).toBeLessThanOrEqual(9);
});
