import type { Child } from "hono/jsx";
import { formatCursor, parseCursor, type Position, type Window } from "../../store/keyset.ts";
import type { DashboardContext } from "../context.ts";
import { show, type Value } from "./values.tsx";

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
  /** Which column names the row. Default: the first. */
  readonly headerColumn?: number;
}

/** A table that scrolls sideways where it is too wide for the window. */
export function Table<Row>({ caption, columns, rows, headerColumn = 0 }: TableProps<Row>) {
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
              {columns.map(([, cell, className], index) =>
                index === headerColumn ? (
                  <th scope="row" class={className}>
                    {show(cell(row))}
                  </th>
                ) : (
                  <td class={className}>{show(cell(row))}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export interface ListProps {
  /** What is listed, and where the list goes on. */
  readonly of: { readonly items: readonly unknown[]; readonly next: Position | undefined };
  /** Stands there as long as the list is empty: what it is for and how the first entry comes. */
  readonly empty: Child;
  /** What else the address asks for. */
  readonly query?: Query;
  readonly children: Child;
}

/** A list with the way to older entries. */
export function List({ of: { items, next }, empty, query = {}, children }: ListProps) {
  return (
    <>
      {items.length === 0 ? <Empty>{empty}</Empty> : children}
      {next !== undefined && (
        <p class="older">
          <a class="button quiet" href={searchOf({ after: formatCursor(next), ...query })}>
            Older
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

export interface TabsProps {
  /** Addresses with their names. */
  readonly tabs: readonly (readonly [href: string, name: string])[];
  /** The address of the one that is shown. */
  readonly current: string;
}

/** Parts of a list, or ways to see it, beside each other. */
export function Tabs({ tabs, current }: TabsProps) {
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
