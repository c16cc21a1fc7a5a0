import { appendFile, readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ImprintError, messageOf } from "../../base/error.ts";
import { publish, type PublishRequest, type Report } from "../../publish.ts";
import { checkPlanFile, renderPlanFile } from "../../sync/plan-file.ts";
import { renderCodeQuality, renderGithubAnnotations, renderGithubSummary } from "../../sync/report/render-ci.ts";
import { DEFAULT_SERVICE_NOTE } from "../../target/target.ts";
import type { CliContext } from "../context.ts";
import type { CommandResult, CommandRun } from "../define-commands.ts";
import { formatJson, print, renderReport } from "../print.ts";
import { prepareOutput, writeOutput } from "../output-file.ts";
import { createProgress } from "../progress.ts";
import type { PublishFlags } from "../shared-flags.ts";
import { wrapFor } from "../terminal.ts";
import { decideRun, openProject, withTarget } from "../with-project.ts";
import { limitYoungSpace } from "../young-space.ts";

type Planned = Parameters<NonNullable<PublishRequest["onPlanned"]>>[0];

interface RunFlags extends PublishFlags {
  readonly dryRun?: boolean;
  /** The only page to publish. */
  readonly page?: string;
  /** File to write the plan to. */
  readonly out?: string;
  /** Record what the host can't do as accepted. */
  readonly accept?: boolean;
  /** File with a reviewed plan. */
  readonly plan?: string;
  /** Verify what was published; `browser`: in a browser too. */
  readonly verify?: true | "browser";
  /** File to write the report to, as JSON. */
  readonly report?: string;
  /** File to write GitLab's code quality report to. */
  readonly codeQuality?: string;
}

type PublishRun = CommandRun<RunFlags>;

export { publishCommand as publish };

/** `imprint plan`: the same run as `imprint publish`, without its writes. */
export async function plan({ flags, ...run }: PublishRun): Promise<CommandResult> {
  return publishCommand({ ...run, flags: { ...flags, dryRun: true } });
}

async function publishCommand({ args: [dist], flags, context }: PublishRun): Promise<CommandResult> {
  const { dryRun = false, accept = false, verify = false, page } = flags;
  for (const file of [flags.report, flags.codeQuality, flags.out]) {
    if (file !== undefined) await prepareOutput(file, context);
  }
  const project = await openProject({ dist, flags }, context);
  const mode = await decideRun(project, flags, context);
  if (mode.kind === "none") {
    if (!dryRun) return notPublished(mode.why, context);
    context.error.write(`${mode.why}\nThis is the plan for the live site.\n`);
  }
  if (project.isServiceDefault) context.error.write(`${DEFAULT_SERVICE_NOTE}\n`);
  const preview = mode.kind === "preview" ? mode.name : undefined;
  return withTarget(project, context, async (run) => {
    const progress = await createProgress(context);
    context.signal?.addEventListener("abort", () => {
      context.error.write("\nFinishing requests in progress. Press Ctrl+C again to stop immediately.\n");
    });
    try {
      const report = await publish({
        ...run,
        preview,
        page,
        dryRun,
        accept,
        verify,
        // Users wait for the whole process.
        startedAt: 0,
        onPlanned: (planned) => exchangePlan(planned, { flags, context, baseUrl: run.target.baseUrl }),
        onStep(step) {
          if (step.kind === "pages") limitYoungSpace();
          progress.onStep(step);
        },
        onOutcome: progress.onOutcome,
      });
      progress.stop();
      print(report, { flags, context, text: renderReport(report, context) });
      await writeReports(report, flags, context);
      await reportToGithub(report, context);
      return report.exitCode;
    } finally {
      progress.stop();
    }
  });
}

function notPublished(why: string, { out, environment }: CliContext): CommandResult {
  return {
    json: { version: 1, notPublished: why, exitCode: 0 },
    text: `${wrapFor(out, environment)(why, "")}\n`,
  };
}

// Annotations are commands in the log; they go to the error stream, so that `--json` output stays valid.
async function reportToGithub(report: Report, { environment, error }: CliContext): Promise<void> {
  if (environment["GITHUB_ACTIONS"] !== "true") return;
  error.write(renderGithubAnnotations(report));
  const { GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: output } = environment;
  if (summary !== undefined && summary !== "") await appendFile(summary, renderGithubSummary(report));
  const { home } = report.links;
  if (output !== undefined && output !== "" && home !== undefined) await appendFile(output, `url=${home}\n`);
}

async function writeReports(report: Report, flags: RunFlags, context: CliContext): Promise<void> {
  if (flags.report !== undefined) await writeOutput(flags.report, formatJson(report), context);
  if (flags.codeQuality !== undefined) await writeOutput(flags.codeQuality, renderCodeQuality(report), context);
}

const UNPROVEN =
  "The first page that is published shows how the library serves scripts and fonts. Until then, the plan relies on what the route set promises; `imprint doctor` checks it.";

async function exchangePlan(
  planned: Planned,
  { flags, context, baseUrl }: { readonly flags: RunFlags; readonly context: CliContext; readonly baseUrl: string },
): Promise<void> {
  const isUnproven = planned.api.dialect.html === undefined;
  if (flags.dryRun === true && isUnproven)
    context.error.write(`${wrapFor(context.error, context.environment)(UNPROVEN, "")}\n`);
  const target = { baseUrl, routeSet: planned.api.capabilities.routeSet };
  if (flags.out !== undefined) await writeOutput(flags.out, renderPlanFile(planned.plan, target), context);
  if (flags.plan !== undefined) {
    const text = await readFile(resolve(context.cwd, flags.plan), "utf8").catch((error: unknown) => {
      throw new ImprintError("USAGE", `${flags.plan} can't be read: ${messageOf(error)}`, { cause: error });
    });
    checkPlanFile(text, { plan: planned.plan, target });
  }
}
