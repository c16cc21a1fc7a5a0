import { pluralize } from "../../base/pluralize.ts";
import { relative, resolve } from "node:path";
import { ImprintError } from "../../base/error.ts";
import { OLDEST_NODE } from "../../base/version.ts";
import type { CliContext } from "../context.ts";
import type { CommandResult, CommandRun } from "../define-commands.ts";
import { checkService } from "../doctor/check-service.ts";
import { bad, checked, good, type Check, renderChecks, warning } from "../doctor/check.ts";
import { optionsOf, parseProjectOptions, readProject, type Project } from "../project.ts";
import { optionsFromFlags, type PublishFlags } from "../shared-flags.ts";
import { createCliLogger } from "../terminal.ts";
import { requireService } from "../with-project.ts";
import type { Options } from "../../options/schema.ts";
import { openTarget, type Environment, type Target } from "../../target/target.ts";
import { isPublished, readBuiltSite } from "../../site/read-site.ts";
import { recallDialect, lockedServiceOf } from "../../sync/lock.ts";
import { createStateFiles } from "../../sync/state-store.ts";
import { readEnvironment } from "../../target/environment.ts";

/** `imprint doctor`: checks everything that a run depends on, and says how to fix what fails. */
export async function doctor({ flags, context, paint }: CommandRun<PublishFlags>): Promise<CommandResult> {
  const checks = await examine(flags, context);
  const exitCode = checks.some(({ status }) => status === "bad") ? 1 : 0;
  const text = renderChecks(checks, { paint, columns: context.out.columns ?? 80 });
  return { json: { version: 1, checks, exitCode }, text, exitCode };
}

async function examine(flags: PublishFlags, context: CliContext): Promise<readonly Check[]> {
  const root = resolve(context.cwd, flags.root ?? ".");
  const node = checkNode(process.versions.node);
  let project: Project;
  let options: Options;
  let environment: Environment;
  try {
    project = await readProject(root);
    environment = await readEnvironment(root, context.environment);
    options = optionsOf(project, parseProjectOptions(project, optionsFromFlags(flags)), environment);
    requireService({ projectRoot: root, configFile: project.configFile, options, environment });
  } catch (error) {
    if (!(error instanceof ImprintError)) throw error;
    return [bad("Config", error), node];
  }
  const { configFile, dist } = project;
  const found = configFile === undefined ? "no config file; flags and defaults apply" : relative(root, configFile);
  const { checks, identity } = await examineService({ project, options, environment }, context);
  return [good("Config", found), ...checks, await checkState(root, identity), node, await checkDist(dist, root)];
}

async function examineService(
  {
    project,
    options,
    environment,
  }: { readonly project: Project; readonly options: Options; readonly environment: Environment },
  context: CliContext,
): Promise<{ readonly checks: readonly Check[]; readonly identity: string }> {
  const { signal } = context;
  const projectRoot = project.root;
  let target: Target;
  try {
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

function checkState(projectRoot: string, identity: string): Promise<Check> {
  return checked("State", () => {
    createStateFiles(projectRoot, identity).check();
    return good("State", ".imprint/ can be written");
  });
}

function checkNode(version: string): Check {
  if (version.localeCompare(OLDEST_NODE, "en", { numeric: true }) >= 0) return good("Node", version);
  return bad("Node", { message: `${version} is too old`, hint: `Install Node ${OLDEST_NODE} or later.` });
}

async function checkDist(dist: string, projectRoot: string): Promise<Check> {
  try {
    const { pages } = await readBuiltSite(dist);
    const count = pages.filter((page) => isPublished(page)).length;
    return good("Built site", `${relative(projectRoot, dist) || "."}, ${pluralize(count, "page")}`);
  } catch (error) {
    if (!(error instanceof ImprintError)) throw error;
    // Only a warning, because the integration publishes what it has just built.
    return error.code === "DIST_MISSING" ? warning("Built site", error.message, error.hint) : bad("Built site", error);
  }
}
