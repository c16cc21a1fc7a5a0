import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { beforeAll, expect, it } from "vitest";
import type { FilesRun } from "../../tools/house/files-run.ts";

const REPOSITORY = fileURLToPath(new URL("../../", import.meta.url));

// In a process of its own: the runner of the tests loads our files in its own way.
const PROGRAM = `import { filesRun } from "./tools/house/files-run.ts";
console.log(JSON.stringify(await filesRun(process.argv[1])));`;

let run: FilesRun;

beforeAll(() => {
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", PROGRAM, REPOSITORY], {
    cwd: REPOSITORY,
    // What is run can't be told exactly of modules that come compiled.
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

it("a service in production neither loads nor runs what is for development", () => {
  const { put, get, beacon, loaded } = run;
  expect(loaded).toContain("service/host/handler.ts");
  expect([...loaded, ...put, ...get, ...beacon].filter((path) => path.includes("/development/"))).toEqual([]);
});
