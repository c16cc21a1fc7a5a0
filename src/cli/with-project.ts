import { relative, resolve } from "node:path";
import { decideRunMode, type RunMode } from "../target/run-mode.ts";
import { readEnvironment } from "../target/environment.ts";
import { createSiteRenderer } from "../posts/render/render-markdown.ts";
import type { Options } from "../options/schema.ts";
import type { PublishRequest } from "../publish.ts";
import { ImprintError } from "../base/error.ts";
import { namedService, openTarget, type Environment, type Target } from "../target/target.ts";
import type { CliContext } from "./context.ts";
import { findProjectAbove, optionsOf, parseProjectOptions, readProject } from "./project.ts";
import { optionsFromFlags, type PublishFlags } from "./shared-flags.ts";
import { createCliLogger } from "./terminal.ts";
import type { ImprintApi } from "../client/api.ts";
import { connect } from "../client/connect.ts";
import type { ConnectionOptions } from "../client/options.ts";
import { lockedServiceOf, recallDialect, type Lock } from "../sync/lock.ts";
import { createStateFiles } from "../sync/state-store.ts";

/** A run as defined by flags, project and environment. */
export type ProjectRun = Pick<
  PublishRequest,
  "projectRoot" | "dist" | "options" | "target" | "markdown" | "signal" | "logger" | "connection"
>;

export interface RunArguments {
  /** Built folder as given. Default: the project's. */
  readonly dist?: string | undefined;
  readonly flags: PublishFlags;
}

/** A project before its service is opened. */
export interface OpenProject {
  readonly projectRoot: string;
  /** `undefined` if the folder has none, and may be no project. */
  readonly configFile: string | undefined;
  readonly dist: string;
  readonly options: Options;
  readonly markdown: PublishRequest["markdown"];
  readonly environment: Environment;
  /** Whether no service is configured, so that the embedded one is used. */
  readonly isServiceDefault: boolean;
}

/** Reads the project that the flags select, with its options and environment. */
export async function openProject({ dist, flags }: RunArguments, context: CliContext): Promise<OpenProject> {
  const { cwd } = context;
  const project = await readProject(resolve(cwd, flags.root ?? "."));
  const environment = await readEnvironment(project.root, context.environment);
  const written = parseProjectOptions(project, optionsFromFlags(flags));
  const options = optionsOf(project, written, environment);
  return {
    projectRoot: project.root,
    configFile: project.configFile,
    dist: dist === undefined ? project.dist : resolve(cwd, dist),
    options,
    markdown: createSiteRenderer(project.root, project.markdown),
    environment,
    isServiceDefault: options.service !== written.service,
  };
}

/** Decides whether a run publishes the live site, a preview, or nothing. */
export function decideRun(project: OpenProject, flags: PublishFlags, context: CliContext): Promise<RunMode> {
  const { projectRoot, options, environment } = project;
  return decideRunMode(options, { projectRoot, environment, flags, process: context.environment });
}

/** Throws `USAGE` in a folder without a project if nothing specifies a service: it is probably the wrong folder. */
export function requireService({
  projectRoot,
  configFile,
  options,
  environment,
  dist = projectRoot,
}: Pick<OpenProject, "projectRoot" | "configFile" | "options" | "environment"> &
  Partial<Pick<OpenProject, "dist">>): void {
  if (configFile !== undefined || namedService(options, environment) !== undefined) return;
  const found = findProjectAbove(dist);
  const place = found === undefined || found === projectRoot ? undefined : relative(projectRoot, found);
  throw new ImprintError("USAGE", `${projectRoot} has no Astro config, and no service is named.`, {
    hint:
      place === undefined
        ? "Run this in the folder of your site; `npx imprint init` sets one up. Elsewhere, add --service <address>."
        : `Run this in ${place}, or add --root ${place}.`,
  });
}

/** Opens the service of a project while the work runs. */
export async function withTarget<Result>(
  { environment, configFile, ...project }: OpenProject,
  context: CliContext,
  work: (run: ProjectRun) => Promise<Result>,
): Promise<Result> {
  requireService({ ...project, configFile, environment });
  const { projectRoot, options } = project;
  const target = await openTarget(options, { projectRoot, environment });
  try {
    return await work({
      ...project,
      target,
      signal: context.signal,
      connection: context.connection,
      logger: createCliLogger(context),
    });
  } finally {
    await target.close();
  }
}

/** Connects to the service of a project with the dialect from its lock file, as a run of the project does. */
export async function connectProject(
  { projectRoot, target, options }: Pick<ProjectRun, "projectRoot" | "target" | "options">,
  stops: Pick<ConnectionOptions, "signal" | "stop">,
): Promise<{ readonly api: ImprintApi; readonly lock: Lock }> {
  const lock = await createStateFiles(projectRoot, target.identity).readLock();
  const dialect = { ...recallDialect(lock, lockedServiceOf(target)), ...options.dialect };
  return { api: await connect({ ...target, ...stops, dialect }), lock };
}

/** Opens the service that flags, project and environment select, while the work runs. */
export async function withProject<Result>(
  args: RunArguments,
  context: CliContext,
  work: (run: ProjectRun) => Promise<Result>,
): Promise<Result> {
  return withTarget(await openProject(args, context), context, work);
}

/** Connects to the service that flags, project and environment select, while the work runs. */
export async function withApi<Result>(
  flags: PublishFlags,
  context: CliContext,
  work: (api: ImprintApi, target: Target) => Promise<Result>,
): Promise<Result> {
  return withProject({ flags }, context, async ({ target, signal }) => {
    const api = await connect({ ...target, signal });
    try {
      return await work(api, target);
    } finally {
      await api.close();
    }
  });
}
