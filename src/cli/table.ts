import { printable } from "./printable.ts";

/** Rows as aligned columns, two spaces apart and indented. What a service or a visitor wrote is shown safely. */
export function renderTable(table: readonly (readonly string[])[]): string {
  const rows = table.map((row) => row.map(printable));
  const widths = rows.reduce<readonly number[]>(
    (known, row) => row.map((cell, index) => Math.max(cell.length, known[index] ?? 0)),
    [],
  );
  return rows
    .map((row) => `  ${row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join("  ")}`.trimEnd())
    .map((line) => `${line}\n`)
    .join("");
}

/** A time as people read it, to the minute and in UTC. */
export function renderTime(time: Date | null): string {
  return time === null ? "never" : `${time.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}
