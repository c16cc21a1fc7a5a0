import { runInNewContext } from "node:vm";
import { serveProgram } from "../../disk/program.ts";
import { markdownToHtml, type MarkdownText } from "./markdown-to-html.ts";

// The program of the process that `createRenderProcess` starts: it gets a text and sends back its HTML. It ends when
// the service ends, because then the channel between the two closes, and no text keeps it from noticing that for ever.

// A text of 1 MiB, the most that is taken, gets about 5 MiB of tags. More is made of a text that repeats one reference.
const MAX_HTML_CHARACTERS = 8 * 1024 * 1024;
/** The service ends the process long before. This is for a process whose service was killed. */
const LAST_RESORT_MS = 60_000;

serveProgram<MarkdownText, string>((text) => {
  const html = interruptible(() => markdownToHtml(text));
  if (html.length > MAX_HTML_CHARACTERS) throw new Error("its HTML is too large");
  return html;
});

// A context of `node:vm` has a time limit, whatever it calls.
function interruptible(work: () => string): string {
  return String(runInNewContext("work()", { work }, { timeout: LAST_RESORT_MS }));
}
