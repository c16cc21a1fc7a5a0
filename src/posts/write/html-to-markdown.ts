import TurndownService from "turndown";
import { MARKDOWN_STYLE } from "../../base/markdown-style.ts";

// HTML without a Markdown equivalent is kept, which Markdown allows.
const KEPT = [
  ...["table", "figure", "picture", "video", "audio", "iframe", "details", "svg", "math", "dl"],
  ...["sup", "sub", "kbd", "mark", "abbr", "small", "ins", "del"],
] as const;

/** Converts the HTML of a post to Markdown. */
export function htmlToMarkdown(html: string): string {
  const service = new TurndownService(MARKDOWN_STYLE);
  service.keep((node) => KEPT.some((name) => name === node.nodeName.toLowerCase()));
  // Astro's code blocks have their language in an attribute.
  service.addRule("highlighted", {
    filter: (node) => node.nodeName === "PRE" && node.getAttribute("data-language") !== null,
    replacement: (_, node) => {
      const [language, code] = "getAttribute" in node ? [node.getAttribute("data-language"), node.textContent] : [];
      return `\n\n${FENCE}${language ?? ""}\n${(code ?? "").replace(/\n$/, "")}\n${FENCE}\n\n`;
    },
  });
  return `${service.turndown(html)}\n`;
}

const FENCE = "```";
