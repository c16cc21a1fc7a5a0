// A list that a person searches, filters and sorts by its address, so that each view of it can be kept as a bookmark and
// works without a script, and in which what is ticked is changed together, see `bulk.tsx`.
import type { Child } from "hono/jsx";
import type { Context } from "../../resources/context.ts";
import {
  BY_CLIENT,
  BY_DURATION,
  BY_NAME,
  BY_SIZE,
  BY_TITLE,
  BY_URL,
  CHANGED,
  LAST_SUBMISSION,
  NEWEST,
  OLDEST,
  type SortedSlice,
  type Sought,
} from "../../store/sorted.ts";
import type { DashboardContext } from "../context.ts";
import type { Field, Fields, FormValues, Options, SentForm } from "../forms.ts";
import { isAllowed } from "../paths.ts";
import { Filter, HiddenFields } from "./fields.tsx";
import { Empty, Pick, searchOf, Table, type Column, type TableProps } from "./lists.tsx";

const PAGE_SIZE = 50;
/** How many records one form changes. */
export const MAX_BULK = 500;

const ORDERS = {
  created: { text: "Newest first", sort: NEWEST },
  oldest: { text: "Oldest first", sort: OLDEST },
  changed: { text: "Last changed", sort: CHANGED },
  title: { text: "Title", sort: BY_TITLE },
  name: { text: "Name", sort: BY_NAME },
  url: { text: "Address", sort: BY_URL },
  client: { text: "Name", sort: BY_CLIENT },
  size: { text: "Largest first", sort: BY_SIZE },
  slowest: { text: "Slowest first", sort: BY_DURATION },
  latest: { text: "Last submission", sort: LAST_SUBMISSION },
} as const;

type Order = keyof typeof ORDERS;

/** One list of the dashboard: what it is narrowed down and ordered by. */
export interface ListPage<Item> {
  /** What the list holds, such as `page`. */
  readonly noun: string;
  /** Label and placeholder of the search field. */
  readonly search: { readonly label: string; readonly placeholder: string };
  readonly filters: Fields;
  /** The filter whose values stand as tabs above the list, and not among the fields. */
  readonly tab?: string;
  /** The first is the default. */
  readonly orders: readonly [Order, ...Order[]];
  read(context: DashboardContext, wanted: Wanted): Promise<SortedSlice<Item>>;
}

/** A list whose entries can be ticked, and what can be done with them. */
export interface BulkList<Item> extends ListPage<Item> {
  /** Route of the page that shows the list; what is ticked is sent to `bulk` below it. */
  readonly route: string;
  /** The title of that page. */
  titleOf(context: DashboardContext): string | Promise<string>;
  nameOf(item: Item): string;
  /** What has to be done before records are written. */
  prepare?(context: DashboardContext): Promise<unknown>;
  readonly actions: Readonly<Record<string, BulkAction<Item> | BulkDownload>>;
}

/** Which records of a list are asked for. */
export interface Wanted extends Sought {
  /** Values of the filters by their names. */
  readonly filters: Readonly<Record<string, string | undefined>>;
}

/** One thing that can be done with everything that is ticked. */
export interface BulkAction<Item> {
  /** Whether it is done without a question, since nothing is lost and it can be taken back. */
  readonly isImmediate?: true;
  /** Of the button, such as `Publish`. */
  readonly label: string;
  /** Such as `published`. */
  readonly done: string;
  readonly danger?: true;
  /** What follows from it, such as that visitors see it. */
  readonly consequence?: string;
  /** What is asked for beside. */
  readonly fields?: Fields;
  /** Why a record is left as it is, such as `is published already`; `undefined` for one that is changed. */
  leave?(item: Item): string | undefined;
  /** Changes one. */
  run(records: Context, item: Item, values: FormValues): Promise<unknown>;
}

/** A file with everything that is ticked. */
export interface BulkDownload {
  readonly label: string;
  readonly danger?: undefined;
  respond(context: DashboardContext, wanted: Wanted): Promise<Response>;
}

/** A filter by one of several values, given with their names or as they are. */
export function choiceFilter(label: string, options: readonly (string | Options[number])[]): Field {
  const named = options.map((option) => (typeof option === "string" ? ([option, option] as const) : option));
  return { label, kind: "choice", options: [["", "All"], ...named] };
}

/** The filter by what visitors see. */
export function statusFilter(label: string): Field {
  return choiceFilter(label, [
    ["published", "Published"],
    ["draft", "Drafts"],
  ]);
}

/** A list as the address asks for it. */
export interface ShownList<Item> extends SortedSlice<Item> {
  readonly list: ListPage<Item>;
  /** Path of the page that shows it. */
  readonly path: string;
  /** `q`, `sort` and each filter; empty where the address has none. */
  readonly values: FormValues;
  /** What else stays in the address. */
  readonly kept: Readonly<Record<string, string>>;
  /** Whether something may be left out, and whether it begins behind the first record. */
  readonly isFiltered: boolean;
  readonly isContinued: boolean;
  /** The list with its actions, if whoever looks at it can tick what is in it. */
  readonly bulk: BulkList<Item> | undefined;
}

export interface ListPageOptions {
  readonly limit?: number;
  readonly kept?: Readonly<Record<string, string>>;
  /** Default: whether whoever looks at the list may change what is in it. */
  readonly isPickable?: boolean;
}

