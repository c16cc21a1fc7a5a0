import { pluralize } from "../../base/pluralize.ts";
import { relative, resolve } from "node:path";
import { spinner } from "@clack/prompts";
import { formatBytes } from "../../sync/report/words.ts";
import { loadService } from "../../target/service-package.ts";
import type { CliContext } from "../context.ts";
import type { CommandResult, CommandRun } from "../define-commands.ts";
import { readHosting } from "../serve-flags.ts";
import { embeddedOf, readServedProject } from "../served-project.ts";
import { createCliLogger, isWatched, paintFor } from "../terminal.ts";

interface ArchiveFlags {
  readonly data?: string;
  readonly databaseUrl?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

type ArchiveRun = CommandRun<ArchiveFlags>;

/** `imprint backup <file>`: backs up a service to one file, even while it runs. */
export async function backup({ args: [file = ""], flags, context, paint }: ArchiveRun): Promise<CommandResult> {
  const { backupService } = await loadService(context.cwd);
  const { error, environment } = context;
  const progress = createProgress("Saving", context);
  const saved = await backupService({
    ...(await archiveOptions(file, flags, context)),
    onProgress: progress.onProgress,
  }).finally(() => progress.stop());
  const secrets = "It contains webhook secrets, certificate keys and API key hashes: keep it private.\n";
  for (const hash of saved.missingBlobs) {
    const sign = paintFor(error, environment)("warn", "!");
    error.write(`${sign} The library file ${hash} is lost or damaged and was not saved.\n`);
  }
  const amount = `${pluralize(saved.rows, "row")} and ${pluralize(saved.blobs, "file")}`;
  return {
    json: saved,
    text: `${paint("good", "Saved")} ${amount} in ${file} (${formatBytes(saved.bytes)}).\n${paint("dim", secrets)}`,
  };
}

/** `imprint restore <file>`: restores a service from a backup. */
export async function restore({ args: [file = ""], flags, context, paint }: ArchiveRun): Promise<CommandResult> {
  const { restoreService } = await loadService(context.cwd);
  const progress = createProgress("Restoring", context);
  const options = await archiveOptions(file, flags, context);
  const restored = await restoreService({
    ...options,
    existing: flags.force === true ? "keep-aside" : "refuse",
    onProgress: progress.onProgress,
  }).finally(() => progress.stop());
  const { rows, blobs, savedAt, keptAside, schemaVersion } = restored;
  const { from, to } = schemaVersion;
  const lines = [
    `${paint("good", "Restored")} ${pluralize(rows, "row")} and ${pluralize(blobs, "file")} as of ${savedAt.toISOString()}.`,
  ];
  if (from !== to) lines.push(`Migrated the database from schema ${from} to ${to}.`);
  if (keptAside !== undefined) {
    const place = options.databaseUrl === undefined ? relative(context.cwd, keptAside) : `the schema ${keptAside}`;
    lines.push(`The previous data is in ${place}.`);
  }
  const start = flags.data === undefined ? "imprint serve" : `imprint serve --data ${flags.data}`;
  lines.push(paint("dim", `Start the service with \`${start}\`. Keys that were valid at that time are valid again.`));
  return { json: restored, text: `${lines.join("\n")}\n` };
}

async function archiveOptions(file: string, flags: ArchiveFlags, context: CliContext) {
  const { cwd, environment, signal } = context;
  const { databaseUrl, blobs } = readHosting(flags, environment);
  const data = flags.data ?? embeddedOf(await readServedProject(cwd, createCliLogger(context))).dataDir;
  return { file: resolve(cwd, file), dataDir: resolve(cwd, data), databaseUrl, blobs, signal };
}

type Amount = Readonly<Record<"rows" | "blobs", number>>;

const SHOWN_AFTER_MS = 1000;

/** Shows the progress of a backup or restore that takes more than a second, on a terminal only. */
function createProgress(verb: string, { out, environment }: CliContext) {
  const isShown = out === process.stdout && isWatched(out, environment);
  const startedAt = performance.now();
  let shown: ReturnType<typeof spinner> | undefined;
  return {
    onProgress(done: Amount, total: Amount): void {
      if (!isShown || performance.now() - startedAt < SHOWN_AFTER_MS) return;
      const message = `${verb} ${done.rows}/${pluralize(total.rows, "row")}, ${done.blobs}/${pluralize(total.blobs, "file")}`;
      if (shown !== undefined) return shown.message(message);
      shown = spinner({ withGuide: false });
      shown.start(message);
    },
    stop: () => shown?.clear(),
  };
}
