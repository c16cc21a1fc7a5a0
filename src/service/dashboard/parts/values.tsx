// Single values as people read them.

/** A point in time: the day and minute in UTC, and the machine's form for whoever wants it. */
export function Time({ at }: { readonly at: Date | null }) {
  if (at === null) return <span class="soft">never</span>;
  const iso = at.toISOString();
  return (
    <time datetime={iso} title={iso}>
      {iso.slice(0, 10)} {iso.slice(11, 16)}
    </time>
  );
}

/** The day of a point in time, in UTC. */
export function Day({ at }: { readonly at: Date | null }) {
  if (at === null) return <span class="soft">never</span>;
  const iso = at.toISOString();
  return (
    <time datetime={iso} title={iso}>
      {iso.slice(0, 10)}
    </time>
  );
}

const UNITS = ["B", "kB", "MB", "GB"] as const;

/** A size in bytes, with a thousand of a unit to the next one. */
export function Bytes({ count }: { readonly count: number }) {
  const step = count < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(count) / 3));
  const value = count / 1000 ** step;
  return (
    <span class="number">
      {step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} {UNITS[step]}
    </span>
  );
}

export type Mood = "good" | "bad" | "soft" | "plain";

/** A state in one word. */
export function Badge({ mood, children }: { readonly mood: Mood; readonly children: string }) {
  return <span class={`badge ${mood}`}>{children}</span>;
}

const NUMBER = new Intl.NumberFormat("en");

/** A count with its thousands apart. */
export function Count({ value }: { readonly value: number }) {
  return <span class="number">{NUMBER.format(value)}</span>;
}
