// Prints metrics of the code base: sizes, import chains, folders that import each other, the files that run for one
// request and the files that contain a record's field. `npm run house -- [--json | --details | --words [path]]`
import { filesRun } from "./house/files-run.ts";
import { REPOSITORY, filesThatSpell, longestChain, mutualPairs, readSources, trackedFiles } from "./house/sources.ts";
import { findRetiredWords } from "./house/words.ts";

const SMALL_LINES = 25;

/** One field of each record, by its name in the contract: of a post, a site, an asset, a page, a blog, a submission. */
const FIELDS = ["canonicalUrl", "homeSlug", "altText", "publicUrl", "coverImage", "submittedAt"] as const;

function quantile(numbers: readonly number[], share: number): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor((numbers.length - 1) * share)] ?? 0;
}

const files = readSources();
const lines = files.map((file) => file.lines);
const chain = longestChain(files);
const pairs = mutualPairs(files);
const run = await filesRun(REPOSITORY);
const spelled = FIELDS.map((field) => ({ field, count: filesThatSpell(files, field).length }));

const words = findRetiredWords();

const rows: readonly (readonly [string, string, string])[] = [
  ["source files", String(files.length), ""],
  ["lines", String(lines.reduce((sum, count) => sum + count, 0)), "≤ 55000"],
  ["lines a file: median / p90 / max", [0.5, 0.9, 1].map((share) => quantile(lines, share)).join(" / "), ""],
  [`files under ${SMALL_LINES} lines`, String(lines.filter((count) => count < SMALL_LINES).length), "< 80"],
  ["import depth (longest chain)", String(chain.length), "≤ 12"],
  ["rooms that import each other by value", String(pairs.length), "0"],
  [
    "our files that run for PUT / GET / beacon",
    `${run.put.length} / ${run.get.length} / ${run.beacon.length}`,
    "≤ 30 / 15 / 18",
  ],
  ...spelled.map(({ field, count }) => [`files that spell ${field}`, String(count), "≤ 9"] as const),
  ["retired words", String(words.length), "0"],
  ["tracked entries at the top level", String(new Set(trackedFiles().map((path) => path.split("/")[0])).size), "≤ 15"],
];

if (process.argv.includes("--json")) {
  console.log(JSON.stringify({ rows, chain, pairs }, undefined, 2));
} else if (process.argv.includes("--words")) {
  const [under = ""] = process.argv.slice(process.argv.indexOf("--words") + 1);
  for (const { place, word, instead } of words.filter((found) => found.place.startsWith(under))) {
    console.log(`${place}  ${word} → ${instead}`);
  }
} else {
  for (const [name, value, goal] of rows) console.log(`${name.padEnd(46)}${value.padStart(16)}   ${goal}`);
  if (process.argv.includes("--details")) console.log(`\n${chain.join("\n  ")}\n\n${pairs.join("\n")}`);
}
