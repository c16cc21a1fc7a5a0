import { randomBytes } from "node:crypto";
import type { Logger } from "../base/log.ts";
import { createStateFiles, type StateFiles } from "./state-store.ts";
import type { State } from "./state.ts";

/** Where a run keeps what it learns. */
export interface RunPlace {
  /** Absolute path of the project. */
  readonly projectRoot: string;
  /** Name of the target that stays the same between runs. */
  readonly identity: string;
  /** Name of the preview; `undefined`: the live site. */
  readonly preview: string | undefined;
}

/** The files of a run. A preview has a state of its own, so that it never touches what is known of the live site. */
export function openRunFiles({
  projectRoot,
  identity,
  preview,
  logger,
}: RunPlace & { readonly logger?: Logger }): StateFiles {
  return createStateFiles(projectRoot, preview === undefined ? identity : `${identity} preview ${preview}`, logger);
}

/**
 * What a run knows when it begins. Files in the library are the same for all, so a preview that knows none takes those of
 * the live site for known; later it goes by its own, since either may have heard of a deleted file when the other did not.
 *
 * @param own from the run's own files, to which it adds what it learns
 */
export function withLiveAssets(own: State, { projectRoot, identity, preview }: RunPlace): State {
  if (preview === undefined || Object.keys(own.assets).length > 0) return own;
  const { assets, library, concurrency } = createStateFiles(projectRoot, identity).readState();
  return { ...own, assets, library, concurrency };
}

const PROJECT_ID_BYTES = 5;

/** A new id for a project: eight letters and digits. */
export function newProjectId(): string {
  return BigInt(`0x${randomBytes(PROJECT_ID_BYTES).toString("hex")}`)
    .toString(36)
    .padStart(8, "0");
}

/** What the lock file calls a service. It is committed, so that no folder of this machine stands in it. */
export function lockedServiceOf({
  identity,
  routeSet,
}: {
  readonly identity: string;
  readonly routeSet: string;
}): string {
  return identity.startsWith("embedded:") ? `embedded:${routeSet}` : identity;
}
