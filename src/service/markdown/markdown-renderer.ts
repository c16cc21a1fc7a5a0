import { LRUCache } from "lru-cache";
import { messageOf } from "../../base/error.ts";
import { sha256 } from "../../base/hash.ts";
import type { Logger } from "../../base/log.ts";
import { escapeHtml } from "../http/html.ts";
import { createGate } from "../../base/gate.ts";
import { createProgram, ProgramEnded } from "../../disk/program.ts";
import type { Post } from "../store/posts.ts";
import type { MarkdownText } from "./markdown-to-html.ts";

// Rendering 10 KB takes 40 to 300 ms, but a malicious 10 KB text (tables with thousands of columns, nested lists) takes
// minutes or all memory. No check detects all such texts, so rendering runs in a process that can be killed. A thread
// isn't enough: if it exhausts memory fast enough, it ends the whole process. See docs/decisions/0014.

/** Renders the Markdown posts of a service. */
export interface MarkdownRenderer {
  /**
   * Renders text to sanitized HTML. Text that exceeds the limits of time, memory or depth is shown unrendered in a
   * `<pre>`, and retried after ten minutes.
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

/** Creates a renderer that caches the HTML of recently used texts. */
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

/** Returns the body of a post as HTML: HTML as sent, Markdown rendered and sanitized. Never throws. */
export async function renderPostBody(markdown: MarkdownRenderer, post: Post): Promise<string> {
  return post.html ?? (await markdown.render({ markdown: post.markdown ?? "", slug: post.slug }));
}

function plainHtml(markdown: string): string {
  return `<pre class="text">${escapeHtml(markdown)}</pre>`;
}

interface RenderLimits {
  /** Maximum time for one text, excluding process startup. */
  readonly timeLimitMs: number;
  /** Maximum heap size of the process, in MiB. */
  readonly maxHeapMib: number;
}

const IDLE_MS = 60_000;
const START_LIMIT_MS = 60_000;
const NOTHING: MarkdownText = { slug: "", markdown: "" };

// The compiler rewrites imports, but not file names in strings.
const PROGRAM = new URL(`./render-program.${import.meta.url.endsWith(".ts") ? "ts" : "js"}`, import.meta.url);

type RenderResult =
  | { readonly kind: "rendered"; readonly html: string }
  | { readonly kind: "failed"; readonly reason: string };

/**
 * Creates a process that renders one text at a time and is killed if a text exceeds the limits. It starts with the
 * first text, exits after an idle minute, and never keeps the service alive.
 */
function createRenderProcess({ timeLimitMs, maxHeapMib }: RenderLimits) {
  const execArgv = [`--max-old-space-size=${maxHeapMib}`];
  const program = createProgram<MarkdownText, string>(PROGRAM, { execArgv, idleMs: IDLE_MS });

  /** Renders a text. Kills the process and throws if that takes too long. */
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
        // On a busy machine, startup may exceed the limit for a text, which isn't the text's fault.
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
  // V8 aborts the process when its heap is full.
  const why = error.by === "SIGABRT" ? ", which indicates insufficient memory" : "";
  return `rendering ended early (${error.by})${why}`;
}
