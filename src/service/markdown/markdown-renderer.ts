import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { LRUCache } from "lru-cache";
import { messageOf } from "../../base/error.ts";
import { sha256 } from "../../base/hash.ts";
import type { Logger } from "../../base/log.ts";
import { escapeHtml } from "../http/html.ts";
import { createGate } from "../../base/gate.ts";
import type { Post } from "../store/posts.ts";
import type { MarkdownText } from "./markdown-to-html.ts";
import type { RenderResult } from "./render-program.ts";

// Rendering 10 KB takes 40 to 300 ms, and 10 KB that are made for it take minutes or all memory: tables with thousands of
// columns, lists in lists. No check finds all such texts, so another process renders, which can be ended. A thread
// won't do: one that runs out of memory fast enough ends the whole process. See docs/decisions/0014.

/** Markdown to HTML for the posts of one service. */
export interface MarkdownRenderer {
  /**
   * The HTML of a text, sanitized. A text that can't be rendered within the limits of time, memory and depth is shown
   * as it is written, in a `<pre>`, and is tried again after ten minutes.
   */
  render(text: MarkdownText): Promise<string>;
  close(): Promise<void>;
}

export interface RendererOptions {
  readonly logger: Logger;
  /** Default: 10 seconds and 256 MiB. */
  readonly limits?: Partial<RenderLimits>;
}

const DEFAULT_LIMITS: RenderLimits = { timeLimitMs: 10_000, maxHeapMib: 256 };
const RETRY_AFTER_MS = 600_000;
const MAX_CACHED_CHARACTERS = 16 * 1024 * 1024;

/** Renders each text once; the HTML of those that were asked for last is kept. */
export function createMarkdownRenderer({ logger, limits }: RendererOptions): MarkdownRenderer {
  const renderer = createRenderProcess({ ...DEFAULT_LIMITS, ...limits });
  const queue = createGate(1);
  const pending = new Map<string, Promise<string>>();
  const known = new LRUCache<string, string>({
    maxSize: MAX_CACHED_CHARACTERS,
    sizeCalculation: (html, key) => html.length + key.length,
  });

  async function renderNew(key: string, text: MarkdownText): Promise<string> {
    const result = await queue.run(() => renderer.render(text));
    if (result.kind === "rendered") {
      known.set(key, result.html);
      return result.html;
    }
    const reason = `The post "${text.slug}" is shown as plain text: ${result.reason}.`;
    logger.warn(reason, { event: "markdown", slug: text.slug });
    const html = plainHtml(text.markdown);
    known.set(key, html, { ttl: RETRY_AFTER_MS });
    return html;
  }

  return {
    async render(text) {
      const key = sha256(JSON.stringify([text.slug, text.markdown]));
      const html = known.get(key) ?? pending.get(key);
      if (html !== undefined) return await html;
      const rendering = renderNew(key, text).finally(() => pending.delete(key));
      pending.set(key, rendering);
      return await rendering;
    },
    close: () => renderer.close(),
  };
}

/** The body of a post as HTML: HTML as its owner sent it, Markdown rendered and sanitized. Never throws. */
export async function renderPostBody(markdown: MarkdownRenderer, post: Post): Promise<string> {
  return post.html ?? (await markdown.render({ markdown: post.markdown ?? "", slug: post.slug }));
}

function plainHtml(markdown: string): string {
  return `<pre class="text">${escapeHtml(markdown)}</pre>`;
}

interface RenderLimits {
  /** Longest time for one text, with the start of the process. */
  readonly timeLimitMs: number;
  /** Largest heap of the process, in MiB. */
  readonly maxHeapMib: number;
}

const IDLE_MS = 60_000;

// A name in a text is not rewritten by the compiler as an import is.
const PROGRAM = new URL(`./render-program.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url);

/**
 * A process that renders one text at a time and is ended when a text takes too much of it. It is started by the first
 * text, ends after a minute without one, and never keeps the service alive.
 */
function createRenderProcess({ timeLimitMs, maxHeapMib }: RenderLimits) {
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;

  function start(): ChildProcess {
    const started = startChild(maxHeapMib);
    started.on("exit", () => {
      if (child === started) child = undefined;
    });
    return started;
  }

  async function stop(): Promise<void> {
    const stopped = child;
    child = undefined;
    if (stopped !== undefined) await end(stopped);
  }

  return {
    async render(text: MarkdownText): Promise<RenderResult> {
      clearTimeout(idle);
      child ??= start();
      const { result, isUsable } = await renderIn(child, text, timeLimitMs);
      if (isUsable) idle = setTimeout(stop, IDLE_MS).unref();
      else await stop();
      return result;
    },
    async close(): Promise<void> {
      clearTimeout(idle);
      await stop();
    },
  };
}

function startChild(maxHeapMib: number): ChildProcess {
  const child = fork(PROGRAM, {
    execArgv: [`--max-old-space-size=${maxHeapMib}`],
    // The program needs no setting and no secret of the service.
    env: {},
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  // Without a listener an error would end the service. The text that is being rendered listens too.
  child.on("error", () => {});
  return child;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.ref();
  child.kill("SIGKILL");
  await exit;
}

interface Run {
  readonly result: RenderResult;
  /** Whether the process can take another text. */
  readonly isUsable: boolean;
}

async function renderIn(child: ChildProcess, text: MarkdownText, timeLimitMs: number): Promise<Run> {
  const { promise, resolve } = Promise.withResolvers<Run>();
  const fail = (reason: string): void => resolve({ result: { kind: "failed", reason }, isUsable: false });
  const onMessage = (result: RenderResult): void => resolve({ result, isUsable: true });
  const onError = (error: unknown): void => fail(messageOf(error));
  // V8 ends a process without memory by SIGABRT.
  const onExit = (code: number | null, signal: string | null): void =>
    fail(`rendering ended early (${signal ?? code}), as it does without enough memory`);
  const timer = setTimeout(() => fail(`rendering takes more than ${timeLimitMs} ms`), timeLimitMs);
  child.on("message", onMessage).on("error", onError).on("exit", onExit);
  child.ref();
  child.channel?.ref();
  child.send(text, (error) => error !== null && onError(error));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    child.off("message", onMessage).off("error", onError).off("exit", onExit);
    child.unref();
    child.channel?.unref();
  }
}
