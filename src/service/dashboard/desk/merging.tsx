import { countConflicts, describeConflicts } from "../../../base/conflict-marks.ts";
import { ProblemError } from "../../http/problem.ts";
import type { FormValues } from "../forms.ts";

/** Refuses a text that still has marks of a merge, unless the saved one has as many. Throws `invalid_body`. */
export function checkMerged(saved: FormValues, { text = "" }: FormValues): void {
  const conflicts = countConflicts(text);
  if (conflicts <= countConflicts(saved["text"] ?? "")) return;
  const detail = describeConflicts(conflicts);
  throw new ProblemError("invalid_body", { detail, errors: [{ pointer: "/body/text", detail }] });
}

export function MergeNotice({ conflicts }: { readonly conflicts: number }) {
  return (
    <p class={conflicts === 0 ? "notice" : "warning"} role="status">
      {conflicts === 0 ? "The text contains both changes. Review it, then save." : describeConflicts(conflicts)}
    </p>
  );
}
