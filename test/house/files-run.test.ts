import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, it } from "vitest";
import type { FilesRun } from "../../tools/house/files-run.ts";

const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));

// In a separate process, because the test runner loads our files in its own way.
const PROGRAM = `import { filesRun } from "./tools/house/files-run.ts";
console.log(JSON.stringify(await filesRun(process.argv[1])));`;

let run: FilesRun;

beforeAll(() => {
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", PROGRAM, REPOSITORY], {
    cwd: REPOSITORY,
    // With the compile cache, coverage isn't exact.
    env: { ...process.env, NODE_DISABLE_COMPILE_CACHE: "1" },
    encoding: "utf8",
  });
  run = JSON.parse(output);
});

it("a request runs few of our files", () => {
  expect(run.put.length).toBeLessThanOrEqual(30);
  expect(run.get.length).toBeLessThanOrEqual(15);
  expect(run.beacon.length).toBeLessThanOrEqual(18);
});

it("a service in production neither loads nor runs development code", () => {
  const { put, get, beacon, loaded } = run;
  expect(loaded).toContain("service/host/handler.ts");
  expect([...loaded, ...put, ...get, ...beacon].filter((path) => path.includes("/development/"))).toEqual([]);
});
