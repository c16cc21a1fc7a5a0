import type { Verdict } from "./scenarios.ts";

export interface Row {
  readonly world: readonly string[];
  readonly scenario: string;
  readonly where: string;
  readonly verdict: Verdict;
  /** Why no client could have prevented a duplicate here. */
  readonly excuse: string | undefined;
}

/** Collects what the matrix found and prints it as one table. */
export interface Table {
  add(row: Row): void;
  print(): void;
}

export function createTable(): Table {
  const rows: Row[] = [];
  return {
    add: (row) => void rows.push(row),
    print() {
      const groups = Map.groupBy(rows, ({ world, scenario }) => [...world, scenario].join(" · "));
      const lines = [...groups].map(([name, group]) => lineOf(name, group));
      const sum = (count: (row: Row) => number) => rows.reduce((total, row) => total + count(row), 0);
      const duplicates = sum(({ verdict }) => verdict.duplicates);
      const missing = sum(({ verdict }) => verdict.missing);
      console.log(`\n${"world · scenario".padEnd(54)} histories  duplicates  missing  why\n${lines.join("\n")}`);
      console.log(`\n${rows.length} histories, ${duplicates} duplicates, ${missing} posts missing\n`);
    },
  };
}

function lineOf(name: string, rows: readonly Row[]): string {
  const duplicated = rows.filter(({ verdict }) => verdict.duplicates > 0);
  const missing = rows.filter(({ verdict }) => verdict.missing > 0);
  const excuses = Map.groupBy(duplicated, ({ excuse }) => excuse ?? "no excuse");
  const whys = [
    ...[...excuses].map(([excuse, each]) => `${each.length} twice: ${excuse}`),
    ...new Set(missing.flatMap(({ verdict }) => verdict.reasons)),
  ];
  const counts = [rows.length, total(duplicated, "duplicates"), total(missing, "missing")];
  const [histories = "", duplicates = "", absent = ""] = counts.map(String);
  return `${name.padEnd(54)} ${histories.padStart(9)}  ${duplicates.padStart(10)}  ${absent.padStart(7)}  ${whys.join("; ")}`;
}

function total(rows: readonly Row[], field: "duplicates" | "missing"): number {
  return rows.reduce((sum, { verdict }) => sum + verdict[field], 0);
}
