import type { Child } from "hono/jsx";
import { formatCursor, parseCursor, type Position, type Window } from "../../store/keyset.ts";
import type { DashboardContext } from "../scene.ts";

const PAGE_SIZE = 50;

/** The part of a list that the address asks for by `?after=`. */
export function windowOf({ req }: DashboardContext, limit: number = PAGE_SIZE): Window {
  const after = req.query("after");
  return { after: after === undefined ? undefined : parseCursor(after), limit, visibleUntil: Infinity };
}

export interface TableProps {
  /** What the table shows, for people who can't see where it stands. */
  readonly caption: string;
  /** Empty for one whose cells need no name, such as buttons. */
  readonly columns: readonly string[];
  readonly children: Child;
}

/** A table that scrolls sideways where it is too wide for the window. */
export function Table({ caption, columns, children }: TableProps) {
  return (
    <div class="scroll" role="region" aria-label={caption} tabindex={0}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>{columns.map((column) => (column === "" ? <td></td> : <th scope="col">{column}</th>))}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** What stands where a list would, as long as it is empty: what it is for and how the first entry comes. */
export function Empty({ children }: { readonly children: Child }) {
  return <div class="empty">{children}</div>;
}

export interface OlderProps {
  readonly next: Position | undefined;
  /** What else the address asks for. */
  readonly query?: Readonly<Record<string, string | undefined>>;
}

/** The way to older entries. */
export function Older({ next, query = {} }: OlderProps) {
  if (next === undefined) return <></>;
  const search = new URLSearchParams({ after: formatCursor(next) });
  for (const [name, value] of Object.entries(query)) if (value !== undefined && value !== "") search.set(name, value);
  return (
    <p class="older">
      <a class="button quiet" href={`?${search}`}>
        Older
      </a>
    </p>
  );
}
