import { relative, resolve } from "node:path";
import { createArchiveProgress } from "../archive-progress.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { readHosting } from "../serve-hosting.ts";
import { paintFor } from "../terminal.ts";

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
