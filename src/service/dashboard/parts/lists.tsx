import type { Child } from "hono/jsx";
import { splitCode } from "../../../base/code-spans.ts";
import { formatCursor, parseCursor, type Position, type Window } from "../../store/keyset.ts";
import type { DashboardContext } from "../context.ts";

const PAGE_SIZE = 50;

/** Returns the part of a list that the URL requests with `?after=`. */
export function windowOf({ req }: DashboardContext, limit: number = PAGE_SIZE): Window {
  const after = req.query("after");
  return { after: after === undefined ? undefined : parseCursor(after), limit };
}

/** A column: its title (empty for buttons), its cells and their class. */
export type Column<Row> = readonly [title: string, cell: (row: Row) => Value, className?: string];

export interface TableProps<Row> {
  /** Describes the table for users who can't see its surroundings. */
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Index of the column with row headers. Default: the first one with a title. */
  readonly headerColumn?: number | undefined;
}

/**
 * A table that scrolls horizontally if it is too wide for the window. On phones, rows become blocks below their header,
 * and each cell shows its column title.
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

/** Checkbox to select a record of a list. */
export function Pick({ id, name }: { readonly id: string; readonly name: string }) {
  return <input type="checkbox" class="pick" name="id" value={id} aria-label={`Select ${name}`} />;
}

interface ListProps {
  /** The entries, and the position of the next page. */
  readonly of: { readonly items: readonly unknown[]; readonly next: Position | undefined };
  /** Shown if the list is empty: its purpose, and how to add an entry. */
  readonly empty: Child;
  /** Other parameters of the URL. */
  readonly query?: Query | undefined;
  /** Label of the link to the next page. Default: `Older`. */
  readonly more?: string;
  readonly children: Child;
}

/** A list with a link to older entries. */
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

/** URL parameters; absent and empty ones are omitted. */
export type Query = Readonly<Record<string, string | undefined>>;

export function searchOf(query: Query): string {
  const given = Object.entries(query).filter((entry): entry is [string, string] => (entry[1] ?? "") !== "");
  return `?${new URLSearchParams(given)}`;
}

/** Tabs for parts or views of a list; `current` is the URL of the active one. */
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
  /** Values of `?view=` with their names; the first is the default without a value. */
  readonly views: readonly (readonly [value: string, name: string])[];
  readonly view: string;
  /** Other parameters of the URL. */
  readonly query?: Query;
}

/** Switches between views of the same list. */
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

/** Content of a cell or fact: a `Date` is shown as a time, and a number with thousands separators. */
type Value = Child | Date;

function show(value: Value): Child {
  if (value instanceof Date) return <Time at={value} />;
  return typeof value === "number" ? <Count value={value} /> : value;
}

/** A message in which parts between backticks are code. */
export function Message({ text }: { readonly text: string }) {
  return <>{splitCode(text).map((span) => (span.isCode ? <code>{span.text}</code> : span.text))}</>;
}

/** A time in UTC, to the minute, or only its `day`. */
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

/** A size in bytes, in decimal units. */
export function Bytes({ count }: { readonly count: number }) {
  const step = count < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(count) / 3));
  const value = count / 1000 ** step;
  return (
    <span class="number">
      {step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} {UNITS[step]}
    </span>
  );
}

/** Formats a count with thousands separators. */
export const COUNT_FORMAT = new Intl.NumberFormat("en");

/** A count with thousands separators. */
export function Count({ value }: { readonly value: number }) {
  return <span class="number">{COUNT_FORMAT.format(value)}</span>;
}

/** Returns a count with its noun, such as `1 view` or `1,024 views`. */
export function countOf(count: number, noun: string): string {
  return `${COUNT_FORMAT.format(count)} ${noun}${count === 1 ? "" : "s"}`;
}

export type Variant = "good" | "bad" | "soft" | "plain";

/** A one-word state. */
export function Badge({ variant, children }: { readonly variant: Variant; readonly children: string }) {
  return <span class={`badge ${variant}`}>{children}</span>;
}

/** Shows whether visitors can see a page or post. */
export function PublishState({
  of: { status, publishedAt = null },
  now,
}: {
  readonly of: { readonly status: "draft" | "published"; readonly publishedAt?: Date | null };
  /** Required to show posts with a future publish date as scheduled. */
  readonly now?: Date;
}) {
  if (now !== undefined && status === "published" && publishedAt !== null && publishedAt > now) {
    return <Badge variant="plain">scheduled</Badge>;
  }
  return <Badge variant={status === "published" ? "good" : "soft"}>{status}</Badge>;
}

/** Labeled facts; those without a value are omitted. */
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

/** Numbers side by side, each above its name; `path` makes it a link. */
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
