import TurndownService from "turndown";
import { MARKDOWN_STYLE } from "../../base/markdown-style.ts";

/** Converts the HTML of a post to Markdown. What readers see as text stays text, such as `<script>` in a tutorial. */
export function htmlToMarkdown(html: string): string {
  const service = new TurndownService(MARKDOWN_STYLE);
  service.escape = escapeMarkdown;
  for (const [index, { names, render }] of RULES.entries()) {
    service.addRule(`${index}`, {
      filter: (node) => names.includes(node.nodeName.toLowerCase()),
      replacement: (content, node) => (isElement(node) ? render(node, content) : content),
    });
  }
  return `${service.turndown(html)}\n`;
}

/** What the rules read from an element of the parsed HTML. */
interface ParsedElement {
  readonly textContent: string | null;
  readonly outerHTML: string;
  readonly firstElementChild: ParsedElement | null;
  getAttribute(name: string): string | null;
  cloneNode(isDeep: false): ParsedElement;
}

interface ElementRule {
  readonly names: readonly string[];
  readonly render: (element: ParsedElement, content: string) => string;
}

// HTML without a Markdown equivalent is kept, which Markdown allows.
const RULES: readonly ElementRule[] = [
  {
    names: ["table", "figure", "video", "audio", "details", "dl"],
    render: (element) => `\n\n${keepHtml(element)}\n\n`,
  },
  { names: ["picture", "iframe", "svg", "math"], render: keepHtml },
  { names: ["sup", "sub", "kbd", "mark", "abbr", "small", "ins", "del"], render: keepTags },
  { names: ["script", "style"], render: () => "" },
  { names: ["pre"], render: renderCodeBlock },
  { names: ["a"], render: (element, content) => renderLink(element, { text: content, address: "href" }) },
  { names: ["img"], render: renderImage },
];

function isElement(node: object): node is ParsedElement {
  return "outerHTML" in node;
}

// Punctuation that has a meaning anywhere, then what has one at the beginning of a line. HTML isn't escaped by a
// backslash, because not every host's Markdown knows that.
function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/[\\*_`[\]~]/g, String.raw`\$&`)
    .replace(/^(?:[->=|]|:-|(?:\+|#{1,6})(?=\s|$))/, String.raw`\$&`)
    .replace(/^(\d+)([.)])(?=\s|$)/, String.raw`$1\$2`)
    .replaceAll(/&(?=#?\w*(?:;|$))/g, "&amp;")
    .replaceAll(/<(?![\s\d=])/g, "&lt;");
}

// In Markdown, a blank line ends HTML.
function keepHtml({ outerHTML }: ParsedElement): string {
  return outerHTML.replaceAll(/\n(?=[ \t]*\n)/g, "&#10;");
}

// Between tags inside a paragraph, Markdown is read as Markdown.
function keepTags(element: ParsedElement, content: string): string {
  if (content.includes("\n\n")) return keepHtml(element);
  const tags = element.cloneNode(false).outerHTML;
  const end = tags.lastIndexOf("</");
  return tags.slice(0, end) + content + tags.slice(end);
}

// Astro's code blocks have their language in an attribute, others in a class.
function renderCodeBlock(element: ParsedElement): string {
  const named = /(?:^|\s)language-([\w+#.-]+)/.exec(element.firstElementChild?.getAttribute("class") ?? "")?.[1];
  const language = element.getAttribute("data-language") ?? named ?? "";
  const code = (element.textContent ?? "").replace(/\n$/, "");
  const ticks = [...code.matchAll(/`+/g)].map(([run]) => run.length);
  const fence = "`".repeat(Math.max(3, ...ticks.map((count) => count + 1)));
  return `\n\n${fence}${language}\n${code}\n${fence}\n\n`;
}

function renderImage(element: ParsedElement): string {
  if (attributeOf(element, "src") === "") return "";
  return `!${renderLink(element, { text: escapeMarkdown(attributeOf(element, "alt")), address: "src" })}`;
}

// A space, a bracket, or a backslash at the end of an address or a title would end the link early.
function renderLink(element: ParsedElement, { text, address }: { readonly text: string; readonly address: string }) {
  const url = attributeOf(element, address)
    .replaceAll(/[()\\]/g, String.raw`\$&`)
    .replaceAll(/[ <>]/g, encodeURIComponent)
    .replaceAll(/&(?=#?\w+;)/g, "&amp;");
  const title = escapeMarkdown(attributeOf(element, "title")).replaceAll('"', "&quot;");
  return url === "" ? text : `[${text}](${url}${title === "" ? "" : ` "${title}"`})`;
}

function attributeOf(element: ParsedElement, name: string): string {
  return (element.getAttribute(name) ?? "").replaceAll(/\s+/g, " ").trim();
}
