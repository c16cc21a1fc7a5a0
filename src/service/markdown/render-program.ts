import { runInNewContext } from "node:vm";
import { serveProgram } from "../../disk/program.ts";
import { markdownToHtml, type MarkdownText } from "./markdown-to-html.ts";

// The program that `createRenderProcess` starts: it receives a text and returns its HTML. It exits with the service,
// when their channel closes; a time limit ensures that it notices even during rendering.

// A text of 1 MiB, the maximum, gets about 5 MiB of tags. Repeating a reference can produce more.
const MAX_HTML_CHARACTERS = 8 * 1024 * 1024;
/** The service kills the process long before. This covers a process whose service was killed. */
const LAST_RESORT_MS = 60_000;

serveProgram<MarkdownText, string>((text) => {
  const html = interruptible(() => markdownToHtml(text));
  if (html.length > MAX_HTML_CHARACTERS) throw new Error("its HTML is too large");
  return html;
});

// `node:vm` can enforce a time limit on any code.
function interruptible(work: () => string): string {
  return String(runInNewContext("work()", { work }, { timeout: LAST_RESORT_MS }));
}
