import { ImprintError } from "../base/error.ts";
import type { CliContext } from "./context.ts";
import type { PublishFlags } from "./shared-flags.ts";
import { isWatched } from "./terminal.ts";

export interface DeletionFlags extends PublishFlags {
  readonly yes?: boolean;
}

/**
 * Asks before something is deleted, or something of someone else's is replaced, unless `--yes` is given. Throws `USAGE`
 * where nobody can be asked (CI, a pipe, `--json`).
 */
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
