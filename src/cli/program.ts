import { readFileSync } from "node:fs";
import { Command } from "commander";
import { addAccountCommands } from "./account/define-commands.ts";
import { ACCOUNT_COMMANDS } from "./account/commands.ts";
import { addArchive, addLogin, addMcp, addService } from "./service-commands.ts";
import { addBrand } from "./brand-commands.ts";
import type { CliContext, ExitCode } from "./context.ts";
import type { DeletionFlags } from "./confirm.ts";
import { POSTS_COMMANDS } from "./posts-commands.ts";
import {
  withPagesUrlFlag,
  withPreviewFlag,
  withPlanFlags,
  withRunFlags,
  withTargetFlags,
  withVerifyFlag,
  type PublishFlags,
} from "./shared-flags.ts";

/** Called with the exit code of the command that ran. */
export type OnExit = (code: ExitCode) => void;

/**
 * All commands with their flags and descriptions: what is parsed, what `--help` shows and what `docs/commands.md`
 * lists. A command's code is loaded when the command runs.
 */
export function createProgram(context: CliContext, onExit: OnExit): Command {
  const program = new Command("imprint")
    .description("Publish a built Astro site: pages, images, posts and brand kit.")
    .version(readVersion(), "-V, --version", "print the version of astro-imprint")
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void context.out.write(text),
      writeErr: (text) => void context.error.write(text),
      // Without the value of a flag that does not exist: it may be the key.
      outputError: (text, write) => write(text.replace(/(unknown option '--[^=']+)=.*'/s, "$1'")),
    });
  addPublishing(program, { context, onExit });
  addAccountCommands(program, POSTS_COMMANDS, { context, onExit });
  addDoctor(program, { context, onExit });
  addLogin(program, { context, onExit });
  addBrand(program, { context, onExit });
  addAccountCommands(program, ACCOUNT_COMMANDS, { context, onExit });
  addMcp(program, { context, onExit });
  addService(program, { context, onExit });
  addArchive(program, { context, onExit });
  return program;
}

interface Setup {
  readonly context: CliContext;
  readonly onExit: OnExit;
}

function addPublishing(program: Command, { context, onExit }: Setup): void {
  const publish = program
    .command("publish")
    .description("Publish a built site.")
    .argument("[dist]", "folder that astro build wrote (default: outDir of the Astro config, or dist)")
    .option("--dry-run", "show what would be sent and send nothing")
    .option("--accept", "record in imprint.lock.json what this host can't do, so that it no longer fails a run")
    .option("--plan <file>", "carry out this reviewed plan, or refuse when the site or the service has changed");
  withRunFlags(withVerifyFlag(publish)).action(
    async (
      dist: string | undefined,
      flags: PublishFlags & { dryRun?: boolean; plan?: string; accept?: boolean; verify?: true | "browser" },
    ) => {
      const { publishCommand } = await import("./commands/publish.ts");
      onExit(await publishCommand({ dist, flags, dryRun: flags.dryRun === true }, context));
    },
  );

  const plan = program
    .command("plan")
    .description("Show what publishing would change, with reasons, and send nothing.")
    .argument("[dist]", "folder that astro build wrote (default: outDir of the Astro config, or dist)");
  plan.option("--out <file>", "write the plan to a file for `imprint publish --plan`");
  withRunFlags(plan).action(async (dist: string | undefined, flags: PublishFlags & { out?: string }) => {
    const { publishCommand } = await import("./commands/publish.ts");
    onExit(await publishCommand({ dist, flags, dryRun: true }, context));
  });

  addInspection(program, { context, onExit });
  addAdopt(program, { context, onExit });

  const status = program
    .command("status")
    .description("Show whether the service answers, and what it holds.")
    .option("--all", "also list the projects that have published to the account, with their pages");
  withTargetFlags(status).action(async (flags: PublishFlags & { readonly all?: boolean }) => {
    const { statusCommand } = await import("./commands/status.ts");
    onExit(await statusCommand(flags, context));
  });
}

function addAdopt(program: Command, { context, onExit }: Setup): void {
  const adopt = program
    .command("adopt")
    .description(
      "List pages at the site's slugs that can't be shown to be this project's, and take them over. For a lost imprint.lock.json.",
    )
    .argument("[dist]", "folder that astro build wrote (default: outDir of the Astro config, or dist)")
    .option("-y, --yes", "take them over without asking");
  withPagesUrlFlag(withTargetFlags(adopt)).action(async (dist: string | undefined, flags: DeletionFlags) => {
    const { adoptCommand } = await import("./commands/adopt.ts");
    onExit(await adoptCommand({ dist, flags }, context));
  });
}

function addDoctor(program: Command, { context, onExit }: Setup): void {
  const doctor = program
    .command("doctor")
    .description(
      "Check everything that publishing depends on, with remedies. Asks the library how it serves files, by uploading tiny ones and deleting them again where it can.",
    );
  withTargetFlags(doctor).action(async (flags: PublishFlags) => {
    const { doctorCommand } = await import("./commands/doctor.ts");
    onExit(await doctorCommand(flags, context));
  });
}

function addInspection(program: Command, { context, onExit }: Setup): void {
  const diff = program
    .command("diff")
    .description("Show what publishing would change in one page: the live page against the built one.")
    .argument("<slug>", "slug of the page")
    .argument("[dist]", "folder that astro build wrote (default: outDir of the Astro config, or dist)");
  withPlanFlags(withPreviewFlag(diff)).action(async (slug: string, dist: string | undefined, flags: PublishFlags) => {
    const { diffCommand } = await import("./commands/diff.ts");
    onExit(await diffCommand({ slug, dist, flags }, context));
  });
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return String(version);
}
