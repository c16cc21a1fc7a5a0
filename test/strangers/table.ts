import type { StepResult } from "./histories.ts";

export interface HistoryResult {
  readonly dialect: string;
  readonly column: string;
  readonly steps: readonly StepResult[];
}

/** Renders dialects × histories, each by its worst step; then each WRONG with its reason. */
export function renderTable(results: readonly HistoryResult[]): string {
  const columns = [...new Set(results.map(({ column }) => column))];
  const rows = [...Map.groupBy(results, ({ dialect }) => dialect)];
  const width = Math.max(...rows.map(([dialect]) => dialect.length));
  const line = (first: string, cells: readonly string[]) =>
    `${first.padEnd(width)}  ${cells.map((cell, index) => cell.padEnd(columns[index]?.length ?? 0)).join("  ")}`;
  const body = rows.map(([dialect, own]) =>
    line(
      dialect,
      columns.map((column) => summarize(own.find((result) => result.column === column)?.steps)),
    ),
  );
  return [line("", columns), ...body, "", ...listWrong(results)].join("\n");
}

function summarize(steps: readonly StepResult[] | undefined): string {
  if (steps === undefined) return "-";
  const count = (kind: string) => steps.filter(({ verdict }) => verdict.kind === kind).length;
  if (count("WRONG") > 0) return `WRONG ${count("WRONG")}/${steps.length}`;
  return count("reported") > 0 ? `reported ${count("reported")}` : "ok";
}

/** Renders each WRONG as one line with its reason. */
export function listWrong(results: readonly HistoryResult[]): readonly string[] {
  return results.flatMap(({ dialect, column, steps }) =>
    steps.flatMap(({ step, verdict }) =>
      verdict.kind === "WRONG" ? [`WRONG ${dialect} [${column}] ${step}: ${verdict.why}`] : [],
    ),
  );
}
