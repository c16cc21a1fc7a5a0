import { Command, Option } from "commander";
import type { CliContext, ExitCode } from "./context.ts";
import type { PublishFlags } from "./shared-flags.ts";
import { withPublishFlags, withTargetFlags } from "./shared-flags.ts";

/** Called with the exit code of the command that ran. */
export type OnExit = (code: ExitCode) => void;

/**
 * All commands with their flags and descriptions: what is parsed, what `--help` shows and what `docs/commands.md`
 * lists. A command's code is loaded when the command runs.
 */
export function createProgram(context: CliContext, onExit: OnExit): Command {
  const program = new Command("imprint")
    .description("Publish a built Astro site: pages, images, posts and brand kit.")
    .showSuggestionAfterError()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void context.out.write(text),
      writeErr: (text) => void context.error.write(text),
    });
  addPublishing(program, { context, onExit });
  addService(program, { context, onExit });
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
    .option("--dry-run", "show what would be sent and send nothing");
  withPublishFlags(publish).action(async (dist: string | undefined, flags: PublishFlags & { dryRun?: boolean }) => {
    const { publishCommand } = await import("./commands/publish.ts");
    onExit(await publishCommand({ dist, flags, dryRun: flags.dryRun === true }, context));
  });

  const plan = program
    .command("plan")
    .description("Show what publishing would change, with reasons, and send nothing.")
    .argument("[dist]", "folder that astro build wrote (default: outDir of the Astro config, or dist)");
  withPublishFlags(plan).action(async (dist: string | undefined, flags: PublishFlags) => {
    const { publishCommand } = await import("./commands/publish.ts");
    onExit(await publishCommand({ dist, flags, dryRun: true }, context));
  });

  const status = program.command("status").description("Show whether the service answers, and what it holds.");
  withTargetFlags(status).action(async (flags: PublishFlags) => {
    const { statusCommand } = await import("./commands/status.ts");
    onExit(await statusCommand(flags, context));
  });
}

function addService(program: Command, { context, onExit }: Setup): void {
  program
    .command("serve")
    .description("Run the service here: API, published pages and library, with data in .imprint/.")
    .option("--port <number>", "port of the API", "4400")
    .option("--pages-port <number>", "port of published pages and library files", "4401")
    .option("--data <folder>", "folder of the database and the files", ".imprint")
    .option("--ephemeral", "keep nothing after the end")
    .option("--strict", "answer only what the specification shows")
    .option("--new-key", "make an API key and show it once")
    .option("--json", "print the addresses as JSON")
    .addOption(new Option("--route-set <set>", "route set at the root address").choices(["a", "b"]).default("a"))
    .action(async (flags) => {
      const { serveCommand } = await import("./commands/serve.ts");
      onExit(await serveCommand(flags, context));
    });
}
