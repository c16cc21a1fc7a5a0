import type { Logger } from "../../base/log.ts";

/**
 * Runs `work` and tells each line that Shiki prints about an unknown language only once. Shiki writes to the console,
 * one line for every block of code, and offers no other way to listen.
 */
export async function captureShikiWarnings<Result>(logger: Logger, work: () => Promise<Result>): Promise<Result> {
  const seen = new Set<string>();
  // oxlint-disable-next-line no-console
  const original = console.warn;
  // oxlint-disable-next-line no-console
  console.warn = (...values: unknown[]) => {
    const [message] = values;
    if (typeof message !== "string" || !message.startsWith("[Shiki]")) return original(...values);
    if (!seen.has(message)) logger.warn(message.replace("[Shiki] ", "Code in posts: "));
    seen.add(message);
  };
  try {
    return await work();
  } finally {
    // oxlint-disable-next-line no-console
    console.warn = original;
  }
}
