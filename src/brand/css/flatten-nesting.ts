import { Buffer } from "node:buffer";
import { Features, transform } from "lightningcss";

/** The same styles without nested rules. `undefined` when lightningcss can't make sense of them. */
export function flattenNesting(css: string): string | undefined {
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
