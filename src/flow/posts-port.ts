import { setTimeout as wait } from "node:timers/promises";
import { join } from "node:path";
import { failureOf, outcomeOf } from "../client/transport/outcome.ts";
import type { Capabilities } from "../client/api.ts";
import type { Clock } from "../sync/posts/clock.ts";
import { createPostJournal } from "../sync/posts/journal.ts";
import type { Options } from "../options/schema.ts";
import type { PostsPort } from "../sync/posts/port.ts";
import { writePostId } from "./write-post-id.ts";
import type { StateFiles } from "../sync/state-files.ts";

export interface PostsPortSources {
  readonly projectRoot: string;
  readonly options: Options;
  readonly files: StateFiles;
  /** Name of the target that stays the same between runs. */
  readonly identity: string;
  readonly capabilities: Capabilities;
  readonly dryRun: boolean;
  readonly signal: AbortSignal | undefined;
  readonly clock?: Clock;
}

/** Gives posts their memory, the time, and what the client knows about failures. */
export function createPostsPort(sources: PostsPortSources): PostsPort {
  const { projectRoot, files, identity, capabilities, dryRun, signal, options, clock = SYSTEM_CLOCK } = sources;
  const writesIds = options.posts !== false && options.posts.writeId;
  return {
    store: {
      lock: files,
      journal: createPostJournal(join(projectRoot, ".imprint", "journal.ndjson")),
      target: JSON.stringify([identity, capabilities.account?.id ?? null]),
    },
    clock,
    readFailure(error) {
      const { status, problemCode, retryAfterMs } = failureOf(error) ?? {};
      return { outcome: outcomeOf(error), status, problemCode, retryAfterMs };
    },
    waits: !dryRun,
    writeId: writesIds ? (post, id) => writePostId(join(projectRoot, post.file), id) : undefined,
    signal,
  };
}

const SYSTEM_CLOCK: Clock = {
  now: () => new Date(),
  sleep: async (ms, signal) => {
    await wait(ms, undefined, { signal });
  },
};
