import { resolve, relative } from "node:path";
import { spinner } from "@clack/prompts";
import type { CliContext, ExitCode } from "../context.ts";
import { readHosting } from "../serve-flags.ts";
import { paintFor, isWatched } from "../terminal.ts";
import { formatBytes } from "../../sync/report/words.ts";

export interface BackupFlags {
  readonly data: string;
  readonly databaseUrl?: string;
  readonly json?: boolean;
}

/** `imprint backup <file>`: saves a service into one file, while it runs. */
export async function backupCommand(file: string, flags: BackupFlags, context: CliContext): Promise<ExitCode> {
  const { backupService } = await import("../../service.ts");
  const { cwd, out, error, environment, signal } = context;
  const { databaseUrl, blobs } = readHosting(flags, environment);
  const progress = createArchiveProgress("Saving", context);
  const backup = await backupService({
    ...{ file: resolve(cwd, file), dataDir: resolve(cwd, flags.data), databaseUrl, blobs, signal },
    onProgress: progress.onProgress,
  }).finally(() => progress.stop());
  const { bytes, rows, blobs: files, missingBlobs } = backup;
  if (flags.json === true) {
    out.write(`${JSON.stringify(backup)}\n`);
  } else {
    const paint = paintFor(out, environment);
    out.write(`${paint("good", "Saved")} ${rows} rows and ${files} files in ${file} (${formatBytes(bytes)}).\n`);
    out.write(
      paint(
        "dim",
        "It holds secrets of webhooks, keys of certificates and hashes of API keys: let nobody else read it.\n",
      ),
    );
  }
  for (const hash of missingBlobs) {
    error.write(
      `${paintFor(error, environment)("warn", "!")} The library file ${hash} is lost or damaged; not saved.\n`,
    );
  }
  return 0;
}

export interface RestoreFlags {
  readonly data: string;
  readonly databaseUrl?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** `imprint restore <file>`: puts a service back from a backup. */
export async function restoreCommand(file: string, flags: RestoreFlags, context: CliContext): Promise<ExitCode> {
  const { restoreService } = await import("../../service.ts");
  const { cwd, out, environment, signal } = context;
  const { databaseUrl, blobs } = readHosting(flags, environment);
  const progress = createArchiveProgress("Restoring", context);
  const restored = await restoreService({
    ...{ file: resolve(cwd, file), dataDir: resolve(cwd, flags.data), databaseUrl, blobs, signal },
    existing: flags.force === true ? "keep-aside" : "refuse",
    onProgress: progress.onProgress,
  }).finally(() => progress.stop());
  const { rows, blobs: files, savedAt, keptAside, schemaVersion } = restored;
  if (flags.json === true) {
    out.write(`${JSON.stringify(restored)}\n`);
    return 0;
  }
  const paint = paintFor(out, environment);
  out.write(`${paint("good", "Restored")} ${rows} rows and ${files} files as of ${savedAt.toISOString()}.\n`);
  if (schemaVersion.from !== schemaVersion.to) {
    out.write(`Brought the database from schema ${schemaVersion.from} to ${schemaVersion.to}.\n`);
  }
  if (keptAside !== undefined)
    out.write(
      `What was there before is in ${databaseUrl === undefined ? relative(cwd, keptAside) : `the schema ${keptAside}`}.\n`,
    );
  const start = flags.data === ".imprint" ? "imprint serve" : `imprint serve --data ${flags.data}`;
  out.write(paint("dim", `Start the service with \`${start}\`. Keys that were valid then are valid again.\n`));
  return 0;
}

interface Amount {
  readonly rows: number;
  readonly blobs: number;
}

export interface ArchiveProgress {
  readonly onProgress: (done: Amount, total: Amount) => void;
  stop(): void;
}

const SHOWN_AFTER_MS = 1000;

/** How far a backup or a restore is, on a terminal and only when it takes more than a second. */
export function createArchiveProgress(verb: string, { out, environment }: CliContext): ArchiveProgress {
  if (out !== process.stdout || !isWatched(out, environment)) return { onProgress() {}, stop() {} };
  const startedAt = performance.now();
  let shown: ReturnType<typeof spinner> | undefined;
  return {
    onProgress(done, total) {
      if (performance.now() - startedAt < SHOWN_AFTER_MS) return;
      const message = `${verb} ${done.rows}/${total.rows} rows, ${done.blobs}/${total.blobs} files`;
      if (shown !== undefined) return shown.message(message);
      shown = spinner({ withGuide: false });
      shown.start(message);
    },
    stop() {
      shown?.clear();
    },
  };
}
