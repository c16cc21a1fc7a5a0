import type { Verdict } from "./scenarios.ts";

export interface Row {
  readonly world: readonly string[];
  readonly scenario: string;
  readonly where: string;
  readonly verdict: Verdict;
  /** Why no client could prevent a duplicate here. */
  readonly excuse: string | undefined;
}

/** Collects the results of the matrix and prints them as one table. */
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
      const worlds = new Set(rows.map(({ world }) => world.join(" · "))).size;
      console.log(`\n${rows.length} histories in ${worlds} worlds, none left out`);
      console.log(`${duplicates} duplicates, each reported by a failing run${reasonLines(duplicateReasons(rows))}`);
      console.log(
        `${missing} posts missing, each with its reason in the last run${reasonLines(missingReasons(rows))}\n`,
      );
    },
  };
}

function lineOf(name: string, rows: readonly Row[]): string {
  const duplicated = rows.filter(({ verdict }) => verdict.duplicates > 0);
  const missing = rows.filter(({ verdict }) => verdict.missing > 0);
  const excuses = Map.groupBy(duplicated, ({ excuse }) => excuse ?? "no excuse");
  const whys = [
    ...[...excuses].map(([excuse, each]) => `${each.length} twice: ${excuse}`),
    ...[...missingReasons(rows)].map(([reason, count]) => `${count} missing: ${reason}`),
  ];
  const counts = [rows.length, total(duplicated, "duplicates"), total(missing, "missing")];
  const [histories = "", duplicates = "", absent = ""] = counts.map(String);
  return `${name.padEnd(54)} ${histories.padStart(9)}  ${duplicates.padStart(10)}  ${absent.padStart(7)}  ${whys.join("; ")}`;
}

function duplicateReasons(rows: readonly Row[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { verdict, excuse = "no excuse" } of rows) {
    if (verdict.duplicates > 0) counts.set(excuse, (counts.get(excuse) ?? 0) + verdict.duplicates);
  }
  return counts;
}

/** Counts the reasons of the last run, once for each omitted post. */
function missingReasons(rows: readonly Row[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { verdict } of rows) {
    const reasons = verdict.reasons.length === 0 ? ["no reason"] : verdict.reasons;
    for (const reason of reasons.slice(0, verdict.missing)) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  }
  return counts;
}

function reasonLines(reasons: ReadonlyMap<string, number>): string {
  return [...reasons].map(([reason, count]) => `\n  ${String(count).padStart(5)}  ${reason}`).join("");
}

function total(rows: readonly Row[], field: "duplicates" | "missing"): number {
  return rows.reduce((sum, { verdict }) => sum + verdict[field], 0);
}
