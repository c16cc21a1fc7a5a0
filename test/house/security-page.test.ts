import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PAGE = readFileSync(join(ROOT, "docs/security.md"), "utf8");

/** The number of requirements at levels 1 and 2 under each heading of the standard, which come first. */
const HEADINGS: Readonly<Record<string, number>> = {
  ...{ "1.1": 2, "1.2": 9, "1.3": 11, "1.4": 3, "1.5": 2, "2.1": 3, "2.2": 3, "2.3": 4, "2.4": 1 },
  ...{ "3.2": 2, "3.3": 4, "3.4": 6, "3.5": 5, "3.7": 2, "4.1": 3, "4.2": 1, "4.3": 2, "4.4": 4 },
  ...{ "5.1": 1, "5.2": 3, "5.3": 2, "5.4": 3, "6.1": 3, "6.2": 11, "6.3": 3, "6.4": 4, "6.5": 5, "6.6": 3, "6.8": 4 },
  ...{ "7.1": 3, "7.2": 4, "7.3": 2, "7.4": 5, "7.5": 2, "7.6": 2, "8.1": 2, "8.2": 3, "8.3": 1, "8.4": 1 },
  ...{ "9.1": 3, "9.2": 4, "10.1": 2, "10.2": 2, "10.3": 4, "10.4": 11, "10.5": 5, "10.6": 2, "10.7": 3 },
  ...{ "11.1": 2, "11.2": 3, "11.3": 3, "11.4": 4, "11.5": 1, "11.6": 1, "12.1": 3, "12.2": 2, "12.3": 4 },
  ...{ "13.1": 1, "13.2": 5, "13.3": 2, "13.4": 5, "14.1": 2, "14.2": 4, "14.3": 3, "15.1": 3, "15.2": 3, "15.3": 7 },
  ...{ "16.1": 1, "16.2": 5, "16.3": 4, "16.4": 3, "16.5": 3, "17.1": 1, "17.2": 4, "17.3": 2 },
};

const ROWS = PAGE.split("\n").flatMap((line) => {
  const [, requirement = "", status = "", where = ""] = /^\| (\d.*?) \| (.*?) \| (.*?) \|$/.exec(line) ?? [];
  return requirement === "" ? [] : [{ requirement, status, where }];
});

/** The requirement numbers in a row, with ranges such as 6.2.1–6.2.11 expanded. */
function numbersOf(requirement: string): readonly string[] {
  return [...requirement.matchAll(/(\d+\.\d+)\.(\d+)(?:–\d+\.\d+\.(\d+))?/g)].flatMap(([, heading, first, last]) => {
    const count = Number(last ?? first) - Number(first) + 1;
    return Array.from({ length: count }, (_, index) => `${heading}.${Number(first) + index}`);
  });
}

it("lists every requirement of levels 1 and 2 exactly once", () => {
  const expected = Object.entries(HEADINGS).flatMap(([heading, count]) =>
    Array.from({ length: count }, (_, index) => `${heading}.${index + 1}`),
  );
  expect(ROWS.flatMap(({ requirement }) => numbersOf(requirement)).toSorted()).toEqual(expected.toSorted());
});

it("states met, not applicable, or missing for each, and where or why", () => {
  expect(ROWS.filter(({ status }) => !/^(?:Met|Not applicable|\*\*Missing\*\*)/.test(status))).toEqual([]);
  expect(ROWS.filter(({ where }) => where.length < 5)).toEqual([]);
});

it("names existing tests and pages", () => {
  const tests = [...PAGE.matchAll(/`(test\/[^`]+)`/g)].map(([, path = ""]) => path);
  expect(tests.length).toBeGreaterThan(100);
  expect(tests.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  const pages = [...PAGE.matchAll(/\]\(([^)#:]+\.md)/g)].map(([, path = ""]) =>
    join(ROOT, dirname("docs/security.md"), path),
  );
  expect(pages.filter((path) => !existsSync(path))).toEqual([]);
});
