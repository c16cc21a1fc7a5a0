import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { complainOfNode } from "../../src/cli/node-version.ts";
import { runCli } from "../../src/cli/run-cli.ts";

it.each(["20.20.2", "22.9.0", "22.18.9", "9.11.0"])("rejects Node %s as too old", (version) => {
  expect(complainOfNode(version)).toContain(`this is Node ${version}`);
});

it.each(["22.19.0", "22.20.0", "24.21.0", "100.0.0"])("accepts Node %s", (version) => {
  expect(complainOfNode(version)).toBeUndefined();
});

/** A Node version on this machine that is too old. */
const oldNode = (process.env["PATH"] ?? "")
  .split(delimiter)
  .map((folder) => join(folder, "node"))
  .filter((program) => existsSync(program))
  .find((program) => complainOfNode(spawnSync(program, ["--version"], { encoding: "utf8" }).stdout.slice(1).trim()));

it.skipIf(oldNode === undefined)("an old Node version gets an error message instead of a crash", () => {
  const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
  const { status, stderr } = spawnSync(oldNode ?? "", [cli, "status"], { encoding: "utf8" });
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^astro-imprint needs Node .* this is Node /)]);
});

it("requires the same Node version as the package", () => {
  const { engines } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  expect(complainOfNode("1.0.0")).toContain(`needs Node ${engines.node.replace(">=", "")} or later`);
});

it("imprint --version prints only the package's version", async () => {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  let output = "";
  const streams = { out: { write: (text: string) => (output += text) }, error: { write() {} } };
  expect(await runCli(["--version"], { cwd: import.meta.dirname, environment: {}, ...streams })).toBe(0);
  expect(output).toBe(`${version}\n`);
});
