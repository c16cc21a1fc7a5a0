import { deleteAssets, findUnusedAssets } from "../../sync/unused-assets.ts";
import { formatBytes } from "../../sync/report/words.ts";
import type { CliContext, ExitCode } from "../context.ts";
import type { PublishFlags } from "../shared-flags.ts";
import { inspectPlan } from "../with-project.ts";

export interface PruneAssetsArguments {
  readonly dist: string | undefined;
  readonly flags: PublishFlags & { readonly yes?: boolean };
}

/** `imprint assets prune`: tells, and with `--yes` deletes, files of ours that nothing uses any more. */
export async function pruneAssetsCommand(args: PruneAssetsArguments, context: CliContext): Promise<ExitCode> {
  const { dist, flags } = args;
  let exitCode: ExitCode = 0;
  await inspectPlan({ dist, flags }, context, async (planned) => {
    const unused = await findUnusedAssets(planned);
    const bytes = unused.reduce((sum, { size = 0 }) => sum + size, 0);
    for (const { name, size } of unused) {
      context.out.write(`  ${name}${size === undefined ? "" : `  ${formatBytes(size)}`}\n`);
    }
    if (unused.length === 0) return void context.out.write("Every file that imprint uploaded is in use.\n");
    if (flags.yes !== true) {
      context.out.write(`Not in use: ${countFiles(unused.length)} (${formatBytes(bytes)}). Delete with --yes.\n`);
      return;
    }
    const { deleted, kept } = await deleteAssets(unused, planned);
    context.out.write(`Deleted: ${countFiles(deleted)}.\n`);
    for (const reason of kept) context.error.write(`  ${reason}\n`);
    exitCode = kept.length > 0 ? 1 : 0;
  });
  return exitCode;
}

function countFiles(count: number): string {
  return count === 1 ? "1 file" : `${count} files`;
}
