// What every list can do: it is searched, filtered and sorted by its address, so that each view of it can be kept as a
// bookmark and works without a script, and what is ticked in it is changed at once, see `bulk.tsx`.
import type { Child } from "hono/jsx";
import type { Sort, SortedSlice, SortedWindow } from "../../store/sorted.ts";
import type { DashboardContext } from "../context.ts";
import type { Fields, FormValues, Options } from "../forms.ts";
import { isAllowed } from "../paths.ts";
import { Filter } from "./fields.tsx";
import { Empty, searchOf } from "./lists.tsx";

const PAGE_SIZE = 50;

/** What a list is narrowed down and ordered by, under the names of the address. */
export interface ListView {
  /** Label and placeholder of the search field. */
  readonly search: { readonly label: string; readonly placeholder: string };
  readonly filters: Fields;
  /** By the value of `?sort=`; the first is the default. */
  readonly sorts: Readonly<Record<string, { readonly text: string; readonly sort: Sort }>>;
}

/** A list as the address asks for it. */
export interface ListQuery {
  /** `q`, `sort` and each filter; empty where the address has none. */
  readonly values: FormValues;
  readonly window: SortedWindow;
  /** Whether it may leave out something. */
  readonly isFiltered: boolean;
  /** The address without the place in the list. */
  readonly search: string;
}

/** What the address asks for of a list; `kept` names what else stays in it. */
export function readListQuery(
  { req }: Pick<DashboardContext, "req">,
  view: ListView,
  { limit = PAGE_SIZE, kept = [] }: { readonly limit?: number; readonly kept?: readonly string[] } = {},
): ListQuery {
  return queryOf(view, { given: req.query(), limit, kept });
}

/** As `readListQuery`, of the address that a form was sent from. */
export function parseListQuery(view: ListView, search: string, limit: number): ListQuery {
  return queryOf(view, { given: Object.fromEntries(new URLSearchParams(search)), limit, kept: [] });
}

interface Given {
  readonly given: Readonly<Record<string, string>>;
  readonly limit: number;
  readonly kept: readonly string[];
}

function queryOf({ filters, sorts }: ListView, { given, limit, kept }: Given): ListQuery {
  const names = ["q", ...Object.keys(filters)];
  const [first = ""] = Object.keys(sorts);
  const order = Object.hasOwn(sorts, given["sort"] ?? "") ? (given["sort"] ?? "") : first;
  const values = Object.fromEntries(names.map((name) => [name, (given[name] ?? "").trim()]));
  const chosen = sorts[order];
  if (chosen === undefined) throw new TypeError("A list has no order.");
  const others = Object.fromEntries(kept.map((name) => [name, given[name]]));
  const sort = order === first ? "" : order;
  return {
    values: { ...values, sort },
    window: { sort: chosen.sort, after: given["after"], limit },
    isFiltered: names.some((name) => values[name] !== ""),
    search: searchOf({ ...values, sort, ...others }),
  };
}

/** The text of a filter; `undefined` where the address has none. */
export function chosen({ values }: ListQuery, name: string): string | undefined {
  return values[name] === "" ? undefined : values[name];
}

export interface ListToolsProps {
  readonly view: ListView;
  readonly query: ListQuery;
  readonly offers?: Readonly<Record<string, Options>>;
  readonly kept?: Readonly<Record<string, string | undefined>>;
}

/** Above a list: its search, its filters and its order. */
export function ListTools({ view: { search, filters, sorts }, query, offers = {}, kept = {} }: ListToolsProps) {
  const [first] = Object.keys(sorts);
  const orders = Object.entries(sorts).map(([value, { text }]) => [value === first ? "" : value, text] as const);
  const fields: Fields = {
    q: { ...search, kind: "search" },
    ...filters,
    sort: { label: "Order", kind: "choice", options: orders },
  };
  return <Filter fields={fields} offers={offers} values={query.values} kept={kept} />;
}

interface SortedListProps {
  readonly of: SortedSlice<unknown>;
  readonly query: ListQuery;
  /** What the list is for, and how its first entry comes. */
  readonly empty: Child;
  /** What the list holds, such as `pages`. */
  readonly noun: string;
  /** Path of the list. */
  readonly path: string;
  readonly children: Child;
}

/** A list with the way to what follows, or what to do where there is nothing. */
export function SortedList({ of: { items, next }, query, empty, noun, path, children }: SortedListProps) {
  const none = query.isFiltered ? (
    <>
      No matching {noun}. <a href={path}>Show all {noun}</a>
    </>
  ) : (
    empty
  );
  const separator = query.search === "?" ? "" : "&";
  return (
    <>
      {items.length === 0 ? <Empty>{none}</Empty> : children}
      <p class="older">
        {query.window.after !== undefined && (
          <a class="button quiet" href={`${path}${query.search}`}>
            First page
          </a>
        )}{" "}
        {next !== undefined && (
          <a class="button quiet" href={`${path}${query.search}${separator}after=${next}`}>
            More {noun}
          </a>
        )}
      </p>
    </>
  );
}

/** Whether whoever looks at the list may change what is in it. */
export function mayChange({ req, var: { person } }: DashboardContext): boolean {
  return isAllowed(person.scopes, req.path, "writes");
}
