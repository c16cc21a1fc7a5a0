import { nestSelectors } from "./selector.ts";

/** Maximum length of a style sheet, in characters. Only the beginning of a longer one is read. */
export const MAX_SHEET_LENGTH = 4 * 1024 * 1024;

/** Maximum length of a nested rule's selector list, in characters: each `&` can double it at every level. */
const LONGEST_NESTED = 10_000;
/** Nobody nests deeper than this, and code that reads the statements is recursive. */
const DEEPEST = 64;

/** A statement of a style sheet, extracted but not parsed further, since most of a sheet is never needed. */
export interface Statement {
  /** Name of an at-rule in lowercase, without `@`; `undefined` for a rule with a selector. */
  readonly atRule: string | undefined;
  /** The selector, or the text between an at-rule's name and its block. */
  readonly prelude: string;
  /** The text of the block; `undefined` if there is none or it is in `statements`. */
  readonly body: string | undefined;
  /** The content of an at-rule that contains rules. */
  readonly statements: readonly Statement[] | undefined;
}

/**
 * Returns the top-level statements of a style sheet, with nested rules flattened. What is omitted is reported in
 * `problems`.
 */
export function readStatements(css: string, problems: string[]): readonly Statement[] {
  const { statements, isCut } = scanSheet(cutToLength(css, problems));
  if (isCut)
    problems.push("Some nested rules of the style sheet were skipped: flattening them would exceed the limit.");
  return statements;
}

function cutToLength(css: string, problems: string[]): string {
  if (css.length <= MAX_SHEET_LENGTH) return css;
  const end = css.lastIndexOf("}", MAX_SHEET_LENGTH);
  problems.push(`The style sheet has ${css.length} characters; only the first ${MAX_SHEET_LENGTH} were read.`);
  return css.slice(0, end === -1 ? MAX_SHEET_LENGTH : end + 1);
}

const WITH_RULES: ReadonlySet<string> = new Set(["media", "supports", "container", "layer", "scope"]);

/** A block that is open at some position, or the sheet itself. */
interface OpenBlock {
  readonly head: Pick<Statement, "atRule" | "prelude">;
  /** Where its statements are added: those of a rule become its siblings. `undefined` for a block kept as text. */
  readonly into: Statement[] | undefined;
  /** Selector of its declarations; `undefined` if it can't have any. */
  readonly selector: string | undefined;
  /** Start of the text that isn't part of a statement yet. */
  start: number;
}

const AS_TEXT = { into: undefined, selector: undefined };

/**
 * Scans the text once, following CSS Syntax. Unbalanced braces do no harm. A nested rule becomes a sibling, with the
 * selector according to CSS Nesting. `isCut` indicates that some were too deep and omitted.
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
    // At the top level, an unmatched closing brace or a semicolon is part of the following selector.
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

/** Whether a block is part of a custom property's value. */
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

// Comments, strings, and unquoted addresses match as a whole, and an escaped character with its backslash; everything
// else is a single character.
const SIGNIFICANT =
  /\/\*[^]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?|\\[^]|(?<![\w-])url\(\s*(?!["'\s])(?:[^)\\]|\\[^])*\)?|[{}()[\];]/gi;
const CLOSING: ReadonlyMap<string, string> = new Map([
  ["(", ")"],
  ["[", "]"],
  ["{", "}"],
]);

/** Calls `visit` for each brace and semicolon that isn't in brackets, a comment, a string, or an address. */
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

/** A declaration of any property, with its value as written but without comments. */
export interface WrittenDeclaration {
  readonly property: string;
  readonly value: string;
  readonly important: boolean;
}

/** Parses the declarations in a block or a `style` attribute. */
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
    // A nested rule, which browsers without nesting skip.
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
