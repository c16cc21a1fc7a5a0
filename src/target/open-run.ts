import type { ImprintApi } from "../client/api.ts";
import type { ConnectionOptions } from "../client/options.ts";
import type { Options } from "../options/schema.ts";
import {
  acceptLimits,
  findLockedTarget,
  lockState,
  recallDialect,
  recallLock,
  type Lock,
  type LockedTarget,
  type TargetName,
} from "../sync/lock.ts";
import type { StateFiles } from "../sync/state-files.ts";
import type { State } from "../sync/state.ts";
import { connectTarget } from "./connect-target.ts";
import { lockedServiceOf, newProjectId, withLiveAssets, type RunPlace } from "../sync/run-state.ts";
import type { Target } from "./target.ts";

export interface OpenRunOptions extends RunPlace {
  readonly options: Options;
  readonly target: Target;
  readonly files: StateFiles;
  /** How the service is reached. */
  readonly connection: Omit<ConnectionOptions, "baseUrl" | "apiKey">;
}

/** A run that knows what its project remembers, and that is connected to the service. */
export interface OpenRun {
  readonly api: ImprintApi;
  /** What the lock file calls the target. */
  readonly name: TargetName;
  readonly lock: Lock;
  /** What the lock file says of the target; `undefined` for previews and for targets that it does not know. */
  readonly locked: LockedTarget | undefined;
  /** What the state file holds. `state` may know more, from the lock file. */
  readonly own: State;
  readonly state: State;
  /** Id that the project takes when it has none. */
  readonly freshProject: string;
}

/** Reads the memory of a project and connects to the service. Throws as `connect` does, and `STATE_UNREADABLE`. */
export async function openRun({ options, target, files, connection, ...place }: OpenRunOptions): Promise<OpenRun> {
  const [own, lock] = [await files.readState(), await files.readLock()];
  const service = lockedServiceOf(target);
  const dialect = { ...recallDialect(lock, service), ...own.dialect, ...options.dialect };
  const api = await connectTarget(target, { initialConcurrency: own.concurrency, ...connection, dialect });
  const name = { service, account: api.capabilities.account?.id };
  const locked = place.preview === undefined ? findLockedTarget(lock, name) : undefined;
  const state = recallLock(await withLiveAssets(own, place), lock, locked);
  return { api, name, lock, locked, own, state, freshProject: own.project ?? newProjectId() };
}

/** Writes into the lock file what the state file knows of a target, and what was accepted of its limits. */
export async function lockTarget(files: StateFiles, name: TargetName, accepted?: readonly string[]): Promise<void> {
  const lock = lockState(await files.readLock(), name, await files.readState());
  await files.writeLock(accepted === undefined ? lock : acceptLimits(lock, name, accepted));
}
