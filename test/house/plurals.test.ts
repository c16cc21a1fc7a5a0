import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { REPOSITORY, trackedFiles } from "../../tools/house/sources.ts";

const NOUNS =
  "entries|fields|files|hashes|headings|images|links|minutes|pages|posts|problems|redirects|requests|rows|sites|slugs|steps|warnings|words|writes";
const COUNTED = new RegExp(`\\$\\{([^{}\\n]{1,60})\\} (?:more |other )?(?:${NOUNS})\\b`, "g");
/** Limits, and parts of a whole. */
const LIMIT = /(?:at most|more than|longer than|the first|of) $/i;
/** What is never one. */
const SEVERAL = [
  "several: (count) => `",
  "items.length > MAX_PAGES",
  "link => `The account has ${items.length} sites",
  "${live.length} sites have a live release",
  "the account has ${items.length} pages",
  "The account has ${items.length} sites",
  "of ${images.length} images",
  "requests ${named.length} files",
  "failed on ${failures} writes",
  "All ${site.pageCount} pages",
  "${baseUrl} redirects",
  "${url} redirects",
  "${address} redirects",
  "${post.file} links",
  "${size} entries",
  "exceeds ${steps} steps",
  ": `${group.length} pages",
  ": `these ${held.length} pages`",
  ": `${count} files in the library seem`",
  "length === 1 ? word",
];

it("no text of ours can say “1 files”: what is counted goes through `pluralize`", () => {
  const sources = trackedFiles().filter((path) => /^src\/.*\.tsx?$/.test(path));
  const wrong = sources.flatMap((path) =>
    readFileSync(join(REPOSITORY, path), "utf8")
      .split("\n")
      .filter((line) => line.includes("${") && !SEVERAL.some((words) => line.includes(words)))
      .flatMap((line) =>
        [...line.matchAll(COUNTED)]
          .filter(({ index, 1: value = "" }) => !LIMIT.test(line.slice(0, index)) && !/^[A-Z_]+$/.test(value))
          .map(([words]) => `${path}: ${words}`),
      ),
  );
  expect(wrong).toEqual([]);
});
