import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { temporaryFolder } from "../service/temporary-folder.ts";
import { atTerminal, KEYS, prompt, type Turn } from "./at-terminal.ts";

const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const QUESTION: Turn = [prompt("Where do you want to publish?"), KEYS.interrupt];

it.each<readonly [readonly string[], readonly Turn[]]>([
  [[], []],
  [["--help"], []],
  [["plubish"], []],
  [["doctor"], []],
  [["explain", "hosts"], []],
  [["publish", "--service", "embedded"], []],
  [["init"], [QUESTION]],
])("%j prints no color to a terminal if NO_COLOR is set", async (argv, turns) => {
  const cwd = await temporaryFolder();
  await mkdir(join(cwd, "src"));
  await writeFile(join(cwd, "package.json"), '{ "type": "module", "dependencies": { "astro": "*" } }\n');
  await writeFile(join(cwd, "astro.config.mjs"), "export default {};\n");
  const env = { NO_COLOR: "1", FORCE_COLOR: undefined, CI: "", HOME: cwd };
  const { raw, answered } = await atTerminal([process.execPath, cli, ...argv], { cwd, env, turns });
  expect(answered).toBe(turns.length);
  expect(raw.trim()).not.toBe("");
  const sequences = raw.split("\u001b[").slice(1);
  expect(sequences.filter((text) => /^(?:3[0-7]|9[0-7]|4[0-7]|38|48|1|2)[\d;]*m/.test(text))).toEqual([]);
});