/** Reads what the address asks for of a list. */
export async function readListPage<Item>(
  context: DashboardContext,
  list: ListPage<Item> | BulkList<Item>,
  { limit = PAGE_SIZE, kept = {}, isPickable = true }: ListPageOptions = {},
): Promise<ShownList<Item>> {
  const { path } = context.req;
  const given = context.req.query();
  const { values, wanted } = parseQuery(list, given, limit);
  return {
    ...(await list.read(context, wanted)),
    list,
    path,
    values,
    kept,
    isFiltered: Object.entries(values).some(([name, value]) => name !== "sort" && value !== ""),
    isContinued: given["after"] !== undefined,
    bulk: isPickable && "actions" in list && isAllowed(context.var.person.scopes, path, "writes") ? list : undefined,
  };
}

/** What was ticked in a list, or all that the view of it holds from which the form was sent; `undefined` for nothing. */
export function parsePicked<Item>(list: ListPage<Item>, { values, ids }: SentForm): Wanted | undefined {
  if (values["all"] === "yes") {
    const given = Object.fromEntries(new URLSearchParams(values["back"]));
    return parseQuery(list, given, MAX_BULK).wanted;
  }
  const picked = [...new Set(ids)].slice(0, MAX_BULK);
  return picked.length === 0 ? undefined : { ids: picked, filters: {}, window: { sort: NEWEST, limit: MAX_BULK } };
}

/** What the parameters of an address ask for of a list. */
export function parseQuery(
  { filters, orders }: Pick<ListPage<unknown>, "filters" | "orders">,
  given: Readonly<Record<string, string>>,
  limit = PAGE_SIZE,
) {
  const order = orders.find((each) => each === given["sort"]) ?? orders[0];
  const names = ["q", ...Object.keys(filters)];
  const asked: FormValues = Object.fromEntries(names.map((name) => [name, (given[name] ?? "").trim()]));
  const { q, ...chosen } = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== ""));
  const window = { sort: ORDERS[order].sort, after: given["after"], limit };
  const wanted: Wanted = { text: q, filters: chosen, window };
  return { values: { ...asked, sort: order === orders[0] ? "" : order }, wanted };
}

interface ListPartProps<Item> {
  readonly of: ShownList<Item>;
  /** What fields offer to choose from, by their names. */
  readonly offers?: Readonly<Record<string, Options>>;
  /** What the list is for, and how its first entry comes. */
  readonly empty: Child;
  readonly children: Child;
}

/** A list below its search, with what can be done with what is ticked, and the way to what follows. */
export function ListPart<Item>({ of, offers = {}, empty, children }: ListPartProps<Item>) {
  const { list, items, next, path, values, kept, isFiltered, isContinued } = of;
  const nouns = `${list.noun}s`;
  const search = searchOf({ ...values, ...kept });
  if (items.length === 0 && !isFiltered && !isContinued) return <Empty>{empty}</Empty>;
  const filters = Object.entries(list.filters).filter(([name]) => name !== list.tab);
  const tab = list.tab === undefined ? {} : { [list.tab]: values[list.tab] };
  const fields: Fields = {
    q: { ...list.search, kind: "search" },
    ...Object.fromEntries(filters),
    sort: {
      label: "Order",
      kind: "choice",
      options: list.orders.map((order, index) => [index === 0 ? "" : order, ORDERS[order].text]),
    },
  };
  return (
    <>
      <Filter fields={fields} offers={offers} values={values} kept={{ ...kept, ...tab }} />
      {items.length === 0 ? (
        <Empty>
          No matching {nouns}. <a href={path}>Show all {nouns}</a>
        </Empty>
      ) : (
        <BulkForm of={of} search={search}>
          {children}
        </BulkForm>
      )}
      <p class="older">
        {isContinued && (
          <a class="button quiet" href={`${path}${search}`}>
            First page
          </a>
        )}{" "}
        {next !== undefined && (
          <a class="button quiet" href={path + searchOf({ ...values, ...kept, after: next })}>
            More {nouns}
          </a>
        )}
      </p>
    </>
  );
}

interface ListTableProps<Item> extends Omit<TableProps<Item>, "rows"> {
  readonly of: ShownList<Item>;
}

/** A list as a table, whose rows can be ticked by who may change them. */
export function ListTable<Item extends { readonly id: string }>({ of, columns, ...table }: ListTableProps<Item>) {
  const { bulk, items } = of;
  const picks: readonly Column<Item>[] =
    bulk === undefined ? [] : [["", (item) => <Pick id={item.id} name={bulk.nameOf(item)} />]];
  return <Table {...table} rows={items} columns={[...picks, ...columns]} />;
}

interface BulkFormProps<Item> {
  readonly of: ShownList<Item>;
  readonly search: string;
  readonly children: Child;
}

function BulkForm<Item>({ of: { bulk, path, next }, search, children }: BulkFormProps<Item>) {
  if (bulk === undefined) return <>{children}</>;
  return (
    <form method="post" action={`${path}/bulk`} class="bulk">
      <HiddenFields values={{ back: search }} />
      <div class="bulk-bar" role="group" aria-label="Action for selected entries">
        <label class="choice" data-pick-all hidden>
          <input type="checkbox" class="pick" /> <span data-count>Select all shown</span>
        </label>
        {next !== undefined && (
          <label class="choice">
            <input type="checkbox" class="pick" name="all" value="yes" /> All that match
          </label>
        )}
        {Object.entries(bulk.actions).map(([name, { label, danger }]) => (
          <button type="submit" name="action" value={name} class={danger === true ? "danger" : "quiet"}>
            {label}
          </button>
        ))}
      </div>
      {children}
    </form>
  );
}
