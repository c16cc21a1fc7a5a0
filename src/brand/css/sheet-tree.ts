import { Buffer } from "node:buffer";
import { parse, type CssNode } from "css-tree";
import { Features, transform } from "lightningcss";
import { messageOf } from "../../base/error.ts";
import { BudgetSpent, createBudget } from "../budget.ts";

/** Longest style sheet that is read, in characters. Of a longer one the beginning is read. */
export const MAX_SHEET_LENGTH = 4 * 1024 * 1024;

// Each `&` of a nested rule repeats the selector of the rule around it, so that the text can double at each level.
const MAX_REPEATS = 2048;

/** Characters that are looked through because of mistakes in a sheet. */
const MISTAKE_STEPS = 300_000_000;

/** The top-level statements of a style sheet, nested rules flattened. What is left out is reported in `problems`. */
export function parseSheetTree(css: string, problems: string[]): readonly CssNode[] {
  return parseFlat(cutToLength(css, problems), problems);
}

function cutToLength(css: string, problems: string[]): string {
  if (css.length <= MAX_SHEET_LENGTH) return css;
  const end = css.lastIndexOf("}", MAX_SHEET_LENGTH);
  problems.push(`The style sheet has ${css.length} characters; only the first ${MAX_SHEET_LENGTH} were read.`);
  return css.slice(0, end === -1 ? MAX_SHEET_LENGTH : end + 1);
}

function parseFlat(css: string, problems: string[]): readonly CssNode[] {
  const outline = scanSheet(css);
  if (!outline.hasNesting) return parsePieces(outline.pieces, problems);
  const flattened = outline.repeats > MAX_REPEATS ? undefined : flattenNesting(css);
  if (flattened !== undefined) return parsePieces(scanSheet(flattened).pieces, problems);
  problems.push("Nested rules of the style sheet were left out: they can't be flattened within reason.");
  return parsePieces(outline.pieces, problems);
}

/** Parses piece by piece: for each mistake css-tree looks through the whole text that it was given. */
function parsePieces(pieces: readonly string[], problems: string[]): readonly CssNode[] {
  const budget = createBudget(MISTAKE_STEPS);
  return withoutStacks(() => pieces.flatMap((piece) => parsePiece(piece)));

  function parsePiece(piece: string): readonly CssNode[] {
    try {
      const tree = parse(piece, {
        parseValue: false,
        parseAtrulePrelude: false,
        parseCustomProperty: false,
        onParseError: () => budget.spend(piece.length),
      });
      return tree.type === "StyleSheet" ? tree.children.toArray() : [];
    } catch (error) {
      problems.push(
        `A part of the style sheet was left out: ${error instanceof BudgetSpent ? "it has too many mistakes." : messageOf(error)}`,
      );
      return [];
    }
  }
}

// css-tree makes an error with its whole stack of every mistake, and nobody reads them.
function withoutStacks<Result>(work: () => Result): Result {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** What the braces of a style sheet show before it is parsed. */
interface SheetOutline {
  /** The sheet in pieces of whole top-level statements. */
  readonly pieces: readonly string[];
  /** Whether a rule stands in another. */
  readonly hasNesting: boolean;
  /** How often the outermost selector of a nested rule would stand in the flattened text, at most. */
  readonly repeats: number;
}

/** Least length of a piece, in characters, but for the last one. */
const PIECE_LENGTH = 50_000;
/** Deeper than this no person nests, and flattening would recurse. */
const DEEPEST = 64;

interface Block {
  readonly isRule: boolean;
  readonly repeats: number;
}

/** Goes once over the text, minding comments and strings. Braces that are never closed or opened do no harm. */
export function scanSheet(css: string): SheetOutline {
  const pieces: string[] = [];
  const open: Block[] = [];
  let pieceStart = 0;
  let statementStart = 0;
  let hasNesting = false;
  let repeats = 1;

  const endStatement = (next: number): void => {
    statementStart = next;
    if (open.length > 0 || next - pieceStart < PIECE_LENGTH) return;
    pieces.push(css.slice(pieceStart, next));
    pieceStart = next;
  };

  for (let index = 0; index < css.length; index = nextSignificant(css, index)) {
    const character = css[index];
    if (character === ";") endStatement(index + 1);
    else if (character === "{") {
      const block = readBlock(css.slice(statementStart, index), open.at(-1));
      hasNesting ||= open.some(({ isRule }) => isRule) && !block.isValue;
      open.push(block);
      repeats = Math.max(repeats, open.length > DEEPEST ? Infinity : block.repeats);
      statementStart = index + 1;
    } else if (character === "}") {
      open.pop();
      endStatement(index + 1);
    }
  }
  return { pieces: [...pieces, css.slice(pieceStart)], hasNesting, repeats };
}

function readBlock(prelude: string, around: Block | undefined): Block & { readonly isValue: boolean } {
  const start = prelude.replace(/\/\*.*?\*\//gs, "").trimStart();
  const ampersands = prelude.split("&").length - 1;
  return {
    isRule: !start.startsWith("@"),
    isValue: start.startsWith("--"),
    repeats: (around?.repeats ?? 1) * Math.max(1, ampersands),
  };
}

/** The next character after `index` that can be a brace or a semicolon, comments and strings passed over. */
function nextSignificant(css: string, index: number): number {
  SIGNIFICANT.lastIndex = index + 1;
  for (let match = SIGNIFICANT.exec(css); match !== null; match = SIGNIFICANT.exec(css)) {
    if (match[0].length === 1) return match.index;
  }
  return css.length;
}

// Comments and strings match as a whole, an escaped character with its backslash; what is left is one character.
const SIGNIFICANT = /\/\*[^]*?(?:\*\/|$)|"(?:[^"\\\n]|\\[^])*"?|'(?:[^'\\\n]|\\[^])*'?|\\[^]|[{};]/g;

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
