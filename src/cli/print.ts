import type { CliContext } from "./context.ts";
import type { PublishFlags } from "./shared-flags.ts";

export interface Printing {
  readonly flags: Pick<PublishFlags, "json">;
  readonly context: CliContext;
  readonly text: string;
}

/** Prints a result: as JSON where that is asked for, else as text for people. */
export function print(value: unknown, { flags, context, text }: Printing): void {
  context.out.write(flags.json === true ? formatJson(value) : text);
}

export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
