import type { Report } from "../publish.ts";
import { renderText } from "../sync/report/render-text.ts";
import type { CliContext } from "./context.ts";
import type { PublishFlags } from "./shared-flags.ts";
import { isWatched, paintFor, wrapFor } from "./terminal.ts";

export interface Printing {
  readonly flags: Pick<PublishFlags, "json">;
  readonly context: CliContext;
  readonly text: string;
}

/** Prints a result: as JSON where that is asked for, else as text for people. */
export function print(value: unknown, { flags, context, text }: Printing): void {
  context.out.write(flags.json === true ? formatJson(value) : text);
}

/** The report of a run as text for people. Fields of its JSON are only added while `version` stays the same. */
export function renderReport(report: Report, { out, environment }: CliContext): string {
  // On a terminal the addresses of single pages would take a line each; that of the site leads to all of them.
  const addresses = !isWatched(out, environment);
  return renderText(report, { paint: paintFor(out, environment), wrap: wrapFor(out, environment), addresses });
}

export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
