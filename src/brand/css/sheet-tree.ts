import { nestSelectors } from "./selector.ts";

/** Longest style sheet that is read, in characters. Of a longer one the beginning is read. */
export const MAX_SHEET_LENGTH = 4 * 1024 * 1024;

/** Longest list of selectors of a nested rule, in characters: with each `&` it can double at every level. */
const LONGEST_NESTED = 10_000;
/** Deeper than this no person nests, and who reads the statements recurses. */
const DEEPEST = 64;

/** A statement of a style sheet, cut out and not read any further: most of a sheet is about what nobody asks for. */
export interface Statement {
  /** Of an at-rule, in lower-case letters without its sign; `undefined` for a rule with a selector. */
  readonly atRule: string | undefined;
  /** The selector, or what stands between the name of an at-rule and its block. */
  readonly prelude: string;
  /** The text of the block; `undefined` without one, and where `statements` has it. */
  readonly body: string | undefined;
  /** What stands in an at-rule that holds rules. */
  readonly statements: readonly Statement[] | undefined;
}

/** The top-level statements of a style sheet, nested rules flattened. What is left out is reported in `problems`. */
export function readStatements(css: string, problems: string[]): readonly Statement[] {
  const { statements, isCut } = scanSheet(cutToLength(css, problems));
  if (isCut) problems.push("Nested rules of the style sheet were left out: they can't be flattened within reason.");
  return statements;
}

function cutToLength(css: string, problems: string[]): string {
  if (css.length <= MAX_SHEET_LENGTH) return css;
  const end = css.lastIndexOf("}", MAX_SHEET_LENGTH);
  problems.push(`The style sheet has ${css.length} characters; only the first ${MAX_SHEET_LENGTH} were read.`);
  return css.slice(0, end === -1 ? MAX_SHEET_LENGTH : end + 1);
}

const WITH_RULES: ReadonlySet<string> = new Set(["media", "supports", "container", "layer", "scope"]);

/** A block that is open at some place of the text, or the sheet itself. */
interface OpenBlock {
  readonly head: Pick<Statement, "atRule" | "prelude">;
  /** Where the statements in it go: those of a rule stand beside it. `undefined` for a block that is kept as text. */
  readonly into: Statement[] | undefined;
  /** What declarations in it are for; `undefined` where none belong. */
  readonly selector: string | undefined;
  /** Where the text starts that no statement holds yet. */
  start: number;
}

const AS_TEXT = { into: undefined, selector: undefined };

/**
 * Goes once over the text as CSS Syntax says. Braces that are never closed or opened do no harm. A rule in a rule becomes
 * one beside it, with the selector that CSS Nesting gives it. `isCut` says that some were left out as too deep.
 */
export function scanSheet(css: string): { readonly statements: readonly Statement[]; readonly isCut: boolean } {
  const statements: Statement[] = [];
  const sheet: OpenBlock = { head: readHead(""), into: statements, selector: undefined, start: 0 };
  const open = [sheet];
  let [start, isCut] = [0, false];
  const innermost = () => open.at(-1) ?? sheet;

  function contentOf(head: OpenBlock["head"], around: OpenBlock): Pick<OpenBlock, "into" | "selector"> {
    if (around.into === undefined || isValueIn(around, head)) return AS_TEXT;
    if (open.length > DEEPEST) {
      isCut = true;
      return AS_TEXT;
    }
    if (head.atRule !== undefined) {
      return WITH_RULES.has(head.atRule) ? { into: [], selector: around.selector } : AS_TEXT;
    }
    if (around.selector === undefined) return { into: around.into, selector: head.prelude };
    const selector = nestSelectors(head.prelude, around.selector);
    if (selector === undefined) return AS_TEXT;
    if (selector.length <= LONGEST_NESTED) return { into: around.into, selector };
    isCut = true;
    return AS_TEXT;
  }

  function openBlock(at: number): void {
    const around = innermost();
    const head = readHead(css.slice(start, at));
    if (!isValueIn(around, head)) addDeclarations(around, css.slice(around.start, start));
    open.push({ head, ...contentOf(head, around), start: at + 1 });
  }

  function closeBlock(at: number): void {
    const block = open.pop() ?? sheet;
    const around = innermost();
    const body = css.slice(block.start, at);
    addDeclarations(block, body);
    if (block.head.atRule !== undefined && around.into !== undefined) {
      if (block.into !== undefined) around.into.push({ ...block.head, body: undefined, statements: block.into });
      else if (around.selector === undefined) around.into.push({ ...block.head, body, statements: undefined });
    }
    if (!isValueIn(around, block.head)) around.start = at + 1;
  }

  /** Adds an at-rule without a block, if the text up to here is one. */
  function addAtStatement(at: number): boolean {
    const { into, selector } = innermost();
    const head = into === undefined || selector !== undefined ? undefined : readHead(css.slice(start, at));
    if (head?.atRule !== undefined) into?.push({ ...head, body: undefined, statements: undefined });
    return head?.atRule !== undefined;
  }

  walk(css, (character, at) => {
    // At the top of the sheet, a brace that closes nothing and a semicolon are a part of the selector after them.
    if (character === "{") openBlock(at);
    else if (character === "}") {
      if (open.length === 1) return;
      closeBlock(at);
    } else if (!addAtStatement(at) && open.length === 1) return;
    start = at + 1;
  });
  addAtStatement(css.length);
  while (open.length > 1) closeBlock(css.length);
  return { statements, isCut };
}

