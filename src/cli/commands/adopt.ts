import { ImprintError } from "../../base/error.ts";
import { publish, type PublishRequest } from "../../publish.ts";
import type { PageChange } from "../../sync/changes.ts";
import { confirmChange, type DeletionFlags } from "../confirm.ts";
import type { CommandResult, CommandRun } from "../define-commands.ts";
import { renderReport } from "../print.ts";
import { createProgress } from "../progress.ts";
import { openProject, withTarget } from "../with-project.ts";

type Planned = Parameters<NonNullable<PublishRequest["onPlanned"]>>[0];
type Held = Extract<PageChange, { readonly kind: "blocked" }>;

/** `imprint adopt`: lists the pages that occupy the site's slugs, and takes them over. */
export async function adopt({ args, flags, context }: CommandRun<DeletionFlags>): Promise<CommandResult> {
  const [dist] = args;
  const project = await openProject({ dist, flags }, context);
  return await withTarget(project, context, async (run) => {
    const held: Held[] = [];
    const onPlanned = ({ plan }: Planned) => {
      held.push(...plan.pages.filter((change): change is Held => change.kind === "blocked"));
    };
    await publish({ ...run, dryRun: true, onPlanned });
    refuseOthers(held);
    if (held.length === 0) {
      const text = "Nothing to adopt: every slug is free or already yours. Run `imprint publish`.\n";
      return { json: { version: 1, held: [], exitCode: 0 }, text };
    }
    const names = held.map(({ name, reason }) => `  ${name}: ${reason}`).join("\n");
    if (flags.json !== true) context.out.write(`${names}\n`);
    const question = `Replace ${held.length === 1 ? "this page" : `these ${held.length} pages`} with those of this project?`;
    if (!(await confirmChange(question, flags, context))) return 1;
    const progress = await createProgress(context);
    try {
      const options = { ...run.options, adopt: true };
      const { onStep, onOutcome } = progress;
      const report = await publish({ ...run, options, onStep, onOutcome });
      return { json: report, text: renderReport(report, context), exitCode: report.exitCode };
    } finally {
      progress.stop();
    }
  });
}

function refuseOthers(held: readonly Held[]): void {
  const others = held.filter(({ holder }) => holder !== undefined);
  const [first] = others;
  if (first === undefined) return;
  throw new ImprintError("SLUG_HELD", `${others.map(({ name }) => name).join(", ")}: ${first.reason}.`, {
    hint: 'Give this site slugs of its own with `slugs: { prefix: "docs" }`. Only `imprint publish --adopt` takes over pages of another project.',
  });
}
