import { ImprintError } from "../base/error.ts";
import type { CliContext } from "./context.ts";
import type { PublishFlags } from "./shared-flags.ts";
import { isWatched } from "./terminal.ts";

/** Flags of a command that takes something away. */
export interface DeletionFlags extends PublishFlags {
  readonly yes?: boolean;
}

/**
 * Asks before something is deleted, unless `--yes` was given. Where nobody can be asked (a CI, a pipe, `--json`) it
 * throws `USAGE`.
 */
export function confirmDeletion(question: string, flags: DeletionFlags, context: CliContext): Promise<boolean> {
  return confirmChange(question, flags, context);
}

/** The same before something of somebody else's is replaced. */
export async function confirmChange(question: string, flags: DeletionFlags, context: CliContext): Promise<boolean> {
  if (flags.yes === true) return true;
  const { out, environment } = context;
  if (out !== process.stdout || !isWatched(out, environment) || flags.json === true) {
    throw new ImprintError("USAGE", `Confirmation required: ${question}`, { hint: "Add --yes to confirm." });
  }
  const { confirm, isCancel } = await import("@clack/prompts");
  const answer = await confirm({ message: question, initialValue: false });
  return !isCancel(answer) && answer;
}
