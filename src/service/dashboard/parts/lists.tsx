import type { Child } from "hono/jsx";
import { formatCursor, parseCursor, type Position, type Window } from "../../store/keyset.ts";
import type { DashboardContext } from "../context.ts";

const PAGE_SIZE = 50;

/** The part of a list that the address asks for by `?after=`. */
export function windowOf({ req }: DashboardContext, limit: number = PAGE_SIZE): Window {
  const after = req.query("after");
  return { after: after === undefined ? undefined : parseCursor(after), limit, visibleUntil: Infinity };
}

/** One column: its title (empty for buttons), its cells, and the class of a cell. */
export type Column<Row> = readonly [title: string, cell: (row: Row) => Value, className?: string];

export interface TableProps<Row> {
  /** What the table shows, for people who can't see where it stands. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Which column names the row. Default: the first that has a title. */
  readonly headerColumn?: number | undefined;
}

/**
 * A table that scrolls sideways where it is too wide for the window. On a phone each row stands below its name, and each
 * of its cells says of which column it is.
 */
export function Table<Row>({ caption, columns, rows, headerColumn }: TableProps<Row>) {
  const header = headerColumn ?? columns.findIndex(([title]) => title !== "");
  return (
    <div class="scroll" role="region" aria-label={caption} tabindex={0}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>{columns.map(([title]) => (title === "" ? <td></td> : <th scope="col">{title}</th>))}</tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {columns.map(([title, cell, className], index) =>
                index === header ? (
                  <th scope="row" class={className}>
                    {show(cell(row))}
                  </th>
                ) : (
                  <td class={className} data-title={title === "" ? undefined : title}>
                    {show(cell(row))}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What ticks one record of a list. */
export function Pick({ id, name }: { readonly id: string; readonly name: string }) {
  return <input type="checkbox" class="pick" name="id" value={id} aria-label={`Select ${name}`} />;
}

interface ListProps {
  /** What is listed, and where the list goes on. */
  readonly of: { readonly items: readonly unknown[]; readonly next: Position | undefined };
  /** Stands there as long as the list is empty: what it is for and how the first entry comes. */
  readonly empty: Child;
  /** What else the address asks for. */
  readonly query?: Query | undefined;
  /** Of the link to what follows. Default: `Older`. */
  readonly more?: string;
  readonly children: Child;
}

/** A list with the way to older entries. */
export function List({ of: { items, next }, empty, query = {}, more = "Older", children }: ListProps) {
  return (
    <>
      {items.length === 0 ? <Empty>{empty}</Empty> : children}
      {next !== undefined && (
        <p class="older">
          <a class="button quiet" href={searchOf({ after: formatCursor(next), ...query })}>
            {more}
          </a>
        </p>
      )}
    </>
  );
}

export function Empty({ children }: { readonly children: Child }) {
  return (
    <div class="empty">
      <p>{children}</p>
    </div>
  );
}

/** Parameters of an address; those that are absent or empty are left out. */
export type Query = Readonly<Record<string, string | undefined>>;

export function searchOf(query: Query): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? "") !== "");
  return `?${new URLSearchParams(given)}`;
}

/** Parts of a list, or ways to see it, beside each other; `current` is the address of the one that is shown. */
export function Tabs({
  tabs,
  current,
}: {
  readonly tabs: readonly (readonly [href: string, name: string])[];
  readonly current: string;
}) {
  return (
    <ul class="tabs above">
      {tabs.map(([href, name]) => (
        <li>
          <a href={href} aria-current={href === current ? "true" : undefined}>
            {name}
          </a>
        </li>
      ))}
    </ul>
  );
}

export interface ViewSwitchProps {
  /** Values of `?view=` with their names; the first is the default and has no value. */
  readonly views: readonly (readonly [value: string, name: string])[];
  readonly view: string;
  /** What else the address asks for. */
  readonly query?: Query;
}

/** Ways to see the same list. */
export function ViewSwitch({ views, view, query = {} }: ViewSwitchProps) {
  return (
    <nav class="switch" aria-label="View">
      {views.map(([value, name]) => (
        <a href={searchOf({ ...query, view: value })} aria-current={value === view ? "true" : undefined}>
          {name}
        </a>
      ))}
    </nav>
  );
}

/** What a cell or a fact may hold: a `Date` is shown as a time, a number with its thousands apart. */
type Value = Child | Date;

function show(value: Value): Child {
  if (value instanceof Date) return <Time at={value} />;
  return typeof value === "number" ? <Count value={value} /> : value;
}

/** A point in time in UTC, to the minute; `day` leaves out the time of day. */
export function Time({ at, to = "minute" }: { readonly at: Date | null; readonly to?: "minute" | "day" }) {
  if (at === null) return <span class="soft">never</span>;
  const iso = at.toISOString();
  return (
    <time datetime={iso} title={iso}>
      {to === "day" ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`}
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

/** A count as text, with its thousands apart. */
export const COUNT_FORMAT = new Intl.NumberFormat("en");

/** A count with its thousands apart. */
export function Count({ value }: { readonly value: number }) {
  return <span class="number">{COUNT_FORMAT.format(value)}</span>;
}

/** A count with its noun, such as `1 view` or `1,024 views`. */
export function countOf(count: number, noun: string): string {
  return `${COUNT_FORMAT.format(count)} ${noun}${count === 1 ? "" : "s"}`;
}

export type Variant = "good" | "bad" | "soft" | "plain";

/** A state in one word. */
export function Badge({ variant, children }: { readonly variant: Variant; readonly children: string }) {
  return <span class={`badge ${variant}`}>{children}</span>;
}

/** Whether visitors see a page or post. */
export function PublishState({
  of: { status, publishedAt = null },
  now,
}: {
  readonly of: { readonly status: "draft" | "published"; readonly publishedAt?: Date | null };
  /** With it, a post whose publish date is to come is called scheduled. */
  readonly now?: Date;
}) {
  if (now !== undefined && status === "published" && publishedAt !== null && publishedAt > now) {
    return <Badge variant="plain">scheduled</Badge>;
  }
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
