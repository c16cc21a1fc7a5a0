import { relative, resolve } from "node:path";
import { ImprintError } from "../../base/error.ts";
import { readEnvironment } from "../../target/environment.ts";
import { lockedServiceOf } from "../../sync/run-state.ts";
import { recallDialect } from "../../sync/lock.ts";
import { createStateFiles } from "../../sync/state-store.ts";
import { openTarget, parseOptions, type Options, type Target } from "../../publish.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { checkDist, checkNode, checkState } from "../doctor/check-machine.ts";
import { checkService } from "../doctor/check-service.ts";
import { bad, good, type Check, renderChecks } from "../doctor/check.ts";
import { print } from "../print.ts";
import { readProject, type Project } from "../project.ts";
import { optionsFromFlags, type PublishFlags } from "../shared-flags.ts";
import { createCliLogger, paintFor } from "../terminal.ts";

/** `imprint doctor`: whether everything that a run depends on is as it should be, and what to do where it is not. */
export async function doctorCommand(flags: PublishFlags, context: CliContext): Promise<ExitCode> {
  const checks = await examine(flags, context);
  const exitCode = checks.some(({ status }) => status === "bad") ? 1 : 0;
  const { out, environment } = context;
  const text = renderChecks(checks, { paint: paintFor(out, environment), columns: out.columns ?? 80 });
  print({ version: 1, checks, exitCode }, { flags, context, text });
  return exitCode;
}

async function examine(flags: PublishFlags, context: CliContext): Promise<readonly Check[]> {
  const root = resolve(context.cwd, flags.root ?? ".");
  const node = await checkNode(process.versions.node);
  let project: Project;
  let options: Options;
  try {
    project = await readProject(root);
    options = parseOptions({ ...project.options, ...optionsFromFlags(flags) });
  } catch (error) {
    if (!(error instanceof ImprintError)) throw error;
    return [bad("Config", error), node];
  }
  const { configFile, dist } = project;
  const found = configFile === undefined ? "no config file; flags and defaults hold" : relative(root, configFile);
  const { checks, identity } = await examineService({ project, options }, context);
  return [good("Config", found), ...checks, await checkState(root, identity), node, await checkDist(dist, root)];
}

interface Subject {
  readonly project: Project;
  readonly options: Options;
}

interface ServiceExamination {
  readonly checks: readonly Check[];
  readonly identity: string;
}

async function examineService({ project, options }: Subject, context: CliContext): Promise<ServiceExamination> {
  const { signal } = context;
  const projectRoot = project.root;
  let target: Target;
  try {
    const environment = await readEnvironment(projectRoot, context.environment);
    target = await openTarget(options, { projectRoot, environment });
  } catch (error) {
    if (!(error instanceof ImprintError)) throw error;
    const name = error.code === "KEY_MISSING" || error.code === "LOGIN_EXPIRED" ? "API key" : "Service";
    return { checks: [bad(name, error)], identity: "no service" };
  }
  try {
    const { pagesUrl } = options;
    const logger = createCliLogger(context);
    const lock = await createStateFiles(projectRoot, target.identity).readLock();
    const dialect = { ...recallDialect(lock, lockedServiceOf(target)), ...options.dialect };
    const checks = await checkService({ projectRoot, target, dialect, pagesUrl, logger, signal });
    return { checks, identity: target.identity };
  } finally {
    await target.close();
  }
}
