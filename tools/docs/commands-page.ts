import type { Command } from "commander";
import { examplesOf } from "../../src/cli/define-commands.ts";
import { createProgram } from "../../src/cli/program.ts";

export function renderCommandsPage(): string {
  const silent = { write() {} };
  const program = createProgram({ cwd: "/", environment: {}, out: silent, error: silent }, () => {});
  return `# Commands

\`npm run docs\` writes this page from the definitions that also parse the command line. Exit codes: 0 success, 1 failure,
2 invalid usage or options.

${program.commands.map((command) => renderCommand(command, "imprint")).join("\n")}`;
}

function renderCommand(command: Command, parent: string): string {
  const name = `${parent} ${command.name()}`;
  const args = command.registeredArguments.map((argument) => {
    const shown = argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
    return { shown, description: argument.description };
  });
  const rows = [
    ...args.map(({ shown, description }) => `| \`${shown}\` | ${description} |`),
    ...command.options.map((option) => `| \`${option.flags.replaceAll("|", "\\|")}\` | ${flagText(option)} |`),
  ];
  const table = rows.length === 0 ? "" : `\n| Argument or flag | Meaning |\n| --- | --- |\n${rows.join("\n")}\n`;
  const usage = [name, ...args.map(({ shown }) => shown)].join(" ");
  const inner = command.commands.map((child) => `\n${renderCommand(child, name)}`).join("");
  const calls = command.commands.length > 0 ? [] : examplesOf(command);
  const examples = calls.length === 0 ? "" : `\n\`\`\`sh\n${calls.join("\n")}\n\`\`\`\n`;
  return `## \`${usage}\`\n\n${command.description()}\n${examples}${table}${inner}`;
}

function flagText({ description, defaultValue, argChoices }: Command["options"][number]): string {
  const choices = argChoices === undefined ? "" : `: ${argChoices.map((choice) => `\`${choice}\``).join(", ")}`;
  const byDefault = typeof defaultValue === "string" ? ` (default: \`${defaultValue}\`)` : "";
  return `${description}${choices}${byDefault}`;
}
