import { confirmChange, type DeletionFlags } from "./confirm.ts";
import type { CliContext, ExitCode } from "./context.ts";
import type { CommandAction, CommandRun } from "./define-commands.ts";
import { print } from "./print.ts";
import { paintFor } from "./terminal.ts";
import { withApi } from "./with-project.ts";

export async function runAction(
  action: CommandAction,
  { args, flags: given }: Pick<CommandRun<never>, "args" | "flags">,
  context: CliContext,
): Promise<ExitCode> {
  const flags: DeletionFlags = given;
  const result = await action({
    args,
    flags: given,
    context,
    signal: context.signal,
    paint: paintFor(context.out, context.environment),
    withApi: (work) => withApi(flags, context, work),
    confirm: (question) => confirmChange(question, flags, context),
  });
  if (typeof result === "number") return result;
  if ("document" in result) context.out.write(result.document);
  else print(result.json, { flags, context, text: result.text });
  return result.exitCode ?? 0;
}
