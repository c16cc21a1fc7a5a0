// Single values as people read them.
import type { Child } from "hono/jsx";

/** What a cell or a fact may hold: a `Date` is shown as a time, a number with its thousands apart. */
export type Value = Child | Date;

export function show(value: Value): Child {
  if (value instanceof Date) return <Time at={value} />;
  return typeof value === "number" ? <Count value={value} /> : value;
}

/** A point in time in UTC, to the minute; `day` leaves out the time of day. */
export function Time({ at, to = "minute" }: { readonly at: Date | null; readonly to?: "minute" | "day" }) {
  if (at === null) return <span class="soft">never</span>;
  const iso = at.toISOString();
  return (
    <time datetime={iso} title={iso}>
      {to === "day" ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 16)}`}
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

const NUMBER = new Intl.NumberFormat("en");

/** A count with its thousands apart. */
export function Count({ value }: { readonly value: number }) {
  return <span class="number">{NUMBER.format(value)}</span>;
}

/** A count with its noun, such as `1 view` or `1,024 views`. */
export function countOf(count: number, noun: string): string {
  return `${NUMBER.format(count)} ${noun}${count === 1 ? "" : "s"}`;
}

export type Variant = "good" | "bad" | "soft" | "plain";

/** A state in one word. */
export function Badge({ variant, children }: { readonly variant: Variant; readonly children: string }) {
  return <span class={`badge ${variant}`}>{children}</span>;
}

/** Whether visitors see a page or post. */
export function PublishState({ of: { status } }: { readonly of: { readonly status: "draft" | "published" } }) {
  return <Badge variant={status === "published" ? "good" : "soft"}>{status}</Badge>;
}

/** Facts about one thing by their names; those without a value are left out. */
export function Facts({ rows }: { readonly rows: readonly (readonly [name: string, value: Value])[] }) {
  return (
    <dl>
      {rows.map(
        ([name, value]) =>
          value !== null &&
          value !== undefined &&
          value !== false && (
            <>
              <dt>{name}</dt>
              <dd>{show(value)}</dd>
            </>
          ),
      )}
    </dl>
  );
}

/** Numbers side by side, the value above its name; one with a path leads there. */
export function Stats({ rows }: { readonly rows: readonly (readonly [name: string, value: Value, path?: string])[] }) {
  return (
    <ul class="stats">
      {rows.map(([name, value, path]) => {
        const content = (
          <>
            <strong>{show(value)}</strong>
            <span>{name}</span>
          </>
        );
        return <li>{path === undefined ? content : <a href={path}>{content}</a>}</li>;
      })}
    </ul>
  );
}
