import { watch, type FSWatcher } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { ImprintError, messageOf } from "../../base/error.ts";
import { previewPosts } from "./preview-posts.ts";
import type { CliContext } from "../context.ts";
import { renderError } from "../terminal.ts";
import type { LocalRequest } from "./open-posts.ts";
import { openPreviewServer } from "./preview-server.ts";

export interface WatchSettings {
  readonly port: number;
  readonly context: CliContext;
  /** Prints what there is to say about the posts; called at the start and after every change. */
  readonly tell: () => Promise<unknown>;
}

export function parsePort(text = "0"): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new ImprintError("USAGE", `--port takes a number from 0 to 65535, not "${text}".`);
}

// Editors write a file in several steps.
const QUIET_MS = 100;

/** Shows the posts in a browser and tells about them after every change, until it is interrupted. Sends nothing. */
export async function watchPosts(request: LocalRequest, { port, context, tell }: WatchSettings): Promise<void> {
  const { signal, out } = context;
  const changes = createBell();
  const watcher = watchFolder(request, () => changes.ring());
  const server = await openPreviewServer(port);
  signal?.addEventListener("abort", () => changes.ring());
  try {
    out.write(`Preview  ${server.url}  (nothing is sent; stop with Ctrl+C)\n\n`);
    while (signal?.aborted !== true) {
      await lookOnce(context, async () => {
        server.show(await previewPosts(request));
        await tell();
      });
      out.write("\nWaiting for changes.\n");
      await changes.heard();
      await wait(QUIET_MS, undefined, { signal }).catch(() => {});
      changes.reset();
    }
  } finally {
    watcher.close();
    await server.close();
  }
}

function watchFolder({ projectRoot, folder }: LocalRequest, onChange: () => void): FSWatcher {
  try {
    return watch(join(projectRoot, folder), { recursive: true }, onChange);
  } catch (error) {
    throw new ImprintError(
      "OPTIONS_INVALID",
      `The folder of the posts, ${folder}, can't be watched: ${messageOf(error)}`,
      {
        cause: error,
      },
    );
  }
}

// What is wrong at this moment may be right after the next change.
async function lookOnce(context: CliContext, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    if (!(thrown instanceof ImprintError)) throw thrown;
    context.error.write(renderError(thrown, context));
  }
}

interface Bell {
  ring(): void;
  /** Resolves when it rang since it was reset. */
  heard(): Promise<void>;
  reset(): void;
}

function createBell(): Bell {
  let current = Promise.withResolvers<void>();
  return {
    ring: () => current.resolve(),
    heard: () => current.promise,
    reset() {
      current = Promise.withResolvers();
    },
  };
}
