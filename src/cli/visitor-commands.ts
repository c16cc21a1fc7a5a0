import { Option, type Command } from "commander";
import type { CommandSetup } from "./account-commands.ts";
import type { AnalyticsFlags } from "./commands/analytics.ts";
import type { ExportFlags, ListFlags } from "./commands/forms.ts";
import { withTargetFlags } from "./shared-flags.ts";

/** `imprint forms …` */
export function addForms(program: Command, { context, onExit }: CommandSetup): void {
  const forms = program.command("forms").description("Show and export what visitors sent through forms.");
  const list = forms
    .command("list")
    .description("List the forms on published pages, or what was sent through those of one page.")
    .argument("[page]", "slug of a page (needed with route set B)")
    .option("--form <name>", "only one form of the page")
    .option("--spam", "list what was taken for spam");
  withRange(withTargetFlags(list)).action(async (page: string | undefined, flags: ListFlags) => {
    const { listFormsCommand } = await import("./commands/forms.ts");
    onExit(await listFormsCommand(page, flags, context));
  });
  const exporting = forms
    .command("export")
    .description("Write what visitors sent as CSV that spreadsheets open safely, or as JSON.")
    .argument("[page]", "slug of a page (default: all pages)")
    .addOption(new Option("--format <format>", "format of the export").choices(["csv", "json"]).default("csv"))
    .option("--leads", "only the first submission of each e-mail address")
    .option("--out <file>", "file to write (default: the standard output)");
  withRange(withTargetFlags(exporting)).action(async (page: string | undefined, flags: ExportFlags) => {
    const { exportFormsCommand } = await import("./commands/forms.ts");
    onExit(await exportFormsCommand(page, flags, context));
  });
}

/** `imprint analytics` */
export function addAnalytics(program: Command, { context, onExit }: CommandSetup): void {
  const analytics = program
    .command("analytics")
    .description("Show what visitors did: on all pages, or on one in detail.")
    .argument("[page]", "slug of a page");
  withRange(withTargetFlags(analytics)).action(async (page: string | undefined, flags: AnalyticsFlags) => {
    const { analyticsCommand } = await import("./commands/analytics.ts");
    onExit(await analyticsCommand(page, flags, context));
  });
}

function withRange(command: Command): Command {
  return command.option("--from <day>", "first day, such as 2026-08-01 (UTC)").option("--to <day>", "last day (UTC)");
}
