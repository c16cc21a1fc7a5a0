import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ArgumentNode, CommandNode, FlagNode } from "./command-tree.ts";

// Shells call this on every press of TAB, so it loads no command and reads only the lock file.

/**
 * Returns the candidates for the last word, one per line with a tab and a description. Without candidates, the shell
 * offers files.
 */
export async function complete(words: readonly string[], cwd: string): Promise<string> {
  return findCandidates(await readTree(), { words: joinAssignments(words), cwd })
    .map(([value, description]) => `${value}\t${description.split("\n", 1)[0]}\n`)
    .join("");
}

/** Reads the commands: in the built package from a file, which the build makes from the same table. */
async function readTree(): Promise<CommandNode> {
  if (!import.meta.url.endsWith(".ts")) {
    const tree: CommandNode = JSON.parse(readFileSync(new URL("./commands.json", import.meta.url), "utf8"));
    return tree;
  }
  const { createProgram } = await import("../program.ts");
  const { describeTree } = await import("./command-tree.ts");
  const silent = { write() {} };
  return describeTree(createProgram({ cwd: "", environment: {}, out: silent, error: silent }, () => {}));
}

type Candidate = readonly [value: string, description: string];

// Bash splits `--format=css` at the equals sign.
function joinAssignments(words: readonly string[]): readonly string[] {
  const rest = words.filter((word) => word !== "=");
  return words.at(-1) === "=" ? [...rest, ""] : rest;
}

function findCandidates(
  program: CommandNode,
  { words, cwd }: { readonly words: readonly string[]; readonly cwd: string },
): readonly Candidate[] {
  const current = words.at(-1) ?? "";
  const { command, given, flag } = findPlace(program, words.slice(0, -1));
  const matching = (candidates: readonly Candidate[]) => candidates.filter(([value]) => value.startsWith(current));
  if (flag !== undefined) return matching(choicesOf(flag));
  const [, name] = /^(--[^=]+)=/.exec(current) ?? [];
  if (name !== undefined) {
    return matching(choicesOf(findFlag(command, name)).map(([value, text]) => [`${name}=${value}`, text]));
  }
  if (current.startsWith("-")) return matching(flagsOf(command));
  if (command.commands.length > 0) return matching(command.commands.map((each) => [each.name, each.summary]));
  const argument = command.args[given] ?? command.args.find(({ isVariadic }) => isVariadic);
  return matching(argument === undefined ? [] : argumentValues(argument, cwd));
}

interface Place {
  readonly command: CommandNode;
  /** Number of the command's arguments before the last word. */
  readonly given: number;
  /** The flag that takes the last word as its value. */
  readonly flag: FlagNode | undefined;
}

function findPlace(program: CommandNode, words: readonly string[]): Place {
  let command = program;
  let given = 0;
  let flag: FlagNode | undefined;
  for (const word of words) {
    const child = command.commands.find((each) => each.name === word);
    if (flag !== undefined) {
      flag = undefined;
    } else if (word.startsWith("-")) {
      const found = findFlag(command, word);
      flag = found?.takesValue === true ? found : undefined;
    } else if (child === undefined) {
      given += 1;
    } else {
      command = child;
    }
  }
  return { command, given, flag };
}

function findFlag({ flags }: CommandNode, name: string): FlagNode | undefined {
  return flags.find(({ names }) => names.includes(name));
}

function choicesOf(flag: FlagNode | undefined): readonly Candidate[] {
  return flag === undefined ? [] : flag.choices.map((choice) => [choice, flag.description]);
}

function flagsOf({ flags }: CommandNode): readonly Candidate[] {
  return [
    ...flags.map(({ names: [name = ""], description }): Candidate => [name, description]),
    ["--help", "show help"],
  ];
}

function argumentValues({ name, description, choices }: ArgumentNode, cwd: string): readonly Candidate[] {
  const [text = ""] = description.split(" (default", 1);
  if (choices.length > 0) return choices.map((choice) => [choice, text]);
  return ["page", "slug"].includes(name) ? publishedPages(cwd) : [];
}

/** Returns the pages in the project's lock file. */
function publishedPages(cwd: string): readonly Candidate[] {
  try {
    const lock: { readonly slugs?: object } = JSON.parse(readFileSync(join(cwd, "imprint.lock.json"), "utf8"));
    return Object.entries(lock.slugs ?? {}).map(([route, slug]) => [String(slug), route]);
  } catch {
    // Nothing is published yet, or the file has a merge conflict.
    return [];
  }
}
