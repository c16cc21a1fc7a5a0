import { execFile } from "node:child_process";
import { chmod, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { complete } from "../../src/cli/completion/complete.ts";
import { describeTree, type CommandNode } from "../../src/cli/completion/command-tree.ts";
import { createProgram } from "../../src/cli/program.ts";
import { runCli } from "../../src/cli/run-cli.ts";
import { temporaryFolder } from "../service/temporary-folder.ts";

const cli = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));
const out = { write() {} };
const tree = describeTree(createProgram({ cwd: "", environment: {}, out, error: out }, () => {}));

async function valuesFor(words: readonly string[], cwd = ""): Promise<readonly string[]> {
  return (await complete(words, cwd))
    .split("\n")
    .flatMap((line) => line.split("\t").slice(0, 1))
    .filter(Boolean);
}

function* everyCommand(node: CommandNode, path: readonly string[] = []): Generator<readonly [string[], CommandNode]> {
  yield [[...path], node];
  for (const child of node.commands) yield* everyCommand(child, [...path, child.name]);
}

describe("completion", () => {
  it.each([
    ["commands", ["pub"], ["publish"]],
    ["the commands of a group", ["releases", "r"], ["rollback"]],
    ["flags", ["publish", "--dr"], ["--dry-run"]],
    ["values of a flag", ["brand", "export", "--format", "s"], ["style-dictionary", "shadcn"]],
    [
      "values after an equals sign",
      ["brand", "export", "--format=s"],
      ["--format=style-dictionary", "--format=shadcn"],
    ],
    ["the workflows that init can write", ["init", "--ci", ""], ["github", "gitlab"]],
    ["values as bash splits them", ["brand", "export", "--format", "=", "s"], ["style-dictionary", "shadcn"]],
    ["values of an argument", ["completion", "f"], ["fish"]],
    ["pages of the docs", ["explain", "glo"], ["glossary"]],
    ["options", ["explain", "posts.set"], ["posts.settle"]],
    ["error codes", ["explain", "SLUG_T"], ["SLUG_TAKEN"]],
    ["a flag's value after another flag's", ["brand", "export", "--out", "theme.css", "--format", "t"], ["tailwind"]],
    ["nothing for a file, which the shell completes itself", ["backup", ""], []],
    ["nothing for a prefix without matches", ["xyz"], []],
  ])("offers %s", async (_, words, expected) => {
    expect(await valuesFor(words)).toEqual(expected);
  });

  it("offers every command and every flag", async () => {
    for (const [path, { flags, commands }] of everyCommand(tree)) {
      const names = commands.map(({ name }) => name);
      if (names.length > 0) expect(await valuesFor([...path, ""])).toEqual(names);
      expect(await valuesFor([...path, "--"])).toEqual([...flags.map(({ names: [name] }) => name), "--help"]);
    }
  });

  it("offers the pages in the lock file, and none if it can't be read", async () => {
    const cwd = await temporaryFolder();
    await writeFile(join(cwd, "imprint.lock.json"), JSON.stringify({ slugs: { "/": "index", "/about/": "about" } }));
    expect(await valuesFor(["diff", "a"], cwd)).toEqual(["about"]);
    await writeFile(join(cwd, "imprint.lock.json"), "<<<<<<< ours");
    expect(await valuesFor(["diff", "a"], cwd)).toEqual([]);
  });
});

// Each offers candidates for the last of the words in $@.
const ASK = {
  bash: `source <(./imprint completion bash)
COMP_WORDS=(./imprint "$@"); COMP_CWORD=$#; _imprint; printf '%s\\n' "\${COMPREPLY[@]}"`,
  zsh: `compdef() {}; _files() {}; _describe() { print -l -- \${(P)2} }
source <(./imprint completion zsh)
words=(./imprint "$@"); CURRENT=$(( $# + 1 )); _imprint`,
  fish: `./imprint completion fish | source
complete -C "./imprint $(string escape -- $argv[2..] | string join ' ')"`,
} as const;

/** The completions that a shell would offer for the last word, with the built program. */
async function ask(shell: keyof typeof ASK, cwd: string, ...words: readonly string[]): Promise<readonly string[]> {
  await writeFile(join(cwd, "imprint"), `#!/bin/sh\nexec "${process.execPath}" "${cli}" "$@"\n`);
  await chmod(join(cwd, "imprint"), 0o755);
  const { stdout } = await promisify(execFile)(shell, ["-c", ASK[shell], shell, ...words], { cwd });
  return stdout.split("\n").filter(Boolean);
}

describe("the script for bash", () => {
  it("offers what the program offers", async () => {
    const cwd = await temporaryFolder();
    expect(await ask("bash", cwd, "publish", "--dr")).toEqual(["--dry-run"]);
    expect(await ask("bash", cwd, "explain", "KEY_MI")).toEqual(["KEY_MISSING"]);
    expect(await ask("bash", cwd, "assets", "")).toEqual(await valuesFor(["assets", ""]));
  });

  it("never executes the typed text", async () => {
    const cwd = await temporaryFolder();
    await ask("bash", cwd, "publish", "$(touch run)", "`touch run`", "; touch run", "$HOME", "'", "--");
    expect(await readdir(cwd)).toEqual(["imprint"]);
  });
});

it.for([
  ["zsh", ":"],
  ["fish", "\t"],
] as const)(
  "the script for %s offers what the program offers, with descriptions",
  async ([shell, between], { skip }) => {
    const installed = await promisify(execFile)(shell, ["-c", "echo yes"]).catch(() => undefined);
    skip(installed === undefined, `${shell} isn't installed`);
    const cwd = await temporaryFolder();
    expect(await ask(shell, cwd, "explain", "KEY_MI")).toEqual([
      `KEY_MISSING${between}error code, option, or page of the docs`,
    ]);
    expect(await ask(shell, cwd, "brand", "export", "--format=ta")).toEqual([`--format=tailwind${between}format`]);
    await ask(shell, cwd, "publish", "$(touch run)", "`touch run`", "; touch run", "");
    expect(await readdir(cwd)).toEqual(["imprint"]);
  },
);

it.each(["bash", "zsh", "fish", "powershell"])("the script for %s evaluates nothing", async (shell) => {
  let script = "";
  const write = (text: string) => (script += text);
  expect(await runCli(["completion", shell], { cwd: "", environment: {}, out: { write }, error: out })).toBe(0);
  expect(script).toMatch(/complete (?:--|'--') /);
  expect(script).not.toMatch(/\b(?:eval|Invoke-Expression|iex)\b/);
});
