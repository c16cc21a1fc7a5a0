import { LRUCache } from "lru-cache";
import { messageOf } from "../../base/error.ts";
import { sha256 } from "../../base/hash.ts";
import type { Logger } from "../../base/log.ts";
import { escapeHtml } from "../http/html.ts";
import { createGate } from "../../base/gate.ts";
import { createProgram, ProgramEnded } from "../../disk/program.ts";
import type { Post } from "../store/posts.ts";
import type { MarkdownText } from "./markdown-to-html.ts";

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
  /** Longest time for one text, without the start of the process. */
  readonly timeLimitMs: number;
  /** Largest heap of the process, in MiB. */
  readonly maxHeapMib: number;
}

const IDLE_MS = 60_000;
const START_LIMIT_MS = 60_000;
const NOTHING: MarkdownText = { slug: "", markdown: "" };

// A name in a text is not rewritten by the compiler as an import is.
const PROGRAM = new URL(`./render-program.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url);

type RenderResult =
  | { readonly kind: "rendered"; readonly html: string }
  | { readonly kind: "failed"; readonly reason: string };

/**
 * A process that renders one text at a time and is ended when a text takes too much of it. It is started by the first
 * text, ends after a minute without one, and never keeps the service alive.
 */
function createRenderProcess({ timeLimitMs, maxHeapMib }: RenderLimits) {
  const execArgv = [`--max-old-space-size=${maxHeapMib}`];
  const program = createProgram<MarkdownText, string>(PROGRAM, { execArgv, idleMs: IDLE_MS });

  /** Gives it a text; ends the process, and throws, when that takes too long. */
  async function run(text: MarkdownText, limitMs: number): Promise<string> {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      late.reject(new Error(`rendering takes more than ${limitMs} ms`));
      void program.end();
    }, limitMs);
    try {
      return await Promise.race([late.promise, program.run(text)]);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async render(text: MarkdownText): Promise<RenderResult> {
      try {
        // On a busy machine the start takes longer than any text may, which no text is to blame for.
        if (!program.isRunning()) await run(NOTHING, START_LIMIT_MS);
        return { kind: "rendered", html: await run(text, timeLimitMs) };
      } catch (error) {
        return { kind: "failed", reason: reasonOf(error) };
      }
    },
    close: () => program.end(),
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof ProgramEnded)) return messageOf(error);
  // V8 ends a process by it when its heap is full.
  const why = error.by === "SIGABRT" ? ", as it does without enough memory" : "";
  return `rendering ended early (${error.by})${why}`;
}
