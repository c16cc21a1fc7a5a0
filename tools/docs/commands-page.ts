import { Command } from "commander";
import { examplesOf } from "../../src/cli/define-commands.ts";
import { createProgram } from "../../src/cli/program.ts";
import { withTargetFlags } from "../../src/cli/shared-flags.ts";

/** Flags of most commands, which are described once. */
const SHARED = withTargetFlags(new Command()).options;

export function renderCommandsPage(): string {
  const silent = { write() {} };
  const program = createProgram({ cwd: "/", environment: {}, out: silent, error: silent }, () => {});
  return `# Commands

All commands of \`imprint\`, with their arguments and flags. The exit code is 0 for success, 1 for failure, and 2 for invalid
usage or options. \`npm run docs\` writes this page from the definitions that also parse the command line.

## Shared flags

Most commands accept these flags:

| Flag | Meaning |
| --- | --- |
${SHARED.map(flagRow).join("\n")}

${program.commands.map((command) => renderCommand(command, "imprint")).join("\n")}`;
}

function renderCommand(command: Command, parent: string): string {
  const name = `${parent} ${command.name()}`;
  const args = command.registeredArguments.map((argument) => {
    const shown = argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
    return { shown, description: argument.description };
  });
  const flags = command.options.map(flagRow);
  const shared = SHARED.map(flagRow);
  const takesShared = shared.every((row) => flags.includes(row));
  const rows = [
    ...args.map(({ shown, description }) => `| \`${shown}\` | ${description} |`),
    ...(takesShared ? flags.filter((row) => !shared.includes(row)) : flags),
  ];
  const table = rows.length === 0 ? "" : `\n| Argument or flag | Meaning |\n| --- | --- |\n${rows.join("\n")}\n`;
  const others = takesShared
    ? `\n${rows.length === 0 ? "Accepts" : "Also accepts"} the [shared flags](#shared-flags).\n`
    : "";
  const usage = [name, ...args.map(({ shown }) => shown)].join(" ");
  const inner = command.commands.map((child) => `\n${renderCommand(child, name)}`).join("");
  const calls = command.commands.length > 0 ? [] : examplesOf(command);
  const examples = calls.length === 0 ? "" : `\n\`\`\`sh\n${calls.join("\n")}\n\`\`\`\n`;
  return `## \`${usage}\`\n\n${command.description()}\n${examples}${table}${others}${inner}`;
}

function flagRow(option: Command["options"][number]): string {
  return `| \`${option.flags.replaceAll("|", "\\|")}\` | ${flagText(option)} |`;
}

function flagText({ description, defaultValue, argChoices }: Command["options"][number]): string {
  const choices = argChoices === undefined ? "" : `: ${argChoices.map((choice) => `\`${choice}\``).join(", ")}`;
  const byDefault = typeof defaultValue === "string" ? ` (default: \`${defaultValue}\`)` : "";
  return `${description}${choices}${byDefault}`;
}
