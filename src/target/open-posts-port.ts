import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { join } from "node:path";
import { ImprintError } from "../base/error.ts";
import { failureOf, outcomeOf } from "../client/transport/outcome.ts";
import type { Capabilities } from "../client/api.ts";
import type { ConnectionOptions } from "../client/options.ts";
import type { Clock } from "../posts/identity/known-posts.ts";
import { createPostJournal } from "../posts/memory/journal.ts";
import type { Options } from "../options/schema.ts";
import type { PostsPort } from "../posts/apply/port.ts";
import type { StateFiles } from "../sync/state-store.ts";

interface PostsRequest {
  readonly projectRoot: string;
  readonly options: Options;
  readonly dryRun: boolean;
  readonly signal?: AbortSignal | undefined;
}

export interface PostsPortSources {
  readonly files: StateFiles;
  /** Name of the target that stays the same between runs. */
  readonly identity: string;
  readonly capabilities: Capabilities;
  /** The time that the connection goes by. */
  readonly time: Pick<ConnectionOptions, "now" | "sleep"> | undefined;
}

/** Gives posts their memory, the time, and what the client knows about failures. */
export function openPostsPort(
  { projectRoot, options, dryRun, signal }: PostsRequest,
  { files, identity, capabilities, time }: PostsPortSources,
): PostsPort {
  const writesIds = options.posts !== false && options.posts.writeId;
  return {
    store: {
      lock: files,
      journal: createPostJournal(projectRoot),
      newId: () => randomUUID(),
      target: JSON.stringify([identity, capabilities.account?.id ?? null]),
    },
    clock: createClock(time),
    readFailure(error) {
      const { status, problemCode, retryAfterMs } = failureOf(error) ?? {};
      return { outcome: outcomeOf(error), status, problemCode, retryAfterMs };
    },
    waits: !dryRun,
    writeId: writesIds ? ({ file }, id) => writeId(join(projectRoot, file), id) : undefined,
    signal,
  };
}

// What reads front matter is loaded with the first id.
async function writeId(file: string, id: string): Promise<string | undefined> {
  const { writePostId } = await import("../posts/write/write-post-id.ts");
  return await writePostId(file, id);
}

function createClock({ now = Date.now, sleep = pause }: NonNullable<PostsPortSources["time"]> = {}): Clock {
  return { now: () => new Date(now()), sleep };
}

async function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await wait(ms, undefined, { signal });
  } catch (error) {
    throw new ImprintError("ABORTED", "The run was interrupted while it waited for the service.", { cause: error });
  }
}
