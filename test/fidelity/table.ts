import type { WorldRun } from "./site-run.ts";
import type { World } from "./published-site.ts";
import { withoutReported } from "./reported.ts";

const HEADINGS = [
  "site",
  "pages",
  "service",
  "worst difference",
  "console",
  "failed",
  "buttons that react",
  "reported as unsupported",
];

/** Renders one row of the suite's table. */
export function renderRow(name: string, { routeSet, mode }: World, { pages, published }: WorldRun): readonly string[] {
  const worst = pages.reduce((one, other) => (other.difference.share > one.difference.share ? other : one));
  const heard = pages.map((page) => withoutReported(published.report, page.published));
  const isSame = pages.every((page, index) => page.original.console.join("\n") === heard[index]?.console.join("\n"));
  const codes = Object.entries(Object.groupBy(published.report.warnings, ({ code }) => code));
  return [
    name,
    String(pages.length),
    `${routeSet.toUpperCase()} ${mode}`,
    worst.difference.share === 0 ? "0 %" : `${(100 * worst.difference.share).toFixed(4)} % ${worst.route}`,
    isSame ? "same" : "differs",
    String(heard.flatMap(({ failed }) => failed).length),
    String(pages.flatMap((page) => page.published.presses.filter(({ didChange }) => didChange)).length),
    codes.map(([code, warnings]) => `${code} ${warnings?.length}`).join(", ") || "nothing",
  ];
}

/** Renders the rows as a Markdown table. */
export function renderTable(rows: readonly (readonly string[])[]): string {
  const widths = HEADINGS.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? "").padEnd(width)).join(" | ")} |`;
  return [line(HEADINGS), line(widths.map((width) => "-".repeat(width))), ...rows.map(line)].join("\n");
}
