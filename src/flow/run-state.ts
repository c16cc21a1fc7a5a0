import { createStateFiles } from "../sync/state-files.ts";
import type { StateFiles } from "../sync/state-files.ts";
import type { State } from "../sync/state.ts";

export interface RunTarget {
  /** Name of the target that stays the same between runs. */
  readonly identity: string;
  /** Name of the preview; `undefined`: the live site. */
  readonly preview: string | undefined;
}

/** The files of a run. A preview has a state of its own, so that it never touches what is known of the live site. */
export function openRunFiles(projectRoot: string, { identity, preview }: RunTarget): StateFiles {
  return createStateFiles(projectRoot, preview === undefined ? identity : `${identity} preview ${preview}`);
}

/**
 * What is known when a run begins. Files in the library are the same for all, so a preview that knows none begins with
 * those of the live site; later it goes by its own, since either may have heard of a deleted file when the other did not.
 */
export async function readRunState(
  projectRoot: string,
  { files, identity, preview }: RunTarget & { readonly files: StateFiles },
): Promise<State> {
  const state = await files.readState();
  if (preview === undefined || Object.keys(state.assets).length > 0) return state;
  const { assets, library, concurrency } = await createStateFiles(projectRoot, identity).readState();
  return { ...state, assets, library, concurrency };
}
