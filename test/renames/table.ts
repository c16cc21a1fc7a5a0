import type { HistoryResult } from "./history.ts";
import { FAILURES } from "./judge.ts";

/** Renders counts of histories; then failed ones, each kind of failure before repeating any, or all histories. */
export function renderResults(
  results: readonly HistoryResult[],
  { shows }: { readonly shows: number | "all" },
): string {
  const failed = results.filter(({ failures }) => failures.length > 0);
  const runs = results.reduce((sum, result) => sum + result.runs, 0);
  return [
    renderTable("host · state", results, ({ plan }) => `${plan.host.name} · ${plan.state}`),
    renderTable("kind · state", results, ({ plan }) => `${plan.kind} · ${plan.state}`),
    renderTable("clones · repository", results, ({ plan }) => `${plan.clones} · ${plan.git}`),
    renderTable("all", results, () => "all"),
    ...(shows === "all" ? results : pickTelling(failed).slice(0, shows)).map(renderFailure),
    `${results.length} histories with ${runs} runs, ${failed.length} of them with a failure.`,
  ].join("\n\n");
}

function pickTelling(failed: readonly HistoryResult[]): readonly HistoryResult[] {
  const first = FAILURES.flatMap(
    (kind) => failed.find(({ failures }) => failures.some((own) => own.kind === kind)) ?? [],
  );
  return [...new Set([...first, ...failed])];
}

/** Renders every cell: host, state and kind. */
export function renderCells(results: readonly HistoryResult[]): string {
  const nameOf = ({ plan }: HistoryResult) => `${plan.host.name} · ${plan.state} · ${plan.kind}`;
  return [
    renderTable("host · state · kind", results, nameOf),
    ...results.filter(({ failures }) => failures.length > 0).map(renderFailure),
  ].join("\n\n");
}

const COLUMNS = ["histories", "failed", ...FAILURES, "held", "resolved", "waited"] as const;

function renderTable(title: string, results: readonly HistoryResult[], nameOf: (result: HistoryResult) => string) {
  const groups = [...Map.groupBy(results, nameOf)].toSorted(([one], [other]) => one.localeCompare(other));
  const width = Math.max(title.length, ...groups.map(([name]) => name.length));
  const line = (name: string, cells: readonly string[]) =>
    `${name.padEnd(width)}  ${cells.map((cell, index) => cell.padStart(COLUMNS[index]?.length ?? 0)).join("  ")}`;
  const body = groups.map(([name, own]) => line(name, countsOf(own)));
  return [line(title, COLUMNS), ...body].join("\n");
}

function countsOf(results: readonly HistoryResult[]): readonly string[] {
  const count = (isCounted: (result: HistoryResult) => boolean) => results.filter(isCounted).length;
  const sum = (numberOf: (result: HistoryResult) => number) => results.reduce((all, own) => all + numberOf(own), 0);
  return [
    results.length,
    count(({ failures }) => failures.length > 0),
    ...FAILURES.map((kind) => count(({ failures }) => failures.some((failure) => failure.kind === kind))),
    sum(({ held }) => held),
    sum(({ resolved }) => resolved),
    count(({ waited }) => waited),
  ].map((number) => (number === 0 ? "." : String(number)));
}

/** Renders a failed history in one line. */
export function renderLabel({ plan, failures }: HistoryResult): string {
  return `seed ${plan.seed}, ${plan.state}, ${plan.kind}: ${failures.map(({ kind }) => kind).join(", ")}`;
}

/** Renders a failed history in detail, with what is needed to run it again. */
export function renderFailure({ plan, steps, failures }: HistoryResult): string {
  const { seed, host, state, kind, git, clones, commits, prunes, blogBy } = plan;
  const settings = [git, `commits ${commits} runs`, clones, `blog by ${blogBy}`, ...(prunes ? ["prunes"] : [])];
  const lines = steps.flatMap((step, index) => [
    `  ${String(index + 1).padStart(2)} ${step}`,
    ...failures.filter((failure) => failure.step === index + 1).map(({ kind, what }) => `     ✗ ${kind}: ${what}`),
  ]);
  return [`seed ${seed}: ${host.name} · ${state} · ${kind} (${settings.join(", ")})`, ...lines].join("\n");
}
