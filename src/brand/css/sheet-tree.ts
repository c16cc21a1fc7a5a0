import { Buffer } from "node:buffer";
import { Features, transform } from "lightningcss";

/** Longest style sheet that is read, in characters. Of a longer one the beginning is read. */
export const MAX_SHEET_LENGTH = 4 * 1024 * 1024;

// Each `&` of a nested rule repeats the selector of the rule around it, so that the text can double at each level.
const MAX_REPEATS = 2048;
/** Deeper than this no person nests, and flattening would recurse. */
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
  const text = cutToLength(css, problems);
  const scan = scanSheet(text);
  if (!scan.hasNesting) return scan.statements;
  const flattened = scan.repeats > MAX_REPEATS ? undefined : flattenNesting(text);
  if (flattened !== undefined) return scanSheet(flattened).statements;
  problems.push("Nested rules of the style sheet were left out: they can't be flattened within reason.");
  return scan.statements;
}

function cutToLength(css: string, problems: string[]): string {
  if (css.length <= MAX_SHEET_LENGTH) return css;
  const end = css.lastIndexOf("}", MAX_SHEET_LENGTH);
  problems.push(`The style sheet has ${css.length} characters; only the first ${MAX_SHEET_LENGTH} were read.`);
  return css.slice(0, end === -1 ? MAX_SHEET_LENGTH : end + 1);
}

/** What the braces of a style sheet show. */
interface SheetScan {
  readonly statements: readonly Statement[];
  /** Whether a rule stands in another. */
  readonly hasNesting: boolean;
  /** How often the outermost selector of a nested rule would stand in the flattened text, at most. */
  readonly repeats: number;
}

const WITH_RULES: ReadonlySet<string> = new Set(["media", "supports", "container", "layer", "scope"]);

/** A block that is open at some place of the text. */
interface OpenBlock {
  readonly head: Pick<Statement, "atRule" | "prelude">;
  /** Where its text starts. */
  readonly start: number;
  /** What stands in it; `undefined` for a block of declarations. */
  readonly statements: Statement[] | undefined;
  readonly repeats: number;
}

/** Goes once over the text as CSS Syntax says. Braces that are never closed or opened do no harm. */
export function scanSheet(css: string): SheetScan {
  const statements: Statement[] = [];
  const open: OpenBlock[] = [];
  let start = 0;
  let [hasNesting, repeats] = [false, 1];

  const isInRules = () => open.length === 0 || open.at(-1)?.statements !== undefined;
  const add = (statement: Statement) => (open.at(-1)?.statements ?? statements).push(statement);

  function openBlock(at: number): void {
    const prelude = css.slice(start, at);
    const around = open.at(-1);
    if (around !== undefined && !isInRules() && around.head.atRule === undefined) {
      hasNesting ||= !prelude.trimStart().startsWith("--");
    }
    const head = readHead(prelude);
    const holdsRules = isInRules() && head.atRule !== undefined && WITH_RULES.has(head.atRule);
    const own = (around?.repeats ?? 1) * Math.max(1, prelude.split("&").length - 1);
    repeats = Math.max(repeats, open.length > DEEPEST ? Infinity : own);
    open.push({ head, start: at + 1, statements: holdsRules ? [] : undefined, repeats: own });
  }

  function closeBlock(at: number): void {
    const block = open.pop();
    if (block === undefined || !isInRules() || open.length > DEEPEST) return;
    const body = block.statements === undefined ? css.slice(block.start, at) : undefined;
    add({ ...block.head, body, statements: block.statements });
  }

  walk(css, (character, at) => {
    if (character === "{") openBlock(at);
    else if (character === "}") {
      // A brace that closes nothing belongs to the selector after it, which is none then.
      if (open.length === 0) return;
      closeBlock(at);
    } else if (isInRules()) {
      const head = readHead(css.slice(start, at));
      if (head.atRule !== undefined) add({ ...head, body: undefined, statements: undefined });
      else if (open.length === 0) return;
    }
    start = at + 1;
  });
  if (isInRules()) {
    const head = readHead(css.slice(start));
    if (head.atRule !== undefined) add({ ...head, body: undefined, statements: undefined });
  }
  while (open.length > 0) closeBlock(css.length);
  return { statements, hasNesting, repeats };
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

/** The same styles without nested rules. `undefined` when lightningcss can't make sense of them. */
function flattenNesting(css: string): string | undefined {
  try {
    const { code } = transform({
      filename: "sheet.css",
      code: Buffer.from(css),
      include: Features.Nesting,
      errorRecovery: true,
    });
    return new TextDecoder().decode(code);
  } catch {
    // The caller reports the sheet as one that was read without its nested rules.
    return undefined;
  }
}
