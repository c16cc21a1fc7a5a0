import type { Submission } from "../records/visitor-records.ts";

/** A range of days in UTC, inclusive, in the form `2026-08-01`. The service chooses the defaults. */
export interface DayRange {
  readonly from?: string;
  readonly to?: string;
}

export interface SubmissionsQuery extends DayRange {
  /** Name of one form of the page. */
  readonly form?: string;
  /** Lists only submissions classified as spam. Default: only the others. */
  readonly spam?: boolean;
  /** Lists only unread submissions. */
  readonly unread?: boolean;
}

/** The name of a filter. */
export type SubmissionFilter = keyof SubmissionsQuery;

export interface FilteredSubmissions {
  readonly items: readonly Submission[];
  /** Filters by something that these submissions don't show, so the service may have ignored them. */
  readonly unproven: readonly SubmissionFilter[];
}

/** Applies filters to listed submissions, as a service may ignore query parameters. */
export function filterSubmissions(listed: readonly Submission[], query: SubmissionsQuery): FilteredSubmissions {
  // A host may show the form's id, and filter by its name.
  const isNamed = listed.some(({ form }) => form !== undefined && form === query.form);
  const checked = listed.map((submission) => {
    const shown = isNamed ? submission : { ...submission, form: undefined };
    return { submission, checks: check(shown, query) };
  });
  const kept = checked.filter(({ checks }) => checks.every(([, fits]) => fits !== false));
  const unproven = kept.flatMap(({ checks }) => checks.flatMap(([name, fits]) => (fits === undefined ? [name] : [])));
  return { items: kept.map(({ submission }) => submission), unproven: [...new Set(unproven)] };
}

type Check = readonly [filter: SubmissionFilter, fits: boolean | undefined];

/** Checks each filter; `undefined` if the submission doesn't show what it filters by. */
function check(
  { createdAt, form, spam, read }: Pick<Submission, "createdAt" | "form" | "spam" | "read">,
  query: SubmissionsQuery,
): readonly Check[] {
  const day = createdAt?.toISOString().slice(0, "2026-08-01".length);
  return [
    ["from", query.from === undefined || (day === undefined ? undefined : day >= query.from)],
    ["to", query.to === undefined || (day === undefined ? undefined : day <= query.to)],
    ["form", query.form === undefined || (form === undefined ? undefined : form === query.form)],
    ["spam", query.spam === true ? spam : spam !== true],
    ["unread", query.unread !== true || (read === undefined ? undefined : !read)],
  ];
}
