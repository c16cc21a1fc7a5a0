import type { Argument, Command, Option } from "commander";
import type { ImprintApi } from "../client/api.ts";
import type { Paint } from "../sync/report/render-text.ts";
import type { Target } from "../target/target.ts";
import type { CliContext, ExitCode } from "./context.ts";
import {
  withPagesUrlFlag,
  withPlanFlags,
  withPreviewFlag,
  withRunFlags,
  withTargetFlags,
  withVerifyFlag,
} from "./shared-flags.ts";

type Described = readonly [flags: string, description: string, usual?: string];

/** Sections of the help, in their order. */
export const SECTIONS = {
  start: "Start here:",
  publish: "Publish a site:",
  write: "Write and design:",
  manage: "Manage what is on the service:",
  service: "Run your own service:",
  help: "Help:",
};

interface CommandRow {
  readonly description: string;
  /** Sample calls, without `imprint`. */
  readonly example: string | readonly string[];
  readonly arguments?: readonly (Described | Argument)[];
  readonly options?: readonly (Described | Option)[];
  /** Flags that it shares with others. Default: those that select the service. */
  readonly flags?: keyof typeof SHARED_FLAGS;
  /** Loads the text at the end of the command's help. */
  readonly help?: () => Promise<string>;
}

const SHARED_FLAGS = {
  none: (command: Command) => command,
  project: (command: Command) =>
    command.option("--root <folder>", "folder of the project (default: the current folder)"),
  target: withTargetFlags,
  "pages-url": (command: Command) => withPagesUrlFlag(withTargetFlags(command)),
  diff: (command: Command) => withPlanFlags(withPreviewFlag(command)),
  plan: withPlanFlags,
  run: withRunFlags,
  publish: (command: Command) => withRunFlags(withVerifyFlag(command)),
};

/** One call of a command. */
export interface CommandRun<Flags> {
  /** The given arguments, without omitted optional ones. */
  readonly args: readonly string[];
  readonly flags: Flags;
  readonly context: CliContext;
  readonly signal: AbortSignal | undefined;
  /** Colors text for standard output. */
  readonly paint: Paint;
  /** Connects to the service while the work runs. */
  withApi<Result>(work: (api: ImprintApi, target: Target) => Promise<Result>): Promise<Result>;
  /** Asks before something is deleted, unless `--yes` is given. */
  confirm(question: string): Promise<boolean>;
}

/**
 * What a command prints: data for `--json` and text for people, or a document for both. A command that prints its own
 * output returns only the exit code.
 */
export type CommandResult =
  | ExitCode
  | ({ readonly exitCode?: ExitCode } & (
      | { readonly json: unknown; readonly text: string }
      | { readonly document: string }
    ));

/** Throws `USAGE` for invalid arguments or flags. */
export type CommandAction = (run: CommandRun<never>) => Promise<CommandResult>;

/** Commands of one module, which exports each under its name and is loaded when one of them runs. */
export interface CommandGroup<Name extends string = string> {
  /** If absent, the commands belong to the program itself. */
  readonly name?: string;
  readonly description?: string;
  /** Where the help lists them. */
  readonly section: keyof typeof SECTIONS;
  readonly load: () => Promise<Readonly<Record<NoInfer<Name>, CommandAction>>>;
  readonly commands: Readonly<Record<Name, CommandRow>>;
}

/** Type-checks that the module of a group exports all its commands. */
export function defineCommands<Name extends string>(group: CommandGroup<Name>): CommandGroup {
  return group;
}

export interface CommandSetup {
  readonly context: CliContext;
  /** Called with the exit code of the command that ran. */
  readonly onExit: (code: ExitCode) => void;
}

/** Adds groups (`imprint keys …`) and single commands (`imprint analytics`) to the program. */
export function addCommands(
  program: Command,
  groups: readonly CommandGroup[],
  { context, onExit }: CommandSetup,
): void {
  for (const { name: groupName, description = "", section, load, commands } of groups) {
    const known = program.commands.find((command) => command.name() === groupName);
    const parent = groupName === undefined ? program : (known ?? program.command(groupName).description(description));
    for (const [name, row] of Object.entries(commands)) {
      const command = describeCommand(parent.command(name), row);
      if (parent === program) command.helpGroup(SECTIONS[section]);
      else parent.helpGroup(SECTIONS[section]).helpCommand(false);
      command.action(async () => {
        if (row.help !== undefined && command.getOptionValue("help") === true) {
          context.out.write(`${command.helpInformation()}\n${await row.help()}`);
          return;
        }
        const { [name]: action } = await load();
        const { runAction } = await import("./run-command.ts");
        const args = command.processedArgs.flat().filter((arg) => arg !== undefined);
        if (action !== undefined) onExit(await runAction(action, { args, flags: command.opts<never>() }, context));
      });
    }
  }
}

const EXAMPLES = new WeakMap<Command, readonly string[]>();

/** Sample calls of a command; for a group, one of each of its commands. */
export function examplesOf(command: Command): readonly string[] {
  const own = EXAMPLES.get(command)?.map((call) => `imprint ${call}`.trimEnd());
  return own ?? command.commands.flatMap((child) => examplesOf(child).slice(0, 1));
}

function describeCommand(command: Command, row: CommandRow): Command {
  const [summary = ""] = row.description.split(/(?<=\.) /);
  command.description(row.description).summary(summary);
  EXAMPLES.set(command, [row.example].flat());
  for (const argument of row.arguments ?? []) {
    if ("description" in argument) command.addArgument(argument);
    else command.argument(...argument);
  }
  for (const option of row.options ?? []) {
    if ("flags" in option) command.addOption(option);
    else command.option(...option);
  }
  if (row.help !== undefined) command.helpOption(false).option("-h, --help", "display help for command");
  return SHARED_FLAGS[row.flags ?? "target"](command);
}
