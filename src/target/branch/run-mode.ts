import picomatch from "picomatch";
import type { Options } from "../../options/schema.ts";
import { parsePreviewName } from "../../sync/preview-name.ts";
import type { Environment } from "../target.ts";
import { findBranch, type BuiltBranch } from "./find-branch.ts";

/** What a run is for. */
export type RunMode =
  | { readonly kind: "live" }
  | { readonly kind: "preview"; readonly name: string }
  /** `why`: a whole sentence for the log. */
  | { readonly kind: "none"; readonly why: string };

export interface RunModeContext {
  readonly projectRoot: string;
  /** The process's own environment, for what a CI says. */
  readonly process: NodeJS.ProcessEnv;
  /** What the environment and the `.env` files say to imprint. */
  readonly environment: Environment;
  /** Flags, which win over the environment, which wins over the options. */
  readonly flags?: { readonly preview?: string | undefined; readonly branch?: string | undefined };
}

/**
 * Decides whether a run publishes the live site, a preview, or nothing.
 *
 * @throws ImprintError `USAGE` when a flag names a preview without a name
 */
export async function decideRunMode(
  options: Pick<Options, "preview" | "publish">,
  { projectRoot, process, environment, flags = {} }: RunModeContext,
): Promise<RunMode> {
  const name = findNamedPreview(options, { environment, flags });
  if (name !== undefined) return { kind: "preview", name };
  const { publish } = options;
  if (typeof publish === "boolean") return { kind: "live" };
  const stated = flags.branch ?? (environment.IMPRINT_BRANCH || undefined);
  const built = await findBranch({ stated, environment: process, projectRoot });
  return followRules(publish, built);
}

/**
 * The preview that somebody named, whatever the branch is.
 *
 * @throws ImprintError `USAGE` when a flag names a preview without a name
 */
export function findNamedPreview(
  { preview }: Pick<Options, "preview">,
  { environment, flags = {} }: Pick<RunModeContext, "environment" | "flags">,
): string | undefined {
  const named = flags.preview ?? (environment.IMPRINT_PREVIEW || preview);
  return named === undefined ? undefined : parsePreviewName(named);
}

type Rules = Exclude<Options["publish"], boolean>;

function followRules({ branches, previews }: Rules, built: BuiltBranch): RunMode {
  const { branch, request, source } = built;
  if (branch === undefined && request?.name === undefined) {
    const why = `Not published: the branch of this build is not known (${source} names none). Name it in IMPRINT_BRANCH or with --branch.`;
    return { kind: "none", why };
  }
  if (request === undefined && matches(branch, branches)) return { kind: "live" };
  if (previews === true || (previews !== false && matches(branch, previews))) {
    return { kind: "preview", name: parsePreviewName(previewOf(built)) };
  }
  const what = request === undefined ? `the branch ${branch}` : `the pull request ${request.name ?? branch}`;
  const rules = previews === false ? "`publish.branches`" : "`publish.branches` and `publish.previews`";
  return { kind: "none", why: `Not published: this is ${what} (${source}), which is not in ${rules}.` };
}

function previewOf({ branch = "", request }: BuiltBranch): string {
  return request?.name ?? branch;
}

function matches(branch: string | undefined, patterns: readonly string[]): boolean {
  return branch !== undefined && picomatch.isMatch(branch, [...patterns]);
}
