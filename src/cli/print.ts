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

/** Prints a result: as JSON with `--json`, else as text. */
export function print(value: unknown, { flags, context, text }: Printing): void {
  context.out.write(flags.json === true ? formatJson(value) : text);
}

/** Renders the report of a run as text. Its JSON only gains fields while `version` stays the same. */
export function renderReport(report: Report, { out, environment }: CliContext): string {
  // On a terminal each page's address would take a line; the site's address leads to all pages.
  const addresses = !isWatched(out, environment);
  return renderText(report, { paint: paintFor(out, environment), wrap: wrapFor(out, environment), addresses });
}

export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}
