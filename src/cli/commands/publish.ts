import { resolve } from "node:path";
import { readEnvironment } from "../../flow/environment.ts";
import { openTarget, parseOptions, publish } from "../../publish.ts";
import type { Report } from "../../publish.ts";
import { renderJson } from "../../sync/report/render-json.ts";
import { renderText } from "../../sync/report/render-text.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { createProgress } from "../progress.ts";
import { readProject } from "../project.ts";
import { optionsFromFlags } from "../shared-flags.ts";
import type { PublishFlags } from "../shared-flags.ts";
import { createCliLogger, paintFor } from "../terminal.ts";

export interface PublishArguments {
  readonly dist: string | undefined;
  readonly flags: PublishFlags;
  readonly dryRun: boolean;
}

/** `imprint publish` and `imprint plan`: the same run, the second without its writes. */
export async function publishCommand(args: PublishArguments, context: CliContext): Promise<ExitCode> {
  const { dist, flags, dryRun } = args;
  const project = await readProject(resolve(context.cwd, flags.root ?? "."));
  const options = parseOptions({ ...project.options, ...optionsFromFlags(flags) });
  const environment = await readEnvironment(project.root, context.environment);
  const target = await openTarget(options, { projectRoot: project.root, environment });
  const progress = createProgress(context);
  try {
    const report = await publish({
      projectRoot: project.root,
      dist: dist === undefined ? project.dist : resolve(context.cwd, dist),
      options,
      target,
      dryRun,
      signal: context.signal,
      logger: createCliLogger(context),
      onOutcome: progress.onOutcome,
    });
    progress.stop();
    printReport(report, { json: flags.json === true, context });
    return report.exitCode;
  } finally {
    progress.stop();
    await target.close();
  }
}

function printReport(
  report: Report,
  { json, context }: { readonly json: boolean; readonly context: CliContext },
): void {
  const { out, environment } = context;
  out.write(json ? renderJson(report) : renderText(report, { paint: paintFor(out, environment) }));
}
