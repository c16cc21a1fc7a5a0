import { formatMinute } from "../base/time.ts";
import { titleOf, type FieldName, type RecordContract } from "../contract/fields.ts";
import { printable } from "./terminal.ts";

type Column<Contract extends RecordContract, Item> =
  | (FieldName<Contract> & keyof Item)
  | readonly [FieldName<Contract>, (item: Item) => string];

/** Renders records as a table with the contract's titles; a column may have its own text. */
export function renderRecords<Contract extends RecordContract, Item>(
  contract: Contract,
  items: readonly Item[],
  columns: readonly Column<Contract, Item>[],
): string {
  const head = columns.map((column) => titleOf(contract, typeof column === "object" ? column[0] : column));
  const rows = items.map((item) =>
    columns.map((column) => (typeof column === "object" ? column[1](item) : renderValue(item[column]))),
  );
  return renderTable([head, ...rows]);
}

/** Renders the known fields of one record, one per line. */
export function renderFacts<Contract extends RecordContract, Item>(
  contract: Contract,
  item: Item,
  names: readonly (FieldName<Contract> & keyof Item)[],
): string {
  const known = names.filter((name) => item[name] !== undefined);
  return renderTable(known.map((name) => [titleOf(contract, name), renderValue(item[name])]));
}

function renderValue(value: unknown): string {
  if (value instanceof Date) return renderTime(value);
  return value === undefined || value === null ? "" : String(value);
}

/** Renders rows as aligned, indented columns. Text from services and visitors is made safe for the terminal. */
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

/** Renders a time to the minute, in UTC. */
export function renderTime(time: Date | null): string {
  return time === null ? "never" : formatMinute(time);
}

export function shorten(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
