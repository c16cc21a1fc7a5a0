import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";

const MEBIBYTE = 1024 * 1024;

// Half of each round's objects survive it, which makes V8 enlarge the space of new objects.
const PROGRAM = `
import { getHeapSpaceStatistics } from "node:v8";
import { limitYoungSpace } from ${JSON.stringify(new URL("../../src/cli/young-space.ts", import.meta.url).href)};
limitYoungSpace();
let [kept, most] = [[], 0];
for (let round = 0; round < 40; round += 1) {
  kept = Array.from({ length: 60_000 }, (_, at) => ({ at, list: [round, at] }));
  most = Math.max(most, getHeapSpaceStatistics().find((space) => space.space_name === "new_space").space_size);
  await new Promise((done) => setTimeout(done, 5));
}
console.log(most);
`;

it("limits V8's young generation under heavy allocation", () => {
  const most = Number(execFileSync(process.execPath, ["--input-type=module", "--eval", PROGRAM], { encoding: "utf8" }));
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(32 * MEBIBYTE);
});
