import type { SubmittedField } from "../../../store/submissions.ts";

/** What was sent in a field as one text; empty for a field that was not sent. */
export function valueText(value: SubmittedField[1] | undefined): string {
  return [value ?? ""].flat().join(", ");
}
