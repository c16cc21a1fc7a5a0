import type { Reporter, TestModule } from "vitest/node";

/** The result of one row of the matrix in one world. */
export interface FaultRow {
  readonly name: string;
  /** The counts, in a few characters. */
  readonly cell: string;
  /** One sentence for each run with a wrong result. */
  readonly wrong: readonly string[];
}

declare module "vitest" {
  interface TaskMeta {
    faultRows?: readonly FaultRow[];
  }
}

const LEGEND = `a + b: a runs ended as if nothing had happened; b said what failed, and the next run put it right.`;

/** Prints the result of each test when it ends, and everything as one table after the last. */
export function createTableReporter(worlds: readonly string[]): Reporter {
  return {
    onTestCaseResult(test) {
      for (const row of test.meta().faultRows ?? []) {
        process.stdout.write(`${test.project.name}  ${row.name}: ${textOf(row)}\n`);
      }
    },
    onTestRunEnd(modules) {
      const cells = modules.flatMap(readCells);
      if (cells.length > 0) process.stdout.write(`\n${renderTable(cells, worlds)}\n${LEGEND}\n\n`);
    },
  };
}

interface Cell extends FaultRow {
  readonly world: string;
}

function readCells(module: TestModule): readonly Cell[] {
  return [...module.children.allTests()].flatMap((test) => {
    const { faultRows = [] } = test.meta();
    return faultRows.map((row) => ({ ...row, world: module.project.name }));
  });
}

export function renderTable(cells: readonly Cell[], worlds: readonly string[]): string {
  const names = [...new Set(cells.map(({ name }) => name))];
  const rows = names.map((name) => [
    name,
    ...worlds.map((world) => textOf(cells.find((cell) => cell.name === name && cell.world === world))),
  ]);
  const table = [["", ...worlds], ...rows];
  const widths = ["", ...worlds].map((_, column) => Math.max(...table.map((row) => row[column]?.length ?? 0)));
  return table.map((row) => row.map((text, column) => pad(text, { column, widths })).join("  ")).join("\n");
}

function textOf(cell: FaultRow | undefined): string {
  if (cell === undefined) return "not run";
  return cell.wrong.length === 0 ? cell.cell : `${cell.cell}, ${cell.wrong.length} WRONG`;
}

function pad(text: string, { column, widths }: { readonly column: number; readonly widths: readonly number[] }) {
  const width = widths[column] ?? 0;
  return column === 0 ? text.padEnd(width) : text.padStart(width);
}
