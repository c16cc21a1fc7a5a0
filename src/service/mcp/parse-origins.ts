import { ImprintError } from "../../base/error.ts";

/** Takes origins as a browser writes them; throws `OPTIONS_INVALID` for what is none. */
export function parseOrigins(texts: readonly string[]): readonly string[] {
  for (const text of texts) {
    if (URL.parse(text)?.origin === text) continue;
    throw new ImprintError("OPTIONS_INVALID", `\`mcpOrigins\` holds ${JSON.stringify(text)}, which is no origin.`, {
      hint: "Write origins as in `http://localhost:6274`: scheme, host and port, without a slash at the end.",
    });
  }
  return texts;
}
