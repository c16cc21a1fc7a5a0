import type { Command } from "commander";
import type { CliContext } from "./context.ts";
import type { OnExit } from "./program.ts";

interface Setup {
  readonly context: CliContext;
  readonly onExit: OnExit;
}

/** `imprint backup` and `imprint restore`. */
export function addArchive(program: Command, { context, onExit }: Setup): void {
  program
    .command("backup")
    .description("Save a service into one file, while it runs. The file holds secrets: keep it safe.")
    .argument("<file>", "the backup to write, such as imprint.tar.gz")
    .option("--data <folder>", "folder of the database and the files", ".imprint")
    .option("--database-url <url>", "PostgreSQL in the place of the database in the folder (default: DATABASE_URL)")
    .option("--json", "print what was saved as JSON")
    .action(async (file, flags) => {
      const { backupCommand } = await import("./commands/backup.ts");
      onExit(await backupCommand(file, flags, context));
    });

  program
    .command("restore")
    .description("Put a service back from a backup, also one of an older version.")
    .argument("<file>", "a backup that `imprint backup` wrote")
    .option("--data <folder>", "folder that the service will keep its data in", ".imprint")
    .option("--database-url <url>", "PostgreSQL in the place of a database in the folder (default: DATABASE_URL)")
    .option("--force", "replace a service that is there, and keep it in a folder beside")
    .option("--json", "print what was put back as JSON")
    .action(async (file, flags) => {
      const { restoreCommand } = await import("./commands/restore.ts");
      onExit(await restoreCommand(file, flags, context));
    });
}
