import type { Asset } from "../../client/api.ts";
import { deleteAssets, findUnusedAssets } from "../../sync/unused-assets.ts";
import { formatBytes } from "../../sync/report/words.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { printable } from "../printable.ts";
import { requireOperation } from "../require-operation.ts";
import type { PublishFlags } from "../shared-flags.ts";
import { inspectPlan } from "../with-project.ts";

export interface PruneAssetsArguments {
  readonly dist: string | undefined;
  readonly flags: PublishFlags & { readonly yes?: boolean; readonly force?: boolean };
}

/** `imprint assets prune`: lists, and with `--yes` deletes, files of ours that nothing uses any more. */
export async function pruneAssetsCommand(args: PruneAssetsArguments, context: CliContext): Promise<ExitCode> {
  const { dist, flags } = args;
  let exitCode: ExitCode = 0;
  await inspectPlan({ dist, flags }, context, async (planned) => {
    if (flags.yes === true) {
      requireOperation(planned.api, { operation: "assets.delete", deed: "delete a file of the library" });
    }
    const includeRecent = flags.force === true;
    const found = await findUnusedAssets(planned, { now: new Date(), includeRecent });
    const isDeleting = flags.yes === true && found.unused.length > 0;
    const deletion = isDeleting ? await deleteAssets(found.unused, planned) : undefined;
    if (flags.json === true) context.out.write(renderJson({ ...found, deletion }));
    else printPruned({ ...found, deletion }, context);
    exitCode = deletion !== undefined && deletion.kept.length > 0 ? 1 : 0;
  });
  return exitCode;
}

interface Pruned {
  readonly unused: readonly Asset[];
  /** Files that are too young to be deleted. */
  readonly recent: readonly Asset[];
  /** `undefined`: nothing was to be deleted. */
  readonly deletion: { readonly deleted: number; readonly kept: readonly string[] } | undefined;
}

function renderJson({ unused, recent, deletion }: Pruned): string {
  const describe = ({ id, name, size }: Asset) => ({ id, name, size });
  const files = { unused: unused.map(describe), recent: recent.map(describe) };
  const report = { version: 1, ...files, deleted: deletion?.deleted ?? 0, kept: deletion?.kept ?? [] };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

function printPruned({ unused, recent, deletion }: Pruned, { out, error }: CliContext): void {
  for (const { name = "", size } of unused) {
    out.write(`  ${printable(name)}${size === undefined ? "" : `  ${formatBytes(size)}`}\n`);
  }
  if (recent.length > 0) out.write(recentNote(recent));
  if (unused.length === 0 && recent.length === 0) out.write("Every file that imprint uploaded is in use.\n");
  if (deletion !== undefined) {
    out.write(`Deleted: ${countFiles(deletion.deleted)}.\n`);
    for (const reason of deletion.kept) error.write(`  ${printable(reason)}\n`);
  } else if (unused.length > 0) {
    out.write(`Not in use: ${countFiles(unused.length)} (${formatTotal(unused)}). Delete with --yes.\n`);
  }
}

function recentNote(recent: readonly Asset[]): string {
  const files = `${countFiles(recent.length)} (${formatTotal(recent)})`;
  const them = recent.length === 1 ? "it" : "them";
  return `Kept: ${files} uploaded in the last 24 hours, since an unfinished run may still use ${them}. Include ${them} with --force.\n`;
}

function formatTotal(assets: readonly Asset[]): string {
  return formatBytes(assets.reduce((sum, { size = 0 }) => sum + size, 0));
}

function countFiles(count: number): string {
  return count === 1 ? "1 file" : `${count} files`;
}
