import * as z from "zod";
import { ProblemError } from "../../http/problem.ts";
import { DAY_MS, formatDay, parseDayRange } from "../../resources/time-range.ts";
import type { DashboardContext } from "../context.ts";
import { HiddenFields } from "../parts/fields.tsx";
import { searchOf, type Query } from "../parts/lists.tsx";

/** The day range of an analytics page. */
export interface ChosenRange {
  readonly from: string;
  readonly to: string;
  /** The selected shortcut, if any. */
  readonly days: number | undefined;
  /** What is wrong with the requested range. */
  readonly problem: string | undefined;
}

const SHORTCUTS = [7, 30, 90] as const;
const DEFAULT_DAYS = 30;

/** Reads `?days=` or `?from=&to=`; an invalid range is reported, and the default is used. */
export function readRange({ req, var: { records } }: DashboardContext): ChosenRange {
  const { now } = records;
  const [from, to] = [req.query("from") ?? "", req.query("to") ?? ""];
  if (from === "" && to === "") {
    const days = SHORTCUTS.find((each) => String(each) === req.query("days")) ?? DEFAULT_DAYS;
    return { ...lastDays(days, now), days, problem: undefined };
  }
  const problem = findProblem({ from, to }, now);
  if (problem !== undefined) return { ...lastDays(DEFAULT_DAYS, now), days: DEFAULT_DAYS, problem };
  const span = parseDayRange({ from: from || undefined, to: to || undefined }, now);
  return { from: formatDay(span.from), to: formatDay(span.until - DAY_MS), days: undefined, problem };
}

/** Returns the period of the same length before a range. */
export function daysBefore({ from, to }: Pick<ChosenRange, "from" | "to">): {
  readonly from: string;
  readonly to: string;
} {
  const [first, last] = [Date.parse(from), Date.parse(to)];
  return { from: formatDay(2 * first - last - DAY_MS), to: formatDay(first - DAY_MS) };
}

/** Switches the comparison on or off, and shows the days that numbers are compared with. */
export function CompareLink({
  query,
  before,
}: {
  readonly query: Query;
  readonly before: ReturnType<typeof daysBefore> | undefined;
}) {
  if (before === undefined) {
    return (
      <p>
        <a href={searchOf({ ...query, compare: "previous" })}>Compare with the previous period</a>
      </p>
    );
  }
  return (
    <p>
      <span class="soft">
        Compared with {before.from} to {before.to}.
      </span>{" "}
      <a href={searchOf(query)}>Stop comparing</a>
    </p>
  );
}

const daySchema = z.union([z.literal(""), z.iso.date()]);

function findProblem(given: { readonly from: string; readonly to: string }, now: Date): string | undefined {
  if (!daySchema.safeParse(given.from).success || !daySchema.safeParse(given.to).success) return "That isn’t a date.";
  try {
    parseDayRange({ from: given.from || undefined, to: given.to || undefined }, now);
    return undefined;
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    return error.message;
  }
}

function lastDays(days: number, now: Date): { readonly from: string; readonly to: string } {
  return { from: formatDay(now.getTime() - (days - 1) * DAY_MS), to: formatDay(now.getTime()) };
}

/** Shortcuts to the last days, and two date fields; `kept` contains the URL's other parameters. */
export function RangePicker({ range, kept = {} }: { readonly range: ChosenRange; readonly kept?: Query }) {
  const about = range.problem === undefined ? undefined : "range-problem";
  return (
    <div class="range">
      <ul class="tabs">
        {SHORTCUTS.map((days) => (
          <li>
            <a href={searchOf({ ...kept, days: String(days) })} aria-current={range.days === days ? "true" : undefined}>
              {days} days
            </a>
          </li>
        ))}
      </ul>
      <form method="get" class="dates">
        <HiddenFields values={kept} />
        <span>
          <label for="from">From</label>
          <input id="from" type="date" name="from" value={range.from} aria-describedby={about} />
        </span>
        <span>
          <label for="to">to</label>
          <input id="to" type="date" name="to" value={range.to} aria-describedby={about} />
        </span>
        <button type="submit" class="quiet">
          Show
        </button>
      </form>
      {range.problem !== undefined && (
        <p class="error" id="range-problem" role="alert">
          {range.problem} Showing the last {DEFAULT_DAYS} days.
        </p>
      )}
    </div>
  );
}

/** Returns the query of a range, for links to other pages about the same days. */
export function rangeQuery({ from, to, days }: ChosenRange): Readonly<Record<string, string>> {
  return days === undefined ? { from, to } : { days: String(days) };
}
