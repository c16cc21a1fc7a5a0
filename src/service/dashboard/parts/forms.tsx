export interface ActionProps {
  /** The address that the form is sent to. */
  readonly to: string;
  readonly label: string;
  /** What the form sends beside the click. */
  readonly fields?: Readonly<Record<string, string>>;
}

/** A button that changes something, as a form of its own: it works without a script. */
export function Action({ to, label, fields = {} }: ActionProps) {
  return (
    <form method="post" action={to} class="action">
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      <button type="submit" class="quiet">
        {label}
      </button>
    </form>
  );
}
