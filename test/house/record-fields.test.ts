import { expect, it } from "vitest";
import { filesThatSpell, readSources } from "../../tools/house/sources.ts";

// Fields of records. Whatever handles all fields of a record goes by the contract and spells none of them.
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

it.each(FIELDS)("%s is spelled in at most 9 files", (field) => {
  expect(filesThatSpell(files, field).length).toBeLessThanOrEqual(9);
});
