import type { Command } from "commander";
import type { CommandSetup } from "./account-commands.ts";
import type { ImportFlags, RemoveAssetFlags, UploadFlags } from "./commands/assets.ts";
import type { PruneAssetsArguments } from "./commands/prune-assets.ts";
import { withPublishFlags, withTargetFlags, type PublishFlags } from "./shared-flags.ts";

/** `imprint assets …` */
export function addAssets(program: Command, { context, onExit }: CommandSetup): void {
  const assets = program.command("assets").description("Files in the library.");
  const list = assets
    .command("list")
    .description("List the files of the library.")
    .argument("[text]", "only files with this in their name");
  withTargetFlags(list).action(async (text: string | undefined, flags: PublishFlags) => {
    const { listAssetsCommand } = await import("./commands/assets.ts");
    onExit(await listAssetsCommand(text, flags, context));
  });
  const upload = assets
    .command("upload")
    .description("Upload files and show their addresses.")
    .argument("<files...>", "files to upload (route set B takes images only)")
    .option("--alt <text>", "what a picture shows, for those who can't see it");
  withTargetFlags(upload).action(async (files: readonly string[], flags: UploadFlags) => {
    const { uploadAssetsCommand } = await import("./commands/assets.ts");
    onExit(await uploadAssetsCommand(files, flags, context));
  });
  const importing = assets
    .command("import")
    .description("Let the service fetch a file into the library (route set B).")
    .argument("<url>", "where the file is")
    .option("--name <name>", "name of the file in the library")
    .option("--alt <text>", "what a picture shows, for those who can't see it");
  withTargetFlags(importing).action(async (url: string, flags: ImportFlags) => {
    const { importAssetCommand } = await import("./commands/assets.ts");
    onExit(await importAssetCommand(url, flags, context));
  });
  addRemovals(assets, { context, onExit });
}

function addRemovals(assets: Command, { context, onExit }: CommandSetup): void {
  const remove = assets
    .command("remove")
    .description("Delete files of the library (route set A).")
    .argument("<files...>", "id, name or address of each file")
    .option("--force", "even when they are in use")
    .option("--yes", "do not ask");
  withTargetFlags(remove).action(async (names: readonly string[], flags: RemoveAssetFlags) => {
    const { removeAssetsCommand } = await import("./commands/assets.ts");
    onExit(await removeAssetsCommand(names, flags, context));
  });
  const prune = assets
    .command("prune")
    .description("List files of imprint that nothing uses any more; delete them with --yes.")
    .argument("[dist]", "folder that astro build wrote (default: outDir of the Astro config, or dist)")
    .option("--yes", "delete them")
    .option("--force", "include files uploaded in the last 24 hours, which an unfinished run may still use");
  withPublishFlags(prune).action(async (dist: string | undefined, flags: PruneAssetsArguments["flags"]) => {
    const { pruneAssetsCommand } = await import("./commands/prune-assets.ts");
    onExit(await pruneAssetsCommand({ dist, flags }, context));
  });
}
