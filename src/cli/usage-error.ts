import type { Command, CommanderError } from "commander";
import { ImprintError } from "../base/error.ts";
import { nearestName } from "../options/nearest-name.ts";

// Commander's own messages use its internal terms, and omit the choices for a missing argument.
const REWORDED = [
  [/^option '(.+)' argument missing$/, "$1 needs a value"],
  [/^option '(.+)' argument '(.*)' is invalid\. Allowed choices are (.*)$/s, "$1 can't be '$2'. Choose from: $3"],
  [
    /^command-argument value '(.*)' is invalid for argument '(.+)'\. Allowed choices are (.*)$/s,
    "<$2> can't be '$1'. Choose from: $3",
  ],
  [/^missing required argument '(.+)'$/, "<$1> is missing"],
] as const;

/** Converts Commander's error to ours, with the nearest name if there is one. */
export function usageError(
  thrown: CommanderError,
  { argv, program }: { readonly argv: readonly string[]; readonly program: Command },
): ImprintError {
  // Omits the value of an unknown flag: it may be the key.
  const text = thrown.message.replace(/^error: /, "").replace(/(unknown option '--[^=']+)=.*'/s, "$1'");
  const command = findCommand(program, argv);
  const [pattern, words] = REWORDED.find(([each]) => each.test(text)) ?? [text, text];
  const sentence = `${text.replace(pattern, words)}${choicesOf(text, command)}`;
  const message = `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`.replace(/\.\.$/, ".");
  const call = callOf(command);
  const [, given = ""] = /'([^']*)'/.exec(text) ?? [];
  const nearest = nearestName(given, namesFor(thrown.code, command));
  const guess = given.startsWith("-") ? nearest : `${call} ${nearest}`;
  const help = `See \`${call} --help\`.`;
  return new ImprintError("USAGE", message, {
    hint: nearest === undefined ? help : `Did you mean \`${guess}\`? ${help}`,
  });
}

function choicesOf(text: string, command: Command): string {
  const [, missing] = /^missing required argument '(.+)'$/.exec(text) ?? [];
  const choices = command.registeredArguments.find((each) => each.name() === missing)?.argChoices;
  return choices === undefined ? "" : `. Choose from: ${choices.join(", ")}`;
}

function namesFor(code: string, command: Command): readonly string[] {
  if (code === "commander.unknownCommand") return command.commands.map((child) => child.name());
  if (code !== "commander.unknownOption") return [];
  return command.options.flatMap(({ long }) => (typeof long === "string" ? [long] : []));
}

function findCommand(program: Command, argv: readonly string[]): Command {
  let command = program;
  for (const word of argv) {
    const child = command.commands.find((each) => each.name() === word);
    if (child === undefined) return command;
    command = child;
  }
  return command;
}

function callOf(command: Command): string {
  return command.parent === null ? command.name() : `${callOf(command.parent)} ${command.name()}`;
}
