import type { Command } from "commander";
import type { CliContext, ExitCode } from "./context.ts";
import type { DeletionFlags } from "./confirm.ts";
import { withPagesUrlFlag, withTargetFlags, type PublishFlags } from "./shared-flags.ts";

interface Setup {
  readonly context: CliContext;
  readonly onExit: (code: ExitCode) => void;
}

/** `imprint preview …` */
export function addPreviews(program: Command, { context, onExit }: Setup): void {
  const preview = program
    .command("preview")
    .description("Previews: whole sites beside the live one, made by `imprint publish --preview <name>`.");
  const list = preview.command("list").description("List the previews with their pages, age and address.");
  withPagesUrlFlag(withTargetFlags(list)).action(async (flags: PublishFlags) => {
    const { listPreviewsCommand } = await import("./commands/preview.ts");
    onExit(await listPreviewsCommand(flags, context));
  });
  const remove = preview
    .command("remove")
    .description("Delete the pages of a preview that imprint published. A preview that is gone is no error.")
    .argument("<name>", "name of the preview, as `preview list` shows it")
    .option("--yes", "delete without asking");
  withPagesUrlFlag(withTargetFlags(remove)).action(async (name: string, flags: DeletionFlags) => {
    const { removePreviewCommand } = await import("./commands/preview.ts");
    onExit(await removePreviewCommand(name, flags, context));
  });
}
