import type { Capabilities, ImprintApi } from "../client/api.ts";
import type { LibraryFinding, LibraryFindings } from "../client/library-findings.ts";
import { probeLibrary } from "../client/library-probe.ts";
import { createLibraryMemory } from "./library-memory.ts";

export interface LibraryContext {
  readonly projectRoot: string;
  /** Name of the target that stays the same between runs. */
  readonly identity: string;
  readonly signal?: AbortSignal | undefined;
}

/** What is known of the library, and since when; without a time it is assumed. */
export interface KnownLibrary {
  readonly findings: LibraryFindings;
  readonly at: Date | undefined;
}

/** What the library can do, as remembered from an earlier run, or else as the route set promises. Asks nobody. */
export async function recallLibrary(
  { capabilities }: Pick<ImprintApi, "capabilities">,
  { projectRoot, identity }: LibraryContext,
): Promise<KnownLibrary> {
  const remembered = await createLibraryMemory(projectRoot, identity).read(capabilities.assetTypes);
  return remembered === undefined
    ? { findings: assumeFindings(capabilities), at: undefined }
    : { findings: remembered.findings, at: new Date(remembered.at) };
}

/**
 * Asks the library by uploading tiny files and reading them back, and remembers the answer unless a part of it may
 * pass. Throws as `probeLibrary` does, and `STATE_UNWRITABLE`.
 */
export async function askLibrary(api: ImprintApi, context: LibraryContext): Promise<KnownLibrary> {
  const { findings } = await probeLibrary(api, { signal: context.signal });
  const at = new Date();
  if (Object.values(findings).every(({ kind }) => kind !== "unreachable")) {
    const { assetTypes } = api.capabilities;
    const memory = createLibraryMemory(context.projectRoot, context.identity);
    await memory.write({ version: 1, at: at.toISOString(), assetTypes, findings });
  }
  return { findings, at };
}

/** Any file in A, images in B. */
function assumeFindings({ routeSet, assetTypes }: Capabilities): LibraryFindings {
  const set = routeSet.toUpperCase();
  const served: LibraryFinding = { kind: "served", why: `as route set ${set} promises` };
  const refused: LibraryFinding = { kind: "refused", why: `the library of route set ${set} takes images only` };
  const others = assetTypes === "any" ? served : refused;
  return { images: served, drawings: served, scripts: others, styles: others, fonts: others, files: others };
}
