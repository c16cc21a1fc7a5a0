import { readdir, readFile } from "node:fs/promises";
import { expect, it } from "vitest";

it("lists every rewriting fixture in docs/rewriting.md, and no other", async () => {
  const page = await readFile(new URL("../../../docs/rewriting.md", import.meta.url), "utf8");
  const rows = page.split("\n").filter((line) => /^\| (?!Place|---)/.test(line));
  const listed = rows.flatMap((row) =>
    [...(row.split("|").at(-2) ?? "").matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  const fixtures = await readdir(new URL("../../fixtures/rewrite", import.meta.url));
  expect([...new Set(listed)].toSorted()).toEqual(fixtures.toSorted());
});
