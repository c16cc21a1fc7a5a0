import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import type { Command } from "commander";
import { expect, it } from "vitest";
import { createProgram } from "../../src/cli/program.ts";

const SOURCES = fileURLToPath(new URL("../../src", import.meta.url));
const CLI = join(SOURCES, "cli");

/** The modules of commands, as their tables load them: `posts list`. The account commands share their modules. */
function modulesByCommand(): ReadonlyMap<string, string> {
  const modules = new Map<string, string>();
  const read = (table: string) => readFileSync(join(CLI, table), "utf8");
  const tables = read("start-commands.ts") + read("project-commands.ts") + read("posts-commands.ts");
  for (const group of tables.split("defineCommands({").slice(1)) {
    const isPosts = group.includes("...POSTS,");
    const [, parent = isPosts ? "posts" : "imprint"] = /^ {2}name: "(\w+)"/m.exec(group) ?? [];
    const [, path = ""] = /import\("([^"]+)"\)/.exec(group) ?? [];
    const names = group.matchAll(/^ {4}"?([\w-]+)"?: \{/gm);
    for (const [, name] of names) modules.set(`${parent} ${name}`, join(CLI, path));
  }
  return modules;
}

const READ = /^(?:cli|target)\//;

/** The source of a module and of all imported modules that can read flags. */
function readWithImports(file: string, seen = new Set<string>()): string {
  if (seen.has(file) || !READ.test(relative(SOURCES, file))) return "";
  seen.add(file);
  const text = readFileSync(file, "utf8");
  const imports = [...text.matchAll(/^import (?!type)[^;]*from "(\.[^"]*)";$/gm)].map(([, path = ""]) => path);
  return text + imports.map((path) => readWithImports(join(dirname(file), path), seen)).join("\n");
}

function isRead(name: string, text: string): boolean {
  const read = new RegExp(`flags\\??\\.${name}\\b|\\{[^{}]*\\b${name}\\b[^{}]*\\}(?::[^=;]*)? = flags\\b`);
  return read.test(text) || new RegExp(`\\{[^{}]*\\b${name}\\b[^{}]*\\}: \\w*(?:Flags|Hosting)`).test(text);
}

function leavesOf(command: Command): readonly Command[] {
  return command.commands.length === 0 ? [command] : command.commands.flatMap(leavesOf);
}

it("no command accepts a flag that its code doesn't read", () => {
  const out = { write() {} };
  const program = createProgram({ cwd: "", environment: {}, out, error: out }, () => {});
  const modules = modulesByCommand();
  const unread: string[] = [];
  const shared = readWithImports(join(CLI, "run-command.ts"));
  const account = readdirSync(join(CLI, "account")).map((name) => readWithImports(join(CLI, "account", name)));
  for (const command of leavesOf(program)) {
    const title = `${command.parent?.name()} ${command.name()}`;
    const file = modules.get(title);
    const text = shared + (file === undefined ? account.join("\n") : readWithImports(file));
    const names = command.options.map((option) => option.attributeName()).filter((name) => name !== "help");
    unread.push(...names.filter((name) => !isRead(name, text)).map((name) => `${title} --${name}`));
  }
  expect(unread).toEqual([]);
});
