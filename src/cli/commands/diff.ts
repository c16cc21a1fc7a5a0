import { resolve } from "node:path";
import { readEnvironment } from "../../flow/environment.ts";
import { openTarget, parseOptions, publish } from "../../publish.ts";
import { diffPage } from "../../sync/page-diff.ts";
import type { CliContext, ExitCode } from "../context.ts";
import { readProject } from "../project.ts";
import { optionsFromFlags } from "../shared-flags.ts";
import type { PublishFlags } from "../shared-flags.ts";
import { createCliLogger, paintFor } from "../terminal.ts";

export interface DiffArguments {
  readonly slug: string;
  readonly dist: string | undefined;
  readonly flags: PublishFlags;
}

/** `imprint diff <slug>`: what publishing would change in one page. */
export async function diffCommand({ slug, dist, flags }: DiffArguments, context: CliContext): Promise<ExitCode> {
  const project = await readProject(resolve(context.cwd, flags.root ?? "."));
  const options = parseOptions({ ...project.options, ...optionsFromFlags(flags) });
  const environment = await readEnvironment(project.root, context.environment);
  const target = await openTarget(options, { projectRoot: project.root, environment });
  let patch = "";
  try {
    await publish({
      projectRoot: project.root,
      dist: dist === undefined ? project.dist : resolve(context.cwd, dist),
      options,
      target,
      dryRun: true,
      signal: context.signal,
      logger: createCliLogger(context),
      onPlanned: async (planned) => {
        patch = await diffPage(slug, planned);
      },
    });
  } finally {
    await target.close();
  }
  context.out.write(patch === "" ? `${slug} is live as it was built.\n` : `${paintPatch(patch, context)}\n`);
  return 0;
}

function paintPatch(patch: string, { out, environment }: CliContext): string {
  const paint = paintFor(out, environment);
  const lines = patch.split("\n").map((line) => {
    if (/^(?:---|\+\+\+|@@)/.test(line)) return paint("dim", line);
    if (line.startsWith("+")) return paint("good", line);
    return line.startsWith("-") ? paint("bad", line) : line;
  });
  return lines.join("\n");
}
