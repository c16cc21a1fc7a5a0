import { parse, type CssNode } from "css-tree";
import { messageOf } from "../../base/error.ts";
import { BudgetSpent, createBudget } from "../budget.ts";
import { flattenNesting } from "./flatten-nesting.ts";
import { scanSheet } from "./scan-sheet.ts";

/** Longest style sheet that is read, in characters. Of a longer one the beginning is read. */
export const MAX_SHEET_LENGTH = 4 * 1024 * 1024;

// Each `&` of a nested rule repeats the selector of the rule around it, so that the text can double at each level.
const MAX_REPEATS = 2048;

/** Characters that are looked through because of mistakes in a sheet. */
const MISTAKE_STEPS = 300_000_000;

/** The top-level statements of a style sheet, nested rules flattened. What is left out is told in `problems`. */
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
  return pieces.flatMap((piece) => {
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
  });
}
