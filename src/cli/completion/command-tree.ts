import type { Argument, Command, Option } from "commander";
import { findTopics } from "../doc-topics.ts";

/** A command as plain data for completion; the built package contains it as a file. */
export interface CommandNode {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly FlagNode[];
  readonly args: readonly ArgumentNode[];
  readonly commands: readonly CommandNode[];
}

export type FlagNode = ReturnType<typeof describeFlag>;
export type ArgumentNode = ReturnType<typeof describeArgument>;

export function describeTree(command: Command): CommandNode {
  return {
    name: command.name(),
    summary: command.summary() || command.description(),
    flags: command.options.filter(({ hidden }) => !hidden).map(describeFlag),
    args: command.registeredArguments.map(describeArgument),
    commands: command.commands.map(describeTree),
  };
}

function describeFlag({ long, short, description, required, argChoices = [] }: Option) {
  const names = [long, short].filter((name) => typeof name === "string");
  return { names, description, takesValue: required, choices: argChoices };
}

function describeArgument(argument: Argument) {
  const { description, variadic: isVariadic, argChoices: choices = [] } = argument;
  const name = argument.name();
  return { name, description, isVariadic, choices: name === "topic" ? Object.values(findTopics()).flat() : choices };
}
