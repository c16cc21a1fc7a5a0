import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";

const MEBIBYTE = 1024 * 1024;

// Half of what is made in a round outlives it, which makes V8 give new objects more space.
const PROGRAM = `
import { getHeapSpaceStatistics } from "node:v8";
import { limitYoungSpace } from ${JSON.stringify(new URL("../../src/cli/young-space.ts", import.meta.url).href)};
limitYoungSpace();
let [kept, most] = [[], 0];
for (let round = 0; round < 150; round += 1) {
  kept = Array.from({ length: 60_000 }, (_, at) => ({ at, list: [round, at] }));
  most = Math.max(most, getHeapSpaceStatistics().find((space) => space.space_name === "new_space").space_size);
  await new Promise((done) => setTimeout(done, 5));
}
console.log(most);
`;

it("keeps the space of new objects small while much is made", () => {
  const most = Number(execFileSync(process.execPath, ["--input-type=module", "--eval", PROGRAM], { encoding: "utf8" }));
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(32 * MEBIBYTE);
});
