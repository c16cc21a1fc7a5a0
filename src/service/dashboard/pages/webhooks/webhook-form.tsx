import { EVENT_TYPES, type EventType } from "../../../../contract/events.ts";
import type { FormState } from "../../form-state.ts";
import { FormProblem, TextField } from "../../parts/fields.tsx";

export interface WebhookFormProps {
  readonly state: FormState;
  readonly to: string;
  readonly label: string;
}

/** Where a webhook leads and what it listens to. */
export function WebhookForm({ state, to, label }: WebhookFormProps) {
  return (
    <form method="post" action={to} class="panel">
      <FormProblem state={state} />
      <TextField state={state} name="url" label="Address" type="url" required hint="Gets a POST for each event." />
      <TextField state={state} name="description" label="Description" hint="For you, such as what it is good for." />
      <fieldset>
        <legend>Listens to</legend>
        {state.errors["events"] !== undefined && <p class="error">{state.errors["events"]}</p>}
        {EVENT_TYPES.map((type) => (
          <label class="choice">
            <input type="checkbox" name={fieldOf(type)} checked={state.values[fieldOf(type)] !== undefined} />{" "}
            <span>
              <code>{type}</code> <span class="soft">{MEANINGS[type]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <button type="submit">{label}</button>
    </form>
  );
}

const MEANINGS: Readonly<Record<EventType, string>> = {
  "page.published": "a page is there for visitors",
  "page.updated": "a published page has changed",
  "page.deleted": "a page is gone",
  "form.submitted": "somebody sent a form",
  "lead.captured": "an e-mail address came for the first time",
};

/** What the form holds for a webhook that listens to these events. */
export function valuesOf(
  { url, description }: { readonly url: string; readonly description: string | null },
  events: readonly string[],
): FormState["values"] {
  const chosen = EVENT_TYPES.filter((type) => events.includes(type)).map((type) => [fieldOf(type), "on"] as const);
  return { url, description: description ?? "", ...Object.fromEntries(chosen) };
}

/** What somebody chose, as the API takes it. */
export function bodyOf(values: FormState["values"]) {
  const { url, description = "" } = values;
  return {
    url,
    description: description.trim() === "" ? null : description.trim(),
    events: EVENT_TYPES.filter((type) => values[fieldOf(type)] !== undefined),
  };
}

function fieldOf(type: EventType): string {
  return `on:${type}`;
}
