// A list that a person searches, filters and sorts by its address, so that each view of it can be kept as a bookmark and
// works without a script, and in which what is ticked is changed together, see `bulk.tsx`.
import type { Child } from "hono/jsx";
import type { Context } from "../../resources/context.ts";
import {
  BY_CLIENT,
  BY_NAME,
  BY_SIZE,
  BY_TITLE,
  BY_URL,
  CHANGED,
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
} as const;

type Order = keyof typeof ORDERS;

/** One list of the dashboard: what it is narrowed down and ordered by, and what can be done in it. */
export interface ListPage<Item> {
  /** Route of the page that shows the list; what is ticked is sent to `bulk` below it. */
  readonly route: string;
  /** The title of that page. */
  titleOf(context: DashboardContext): string | Promise<string>;
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
  nameOf(item: Item): string;
  /** What has to be done before records are written. */
  prepare?(context: DashboardContext): Promise<unknown>;
  readonly actions: Readonly<Record<string, BulkAction<Item>>>;
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

/** The filter by what visitors see. */
export function statusFilter(label: string): Field {
  const options = [
    ["", "All"],
    ["published", "Published"],
    ["draft", "Drafts"],
  ] as const;
  return { label, kind: "choice", options };
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
  /** Whether whoever looks at it can tick what is in it. */
  readonly isPickable: boolean;
}

export interface ListPageOptions {
  readonly limit?: number;
  readonly kept?: Readonly<Record<string, string>>;
  /** Default: whether whoever looks at the list may change what is in it. */
  readonly isPickable?: false;
}

/** Reads what the address asks for of a list. */
export async function readListPage<Item>(
  context: DashboardContext,
  list: ListPage<Item>,
  { limit = PAGE_SIZE, kept = {}, isPickable }: ListPageOptions = {},
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
    isPickable:
      isPickable ?? (Object.keys(list.actions).length > 0 && isAllowed(context.var.person.scopes, path, "writes")),
  };
}

/** What was ticked in a list, or all that the view of it holds from which the form was sent. */
export async function readPicked<Item>(
  context: DashboardContext,
  list: ListPage<Item>,
  { values, ids }: SentForm,
): Promise<readonly Item[]> {
  if (values["all"] === "yes") {
    const given = Object.fromEntries(new URLSearchParams(values["back"]));
    return (await list.read(context, parseQuery(list, given, MAX_BULK).wanted)).items;
  }
  const picked = [...new Set(ids)].slice(0, MAX_BULK);
  if (picked.length === 0) return [];
  return (await list.read(context, { ids: picked, filters: {}, window: { sort: NEWEST, limit: MAX_BULK } })).items;
}

function parseQuery(
  { filters, orders }: Pick<ListPage<unknown>, "filters" | "orders">,
  given: Readonly<Record<string, string>>,
  limit: number,
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
export function ListTable<Item extends { readonly id: string }>({ of, caption, columns }: ListTableProps<Item>) {
  const pick: Column<Item> = ["", (item) => <Pick id={item.id} name={of.list.nameOf(item)} />];
  return <Table caption={caption} rows={of.items} columns={of.isPickable ? [pick, ...columns] : columns} />;
}

interface BulkFormProps<Item> {
  readonly of: ShownList<Item>;
  readonly search: string;
  readonly children: Child;
}

function BulkForm<Item>({ of: { list, path, next, isPickable }, search, children }: BulkFormProps<Item>) {
  if (!isPickable) return <>{children}</>;
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
        {Object.entries(list.actions).map(([name, { label, danger }]) => (
          <button type="submit" name="action" value={name} class={danger === true ? "danger" : "quiet"}>
            {label}
          </button>
        ))}
      </div>
      {children}
    </form>
  );
}
