import { Buffer } from "node:buffer";
import { Features, transform } from "lightningcss";

// Each `&` of a nested rule repeats the selector of the rule around it, so that the text can double at each level.
const MAX_REPEATS = 2048;

/**
 * The same styles without nested rules. `undefined` when they can't be flattened, or would become too large.
 */
export function flattenNesting(css: string): string | undefined {
  if (countRepeats(css) > MAX_REPEATS) return undefined;
  try {
    const { code } = transform({
      filename: "sheet.css",
      code: Buffer.from(css),
      include: Features.Nesting,
      errorRecovery: true,
    });
    return new TextDecoder().decode(code);
  } catch {
    // What lightningcss can't recover from is reported by the caller as a sheet that was read without its nested rules.
    return undefined;
  }
}

/** How often the outermost selector of a rule would stand in the flattened text, at most. */
function countRepeats(css: string): number {
  const levels: number[] = [1];
  let most = 1;
  let ampersands = 0;
  for (const character of css) {
    if (character === "&") ampersands += 1;
    else if (character === ";") ampersands = 0;
    else if (character === "{") {
      levels.push((levels.at(-1) ?? 1) * Math.max(1, ampersands));
      most = Math.max(most, levels.at(-1) ?? 1, levels.length > 64 ? MAX_REPEATS + 1 : 0);
      ampersands = 0;
    } else if (character === "}") {
      if (levels.length > 1) levels.pop();
      ampersands = 0;
    }
  }
  return most;
}
