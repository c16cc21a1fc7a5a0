import { Command, CommanderError, Help } from "commander";
import { VERSION } from "../base/version.ts";
import { ACCOUNT_COMMANDS } from "./account/commands.ts";
import type { CliContext } from "./context.ts";
import { addCommands, examplesOf, SECTIONS, type CommandSetup } from "./define-commands.ts";
import { POSTS_COMMANDS } from "./posts-commands.ts";
import { START_COMMANDS } from "./start-commands.ts";
import { PROJECT_COMMANDS, SERVICE_COMMANDS, SITE_COMMANDS } from "./project-commands.ts";

/**
 * Defines all commands with their flags and descriptions, for parsing, `--help` and `docs/commands.md`. A command's
 * code is loaded when the command runs.
 */
export function createProgram(context: CliContext, onExit: CommandSetup["onExit"]): Command {
  const program = new Command("imprint")
    .description("Publish a built Astro site: pages, images, posts and brand kit.")
    .version(VERSION, "-V, --version", "print the version of astro-imprint")
    .showSuggestionAfterError(false)
    .configureHelp({ formatHelp })
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void context.out.write(text),
      writeErr: (text) => void context.error.write(text),
      // `runCli` prints what Commander throws.
      outputError() {},
    });
  const groups = [
    START_COMMANDS,
    SITE_COMMANDS,
    POSTS_COMMANDS,
    PROJECT_COMMANDS,
    ACCOUNT_COMMANDS,
    SERVICE_COMMANDS,
  ].flat();
  const sections = Object.keys(SECTIONS);
  const ordered = groups.toSorted((one, other) => sections.indexOf(one.section) - sections.indexOf(other.section));
  addCommands(program, ordered, { context, onExit });
  program
    .command("help")
    .argument("[command...]")
    .description("Show the help of a command.")
    .helpGroup(SECTIONS.help)
    .action((names: readonly string[]) => names.reduce(childOf, program).outputHelp());
  return program;
}

function childOf(parent: Command, name: string): Command {
  const child = parent.commands.find((each) => each.name() === name);
  if (child === undefined) throw new CommanderError(1, "commander.unknownCommand", `unknown command '${name}'`);
  return child;
}

const FIRST_CALLS = ["imprint init", "imprint publish", "imprint help publish"];

function formatHelp(this: Help, command: Command): string {
  const usual = Help.prototype.formatHelp.call(this, command, this);
  const calls = command.parent === null ? FIRST_CALLS : examplesOf(command).slice(0, 4);
  const lines = calls.map((call) => `  $ ${call}\n`).join("");
  return `${usual}\n${this.styleTitle(calls.length === 1 ? "Example:" : "Examples:")}\n${lines}`;
}
