import type { Form } from "../store/forms.ts";
import type { SentEntry } from "./sent-form.ts";

/**
 * The form that was sent, of those that lead to one page. A browser does not say which: a hidden field `form-name`
 * does, else the form that knows most of the names that were sent, the first of several.
 */
export function pickForm(forms: readonly Form[], entries: readonly SentEntry[]): Form | undefined {
  const named = entries.find(([name]) => name === "form-name")?.[1];
  if (named !== undefined) return forms.find(({ name }) => name === named);
  const sent = new Set(entries.map(([name]) => name));
  const known = (form: Form) => form.fields.filter(({ name }) => sent.has(name)).length;
  const missing = (form: Form) => form.fields.length - known(form);
  return forms.toSorted((left, right) => known(right) - known(left) || missing(left) - missing(right))[0];
}
