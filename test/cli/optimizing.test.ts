import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";

// V8 tells with `--trace-opt` what it optimizes, here at once and on no other thread. No timer fires during a loop.
const PROGRAM = `
import { putOffOptimizing } from ${JSON.stringify(new URL("../../src/cli/optimizing.ts", import.meta.url).href)};
function early(number) { return number % 7; }
function late(number) { return number % 7; }
putOffOptimizing(1);
let sum = 0;
for (let at = 0; at < 200_000; at += 1) sum += early(at);
for (let round = 0; round < 20; round += 1) {
  await new Promise((done) => setTimeout(done, 25));
  for (let at = 0; at < 1_000_000; at += 1) sum += late(at);
}
`;

it("optimizes nothing at first, and what runs often when the process goes on", () => {
  const flags = ["--trace-opt", "--no-concurrent-recompilation", "--input-type=module", "--eval", PROGRAM];
  const told = execFileSync(process.execPath, flags, { encoding: "utf8" });
  const compiled = told.split("\n").filter((line) => line.startsWith("[compiling method"));
  expect(compiled.filter((line) => line.includes("early"))).toEqual([]);
  expect(compiled.filter((line) => line.includes("late")).length).toBeGreaterThan(0);
});
