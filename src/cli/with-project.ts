import { resolve } from "node:path";
import { readEnvironment } from "../flow/environment.ts";
import { createSiteRenderer } from "../flow/site-renderer.ts";
import { openTarget, parseOptions, publish } from "../publish.ts";
import type { PublishRequest } from "../publish.ts";
import type { CliContext } from "./context.ts";
import { readProject } from "./project.ts";
import { optionsFromFlags } from "./shared-flags.ts";
import type { PublishFlags } from "./shared-flags.ts";
import { createCliLogger } from "./terminal.ts";

/** A run as flags, project and environment describe it. */
export type ProjectRun = Pick<
  PublishRequest,
  "projectRoot" | "dist" | "options" | "target" | "markdown" | "signal" | "logger"
>;

export interface RunArguments {
  /** Built folder as it was given; default: the project's own. */
  readonly dist?: string | undefined;
  readonly flags: PublishFlags;
}

/** Opens the service that flags, project and environment name, for as long as the work takes. */
export async function withProject<Result>(
  { dist, flags }: RunArguments,
  context: CliContext,
  work: (run: ProjectRun) => Promise<Result>,
): Promise<Result> {
  const { cwd, signal } = context;
  const project = await readProject(resolve(cwd, flags.root ?? "."));
  const options = parseOptions({ ...project.options, ...optionsFromFlags(flags) });
  const environment = await readEnvironment(project.root, context.environment);
  const target = await openTarget(options, { projectRoot: project.root, environment });
  try {
    return await work({
      projectRoot: project.root,
      dist: dist === undefined ? project.dist : resolve(cwd, dist),
      options,
      target,
      markdown: createSiteRenderer(project.root, project.markdown),
      signal,
      logger: createCliLogger(context),
    });
  } finally {
    await target.close();
  }
}

/** Plans a run and looks at the plan, without any write. */
export async function inspectPlan(
  args: RunArguments,
  context: CliContext,
  onPlanned: NonNullable<PublishRequest["onPlanned"]>,
): Promise<void> {
  await withProject(args, context, (run) => publish({ ...run, dryRun: true, onPlanned }));
}
