/** What a look at the braces of a style sheet tells, before it is parsed. */
export interface SheetOutline {
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