/** Whether a block belongs to the value of a custom property. */
function isValueIn(around: OpenBlock, head: OpenBlock["head"]): boolean {
  return around.selector !== undefined && head.prelude.startsWith("--");
}

function addDeclarations({ into, selector }: OpenBlock, body: string): void {
  if (selector === undefined || body.trim() === "") return;
  into?.push({ atRule: undefined, prelude: selector, body, statements: undefined });
}

function readHead(prelude: string): Pick<Statement, "atRule" | "prelude"> {
  const text = withoutComments(prelude, "")
    .replace(/^(?:\s|<!--|-->)+/, "")
    .trimEnd();
  const [whole, name] = /^@([\w-]+)/.exec(text) ?? [];
  if (whole === undefined || name === undefined) return { atRule: undefined, prelude: text };
  return { atRule: name.toLowerCase(), prelude: text.slice(whole.length).trim() };
}

const COMMENT = /\/\*[^]*?(?:\*\/|$)|("(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?)/g;

function withoutComments(text: string, instead: string): string {
  return text.includes("/*") ? text.replaceAll(COMMENT, (_, quoted?: string) => quoted ?? instead) : text;
}

// Comments, strings and bare addresses match as a whole, an escaped character with its backslash; the rest is one character.
const SIGNIFICANT =
  /\/\*[^]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?|\\[^]|(?<![\w-])url\(\s*(?!["'\s])(?:[^)\\]|\\[^])*\)?|[{}()[\];]/gi;
const CLOSING: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);

/** Calls with each brace and semicolon that stands neither in brackets nor in a comment, a string or an address. */
function walk(css: string, visit: (character: string, at: number) => void): void {
  const significant = new RegExp(SIGNIFICANT);
  const brackets: string[] = [];
  for (let match = significant.exec(css); match !== null; match = significant.exec(css)) {
    const [character] = match;
    if (character.length > 1) continue;
    const closing = CLOSING.get(character);
    if (brackets.length > 0) {
      if (closing !== undefined) brackets.push(closing);
      else if (character === brackets.at(-1)) brackets.pop();
    } else if (closing !== undefined && character !== "{") brackets.push(closing);
    else if (character === "{" || character === "}" || character === ";") visit(character, match.index);
  }
}

/** A declaration of any property, its value as written but for comments. */
export interface WrittenDeclaration {
  readonly property: string;
  readonly value: string;
  readonly important: boolean;
}

/** The declarations in the text of a block, or in a `style` attribute. */
export function readBlock(body: string): readonly WrittenDeclaration[] {
  const items = /["'\\{]|\/\*|url\(/i.test(body) ? splitItems(body) : body.split(";");
  return items.flatMap((item) => readDeclaration(item) ?? []);
}

function splitItems(body: string): readonly string[] {
  const items: string[] = [];
  let [start, depth] = [0, 0];
  walk(body, (character, at) => {
    if (character === "{") depth += 1;
    else if (character === "}") depth = Math.max(0, depth - 1);
    const isValue = /^\s*--/.test(body.slice(start, start + 100));
    if (depth > 0 || (character === "}" && isValue)) return;
    // A rule in the rule, which browsers that know no nesting skip.
    if (character === ";") items.push(body.slice(start, at));
    start = at + 1;
  });
  return [...items, body.slice(start)];
}

const PROPERTY = /^[-\w\\\u0080-\uFFFF]+$/;

function readDeclaration(item: string): WrittenDeclaration | undefined {
  const text = withoutComments(item, " ");
  const colon = text.indexOf(":");
  const name = colon === -1 ? "" : text.slice(0, colon).trim();
  if (!PROPERTY.test(name)) return undefined;
  const written = text.slice(colon + 1).trim();
  const value = written.includes("!") ? written.replace(/\s*!\s*important$/i, "") : written;
  const isCustom = name.startsWith("--");
  if (value === "" && !isCustom) return undefined;
  return { property: isCustom ? name : name.toLowerCase(), value, important: value !== written };
}
