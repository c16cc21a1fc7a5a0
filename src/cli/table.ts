import { titleOf, type FieldName, type RecordContract } from "../contract/fields.ts";
import { printable } from "./terminal.ts";

type Column<Contract extends RecordContract, Item> =
  | (FieldName<Contract> & keyof Item)
  | readonly [FieldName<Contract>, (item: Item) => string];

/** Records as a table under the titles of the contract; a column may have a text of its own. */
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

/** The fields of one record that are known, a line each. */
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

/** A text that is cut where it is too long for a table. */
export function shorten(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
