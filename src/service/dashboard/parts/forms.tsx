import type { Child } from "hono/jsx";

export interface ActionProps {
  /** The address that the form is sent to. */
  readonly to: string;
  readonly label: string;
  /** What the form sends beside the click. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Asked before it is sent, where scripts run. */
  readonly confirm?: string;
  readonly mood?: "quiet" | "danger";
}

/** A button that changes something, as a form of its own: it works without a script. */
export function Action({ to, label, fields = {}, confirm, mood = "quiet" }: ActionProps) {
  return (
    <form method="post" action={to} class="action" data-confirm={confirm}>
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <button type="submit" class={mood}>
        {label}
      </button>
    </form>
  );
}

export interface FieldProps {
  readonly label: string;
  /** Below the field: what it is for, or what is wrong with it. */
  readonly hint?: string;
  /** Id of the control that is in `children`. */
  readonly for: string;
  readonly children: Child;
}

/** A labelled control. */
export function Field({ label, hint, for: id, children }: FieldProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
}
