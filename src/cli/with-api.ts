import { resolve } from "node:path";
import type { ImprintApi } from "../client/api.ts";
import { connect } from "../client/connect.ts";
import { readEnvironment } from "../flow/environment.ts";
import { openTarget, parseOptions } from "../publish.ts";
import type { CliContext } from "./context.ts";
import { readProject } from "./project.ts";
import { optionsFromFlags } from "./shared-flags.ts";
import type { PublishFlags } from "./shared-flags.ts";

/** Connects to the service that flags, project and environment name, for as long as the work takes. */
export async function withApi<Result>(
  flags: PublishFlags,
  context: CliContext,
  work: (api: ImprintApi) => Promise<Result>,
): Promise<Result> {
  const project = await readProject(resolve(context.cwd, flags.root ?? "."));
  const options = parseOptions({ ...project.options, ...optionsFromFlags(flags) });
  const environment = await readEnvironment(project.root, context.environment);
  const target = await openTarget(options, { projectRoot: project.root, environment });
  try {
    const api = await connect({ ...target, signal: context.signal });
    try {
      return await work(api);
    } finally {
      await api.close();
    }
  } finally {
    await target.close();
  }
}
