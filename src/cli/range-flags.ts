import { ImprintError } from "../base/error.ts";

/** A span of days. */
export interface RangeFlags {
  readonly from?: string;
  readonly to?: string;
}

/** The span that flags name; throws `USAGE` for what is no day. */
export function parseRangeFlags({ from, to }: RangeFlags): RangeFlags {
  for (const [name, day] of Object.entries({ from, to })) {
    if (day === undefined || (/^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day)))) continue;
    throw new ImprintError("USAGE", `--${name} takes a day such as 2026-08-01, not "${day}".`);
  }
  return { from, to };
}
