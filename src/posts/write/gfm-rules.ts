import { attributeOf, nameOf, type ElementRule, type ParsedElement } from "./element-rule.ts";

/** Rules for the tables and footnotes of GitHub's Markdown, in the HTML that Astro renders from them. */
export function createGfmRules(html: string): readonly ElementRule[] {
  return [...TABLE_RULES, ...createFootnoteRules(html)];
}

const CELLS = "th, td";
const ROWS = ["thead", "tbody", "tr", CELLS].join(", ");
// A cell contains one line of inline elements.
const BLOCKS = "p, ul, ol, dl, pre, table, div, blockquote, figure, caption, colgroup, tfoot, h1, h2, h3, h4, h5, h6";
const PLAIN_TAG = /^<\w+(?: (?:align="\w+"|class="[^"]*"|scope="col"|style="text-align: ?\w+;?"|tabindex="0"))*>/;
const DELIMITERS: Readonly<Record<string, string>> = { left: ":--", center: ":-:", right: "--:" };

const TABLE_RULES: readonly ElementRule[] = [
  { names: ["table"], when: isPlainTable, render: (_, content) => `\n\n${content}\n\n` },
  { names: ["thead", "tbody"], when: isInPlainTable, render: (_, content) => content },
  { names: ["tr"], when: isInPlainTable, render: renderRow },
  { names: ["th", "td"], when: isInPlainTable, render: (_, content) => ` ${renderCell(content)} |` },
];

// Asked for each cell.
const plainTables = new WeakMap<ParsedElement, boolean>();

/** Whether Markdown can express a table: one row of headings, and nothing but alignment. */
function isPlainTable(table: ParsedElement): boolean {
  const isPlain = plainTables.get(table) ?? hasPlainCells(table);
  plainTables.set(table, isPlain);
  return isPlain;
}

function hasPlainCells(table: ParsedElement): boolean {
  const parts = [table, ...Array.from(table.querySelectorAll(ROWS))];
  const [heading, ...rows] = Array.from(table.querySelectorAll("tr"), (row) => Array.from(row.querySelectorAll(CELLS)));
  return (
    heading !== undefined &&
    heading.length > 0 &&
    heading.every((cell) => nameOf(cell) === "th") &&
    rows.every((row) => row.length === heading.length && row.every((cell) => nameOf(cell) === "td")) &&
    table.querySelectorAll(BLOCKS).length === 0 &&
    parts.every((part) => PLAIN_TAG.test(part.cloneNode(false).outerHTML))
  );
}

function isInPlainTable(element: ParsedElement): boolean {
  const table = element.closest("table");
  return table !== null && isPlainTable(table);
}

function renderRow(row: ParsedElement, content: string): string {
  const headings = Array.from(row.querySelectorAll("th"));
  const delimiters = headings.map((heading) => ` ${DELIMITERS[alignmentOf(heading)] ?? "---"} |`).join("");
  return `\n|${content}${delimiters === "" ? "" : `\n|${delimiters}`}\n`;
}

function alignmentOf(cell: ParsedElement): string {
  const [, styled] = /text-align: ?(\w+)/.exec(attributeOf(cell, "style")) ?? [];
  return (styled ?? attributeOf(cell, "align")).toLowerCase();
}

// Also in code, a bar that isn't escaped would end the cell.
function renderCell(content: string): string {
  const line = content.trim().replaceAll(/ *\n/g, "<br>");
  return line.replaceAll(/(\\*)\|/g, (bar, slashes: string) => (slashes.length % 2 === 1 ? bar : `${slashes}\\|`));
}

// imprint puts the slug of the post in front of these ids.
const NOTE = /user-content-fn-([^"]+)$/;

function createFootnoteRules(html: string): readonly ElementRule[] {
  const notes = new Set(
    Array.from(html.matchAll(/<li[^>]*\sid="?[^">]*user-content-fn-([^">]+)/g), ([, name]) => name),
  );
  const noteOf = (element: ParsedElement | null, attribute: string) => {
    const [, name] = NOTE.exec(element === null ? "" : attributeOf(element, attribute)) ?? [];
    return name !== undefined && notes.has(name) ? name : undefined;
  };
  if (notes.size === 0) return [];
  return [
    {
      names: ["sup"],
      when: ({ firstElementChild }) => noteOf(firstElementChild, "href") !== undefined,
      render: ({ firstElementChild }) => `[^${noteOf(firstElementChild, "href")}]`,
    },
    {
      names: ["li"],
      when: (element) => noteOf(element, "id") !== undefined,
      render: (element, content) => {
        const text = content.trim().replaceAll(/\n(?=[^\n])/g, "\n    ");
        return `\n\n[^${noteOf(element, "id")}]: ${text}\n\n`;
      },
    },
    { names: ["a"], when: (element) => attributeOf(element, "href").includes("user-content-fnref-"), render: () => "" },
    { names: ["h2"], when: (element) => attributeOf(element, "id").endsWith("footnote-label"), render: () => "" },
  ];
}
