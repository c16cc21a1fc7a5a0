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

// What spreadsheets take for the start of a formula, also in full width, and what they skip before one.
const FORMULA = /^[\s\0]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n\0]/;

const BYTE_ORDER_MARK = "\uFEFF";

/** The first line: the facts that the service knows, then the names of all fields. */
export function renderCsvHeader(fieldNames: readonly string[]): string {
  return BYTE_ORDER_MARK + renderLines([[...FACTS, ...fieldNames.map(columnName)]]);
}

/** A line for each submission (RFC 4180), with a cell for each of the named fields. */
export function renderCsvLines(submissions: readonly CsvSubmission[], fieldNames: readonly string[]): string {
  return renderLines(
    submissions.map((submission) => [
      ...FACTS.map((fact) => submission[fact]),
      ...fieldNames.map((name) => [submission.fields.get(name) ?? ""].flat().join("; ")),
    ]),
  );
}

/** A cell that no spreadsheet runs: one that starts like a formula gets an apostrophe (OWASP ASVS 1.2.10). */
export function safeCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Lines of CSV (RFC 4180) whose cells no spreadsheet runs. */
export function renderLines(rows: readonly (readonly string[])[]): string {
  // All cells are quoted: by itself the library leaves one with a lone line feed as it is.
  return stringify(
    rows.map((row) => row.map(safeCell)),
    { quoted: true, quoted_empty: true, record_delimiter: "\r\n" },
  );
}

// A field may be called like one of the facts.
function columnName(name: string): string {
  return FACTS.some((fact) => fact === name) ? `field ${name}` : name;
}
