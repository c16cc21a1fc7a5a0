import TurndownService from "turndown";
import { escapeMarkdown, MARKDOWN_STYLE } from "../../base/markdown-style.ts";
import { attributeOf, isElement, nameOf, type ElementRule, type ParsedElement } from "./element-rule.ts";
import { createGfmRules } from "./gfm-rules.ts";

export interface MarkdownForm {
  /** `gfm`: with GitHub's tables, footnotes, and strikethrough. Default: these stay HTML. */
  readonly flavor?: "gfm" | undefined;
}

/** Converts the HTML of a post to Markdown. What readers see as text stays text, such as `<script>` in a tutorial. */
export function htmlToMarkdown(html: string, { flavor }: MarkdownForm = {}): string {
  const service = new TurndownService({ ...MARKDOWN_STYLE, blankReplacement: renderWithoutText });
  service.escape = escapeMarkdown;
  const rules = flavor === "gfm" ? [...RULES, STRUCK, ...createGfmRules(html)] : RULES;
  // Of several rules for an element, Turndown takes the last one.
  for (const [index, { names, when, render }] of rules.entries()) {
    service.addRule(`${index}`, {
      filter: (node) => names.includes(nameOf(node)) && (when === undefined || (isElement(node) && when(node))),
      replacement: (content, node) => (isElement(node) ? render(node, content) : content),
    });
  }
  return `${service.turndown(html)}\n`;
}

const BOLD: readonly string[] = ["strong", "b"];
const ITALIC: readonly string[] = ["em", "i"];
/** Inline elements with a meaning that Markdown has no mark for everywhere. */
const INLINE = [
  ...["sup", "sub", "kbd", "samp", "var", "tt", "mark", "abbr", "acronym", "dfn", "small", "big", "ins", "del", "s"],
  ...["strike", "u", "q", "cite", "time", "data", "ruby", "rb", "rt", "rtc", "rp", "bdo", "bdi"],
];

// HTML without a Markdown equivalent is kept, which Markdown allows.
const RULES: readonly ElementRule[] = [
  { names: ["table", "figure", "video", "audio", "details", "dl", "object", "form"], render: keepBlock },
  { names: ["ol"], when: isNumberedOtherwise, render: keepBlock },
  { names: ["picture", "iframe", "svg", "math", "embed", "wbr"], render: keepHtml },
  { names: INLINE, render: keepTags },
  { names: ["span"], when: hasLanguage, render: keepTags },
  { names: ["script", "style"], render: () => "" },
  { names: ["pre"], render: renderCodeBlock },
  { names: BOLD, render: (element, content) => renderEmphasis(element, { content, mark: "**" }) },
  { names: ITALIC, render: (element, content) => renderEmphasis(element, { content, mark: "*" }) },
  // A line break would end the heading.
  { names: ["br"], when: (element) => element.closest(HEADINGS) !== null, render: keepHtml },
  { names: ["input"], when: isTask, render: (element) => (element.hasAttribute("checked") ? "[x]" : "[ ]") },
  { names: ["a"], render: renderAnchor },
  { names: ["img"], render: renderImage },
];

const STRUCK: ElementRule = {
  names: ["del"],
  when: (element) => !element.outerHTML.startsWith("<del "),
  render: (element, content) => renderEmphasis(element, { content, mark: "~~" }),
};

const HEADINGS = "h1, h2, h3, h4, h5, h6";

function hasLanguage(element: ParsedElement): boolean {
  return element.hasAttribute("lang") || element.hasAttribute("dir");
}

/** Whether a list has letters, Roman numerals, or numbers that don't follow each other upwards. */
function isNumberedOtherwise(list: ParsedElement): boolean {
  const type = attributeOf(list, "type");
  const isStyled = attributeOf(list, "style").includes("list-style");
  return (
    (type !== "" && type !== "1") ||
    isStyled ||
    list.hasAttribute("reversed") ||
    list.querySelectorAll("li[value]").length > 0
  );
}

function isTask(element: ParsedElement): boolean {
  return attributeOf(element, "type").toLowerCase() === "checkbox" && element.closest("li") !== null;
}

const SHOWN_WITHOUT_TEXT: readonly string[] = ["svg", "math", "object", "figure", "details"];

// What Turndown removes as blank may contain a drawing.
function renderWithoutText(content: string, node: object): string {
  if (!isElement(node)) return "";
  if (SHOWN_WITHOUT_TEXT.includes(nameOf(node))) return keepBlock(node);
  const isBlock = "isBlock" in node && node.isBlock === true;
  return isBlock ? `\n\n${content}\n\n` : content.trim();
}

function keepBlock(element: ParsedElement): string {
  return `\n\n${keepHtml(element)}\n\n`;
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
  const lines = element.cloneNode(true);
  for (const lineBreak of Array.from(lines.querySelectorAll("br"))) lineBreak.textContent = "\n";
  const code = (lines.textContent ?? "").replace(/\n$/, "");
  const ticks = [...code.matchAll(/`+/g)].map(([run]) => run.length);
  const fence = "`".repeat(Math.max(3, ...ticks.map((count) => count + 1)));
  return `\n\n${fence}${language}\n${code}\n${fence}\n\n`;
}

function renderEmphasis(
  element: ParsedElement,
  { content, mark }: { readonly content: string; readonly mark: string },
): string {
  if (content.trim() === "") return "";
  return hasLanguage(element) || isGlued(element, content) ? keepTags(element, content) : mark + content + mark;
}

const WORD = /[\p{L}\p{N}]/u;
const PUNCTUATION = /[\p{P}\p{S}]/u;

// Markdown reads marks between a word and punctuation as text, and those of two elements side by side as others.
function isGlued({ previousSibling, nextSibling, textContent }: ParsedElement, content: string): boolean {
  const [before, after] = [previousSibling?.textContent ?? "", nextSibling?.textContent ?? ""];
  const text = textContent ?? "";
  const isBesideOther = previousSibling !== null && [...BOLD, ...ITALIC].includes(nameOf(previousSibling));
  const isAtStart = WORD.test([...before].at(-1) ?? "") && PUNCTUATION.test([...content][0] ?? "");
  const isAtEnd = WORD.test([...after][0] ?? "") && PUNCTUATION.test([...content].at(-1) ?? "");
  return ((isAtStart || isBesideOther) && !/^\s/.test(text)) || (isAtEnd && !/\s$/.test(text));
}

function renderAnchor(element: ParsedElement, content: string): string {
  const isTarget = !element.hasAttribute("href") && (element.hasAttribute("id") || element.hasAttribute("name"));
  if (isTarget) return keepTags(element, content);
  // A link around paragraphs or headings.
  return content.includes("\n\n") ? keepBlock(element) : renderLink(element, { text: content, address: "href" });
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
