import { resolve } from "node:path";
import { formatBytes } from "../../sync/report/words.ts";
import { createArchiveProgress } from "../archive-progress.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { readHosting } from "../serve-hosting.ts";
import { paintFor } from "../terminal.ts";

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
