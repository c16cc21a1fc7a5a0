import { Command } from "commander";
import { VERSION } from "../base/version.ts";
import { ACCOUNT_COMMANDS } from "./account/commands.ts";
import type { CliContext } from "./context.ts";
import { addCommands, type CommandSetup } from "./define-commands.ts";
import { POSTS_COMMANDS } from "./posts-commands.ts";
import { PROJECT_COMMANDS, SERVICE_COMMANDS, SITE_COMMANDS } from "./project-commands.ts";

/**
 * All commands with their flags and descriptions: what is parsed, what `--help` shows and what `docs/commands.md`
 * lists. A command's code is loaded when the command runs.
 */
export function createProgram(context: CliContext, onExit: CommandSetup["onExit"]): Command {
  const program = new Command("imprint")
    .description("Publish a built Astro site: pages, images, posts and brand kit.")
    .version(VERSION, "-V, --version", "print the version of astro-imprint")
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void context.out.write(text),
      writeErr: (text) => void context.error.write(text),
      // Without the value of a flag that does not exist: it may be the key.
      outputError: (text, write) => write(text.replace(/(unknown option '--[^=']+)=.*'/s, "$1'")),
    });
  const groups = [SITE_COMMANDS, POSTS_COMMANDS, PROJECT_COMMANDS, ACCOUNT_COMMANDS, SERVICE_COMMANDS].flat();
  addCommands(program, groups, { context, onExit });
  return program;
}
