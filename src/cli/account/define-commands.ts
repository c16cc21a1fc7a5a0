import type { Command, Option } from "commander";
import type { CliContext, ExitCode } from "../context.ts";
import { withPagesUrlFlag, withPlanFlags, withTargetFlags } from "../shared-flags.ts";
import type { AccountAction, AccountFlags } from "./account-command.ts";

type Described = readonly [flags: string, description: string];

interface CommandRow {
  readonly description: string;
  readonly arguments?: readonly Described[];
  readonly options?: readonly (Described | Option)[];
  /** Flags beside those that name the service; `project`: in their place, of a command that needs no service. */
  readonly more?: "pages-url" | "plan" | "project";
  /** Loads what is shown at the end of the command's help. */
  readonly help?: () => Promise<string>;
}

/** Commands whose code is one module, which exports each under its name and is loaded when one runs. */
export interface CommandGroup<Name extends string = string> {
  /** Absent: they are commands of the program itself. */
  readonly name?: string;
  readonly description?: string;
  readonly load: () => Promise<Readonly<Record<NoInfer<Name>, AccountAction>>>;
  readonly commands: Readonly<Record<Name, CommandRow>>;
}

/** Checks that the module of a group has all its commands. */
export function defineCommands<Name extends string>(group: CommandGroup<Name>): CommandGroup {
  return group;
}

export interface CommandSetup {
  readonly context: CliContext;
  readonly onExit: (code: ExitCode) => void;
}

/** Adds groups (`imprint keys …`) and single commands (`imprint analytics`) to the program. */
export function addAccountCommands(program: Command, groups: readonly CommandGroup[], setup: CommandSetup): void {
  for (const { name: groupName, description = "", load, commands } of groups) {
    const known = program.commands.find((command) => command.name() === groupName);
    const parent = groupName === undefined ? program : (known ?? program.command(groupName).description(description));
    for (const [name, row] of Object.entries(commands)) {
      const command = describeCommand(parent.command(name), row);
      command.action(async () => {
        const flags = command.opts<AccountFlags>();
        const args = command.processedArgs.flat().filter((arg) => arg !== undefined);
        if (flags.help === true) {
          setup.context.out.write(`${command.helpInformation()}\n${await row.help?.()}`);
          return;
        }
        const { [name]: action } = await load();
        const { runAction } = await import("./account-command.ts");
        if (action !== undefined) setup.onExit(await runAction(action, { args, flags }, setup.context));
      });
    }
  }
}

const FLAGS = {
  "pages-url": (command: Command) => withPagesUrlFlag(withTargetFlags(command)),
  plan: withPlanFlags,
  project: (command: Command) =>
    command.option("--root <folder>", "folder of the project (default: the current folder)"),
};

function describeCommand(command: Command, row: CommandRow): Command {
  command.description(row.description);
  for (const [name, description] of row.arguments ?? []) command.argument(name, description);
  for (const option of row.options ?? []) {
    if ("flags" in option) command.addOption(option);
    else command.option(...option);
  }
  if (row.help !== undefined) command.helpOption(false).option("-h, --help", "display help for command");
  return (row.more === undefined ? withTargetFlags : FLAGS[row.more])(command);
}
