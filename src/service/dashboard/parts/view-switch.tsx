export interface ViewSwitchProps {
  /** Values of `?view=` with their names; the first is the default and has no value. */
  readonly views: readonly (readonly [value: string, name: string])[];
  readonly view: string;
  /** What the ways differ in. Default: `View`. */
  readonly label?: string;
  /** What else the address asks for. */
  readonly query: Readonly<Record<string, string>>;
}

/** Ways to see the same list. */
export function ViewSwitch({ views, view, query, label = "View" }: ViewSwitchProps) {
  return (
    <nav class="switch" aria-label={label}>
      {views.map(([value, name]) => (
        <a href={hrefOf({ ...query, view: value })} aria-current={value === view ? "true" : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}

function hrefOf(query: Readonly<Record<string, string>>): string {
  return `?${new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ""))}`;
}
