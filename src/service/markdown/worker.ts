import { parentPort } from "node:worker_threads";
import { messageOf } from "../../base/error.ts";
import { markdownToHtml } from "./markdown-to-html.ts";
import type { MarkdownText } from "./markdown-to-html.ts";

/** What the worker sends back for each text. */
export type WorkerResult =
  | { readonly kind: "rendered"; readonly html: string }
  | { readonly kind: "failed"; readonly reason: string };

// A text of 1 MiB, the most that is taken, gets about 5 MiB of tags. More is made of a text that repeats one reference.
const MAX_HTML_CHARACTERS = 8 * 1024 * 1024;

parentPort?.on("message", (text: MarkdownText) => parentPort?.postMessage(render(text)));

function render(text: MarkdownText): WorkerResult {
  try {
    const html = markdownToHtml(text);
    if (html.length > MAX_HTML_CHARACTERS) return { kind: "failed", reason: "its HTML is too large" };
    return { kind: "rendered", html };
  } catch (error) {
    return { kind: "failed", reason: messageOf(error) };
  }
}
