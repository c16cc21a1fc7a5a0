import { stringify } from "csv-stringify/sync";

/** The content of one line of the CSV. */
export interface CsvSubmission {
  readonly submissionId: string;
  readonly createdAt: string;
  readonly pageSlug: string;
  readonly formId: string;
  readonly email: string;
  readonly lead: string;
  readonly fields: ReadonlyMap<string, string | readonly string[]>;
}

const FACTS = ["submissionId", "createdAt", "pageSlug", "formId", "email", "lead"] as const;

// Characters that start a formula in spreadsheets, also in full width, and those that are skipped before one.
const FORMULA = /^[\s\0]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n\0]/;

const BYTE_ORDER_MARK = "\uFEFF";

/** Renders the header line: the service's own columns, then the names of all fields. */
export function renderCsvHeader(fieldNames: readonly string[]): string {
  return BYTE_ORDER_MARK + renderLines([[...FACTS, ...fieldNames.map(columnName)]]);
}

/** Renders a line for each submission (RFC 4180), with a cell for each of the given fields. */
export function renderCsvLines(submissions: readonly CsvSubmission[], fieldNames: readonly string[]): string {
  return renderLines(
    submissions.map((submission) => [
      ...FACTS.map((fact) => submission[fact]),
      ...fieldNames.map((name) => [submission.fields.get(name) ?? ""].flat().join("; ")),
    ]),
  );
}

/**
 * Prefixes a cell that starts like a formula with an apostrophe, so that no spreadsheet runs it (OWASP ASVS 1.2.10).
 */
export function safeCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Renders lines of CSV (RFC 4180) with cells that no spreadsheet runs as formulas. */
export function renderLines(rows: readonly (readonly string[])[]): string {
  // All cells are quoted, because the library wouldn't quote one with a lone line feed.
  return stringify(
    rows.map((row) => row.map(safeCell)),
    { quoted: true, quoted_empty: true, record_delimiter: "\r\n" },
  );
}

// A field may have the same name as one of the service's columns.
function columnName(name: string): string {
  return FACTS.some((fact) => fact === name) ? `field ${name}` : name;
}
