// A list with search, filters and sorting in its URL, so that each view can be bookmarked and works without scripts,
// and with bulk actions on selected entries, see `bulk.tsx`.
import type { Child } from "hono/jsx";
import type { Person } from "../../auth/sessions.ts";
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
  type Sought,
  type Slice,
  parseCursor,
  formatCursor,
} from "../../store/keyset.ts";
import type { PagesPart } from "../../store/preview-slugs.ts";
import type { DashboardContext } from "../context.ts";
import type { Field, Fields, FormValues, Options, SentForm } from "../forms.ts";
import { isAllowed } from "../paths.ts";
import { Filter, HiddenFields } from "./fields.tsx";
import { Empty, Pick, searchOf, Table, type Column, type TableProps } from "./lists.tsx";
import { ButtonLink } from "./actions.tsx";

const PAGE_SIZE = 50;
/** Maximum number of records that one form changes. */
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

/** A list of the dashboard, with its filters and orders. */
export interface ListPage<Item> {
  /** Kind of entries, such as `page`. */
  readonly noun: string;
  readonly search: { readonly label: string; readonly placeholder: string };
  readonly filters: Fields;
  /** The filter shown as tabs above the list instead of as a field. */
  readonly tab?: string;
  /** The first one is the default. */
  readonly orders: readonly [Order, ...Order[]];
  read(context: DashboardContext, wanted: Wanted): Promise<Slice<Item>>;
}

/** A list with bulk actions on selected entries. */
export interface BulkList<Item> extends ListPage<Item> {
  /** @default the title of the section */
  titleOf?(context: DashboardContext): Promise<string>;
  /** @param reader the signed-in user, in whose confirmations and reports it is */
  nameOf(item: Item, reader?: Person): string;
  /** Runs before records are written. */
  prepare?(context: DashboardContext): Promise<unknown>;
  readonly actions: Readonly<Record<string, BulkAction<Item> | BulkDownload>>;
}

/** Selects records of a list. */
export interface Wanted extends Sought {
  /** Filter values by name. */
  readonly filters: Readonly<Record<string, string | undefined>>;
}

/** An action on all selected entries. */
export interface BulkAction<Item> {
  /** Runs without confirmation, as nothing is lost and it can be undone. */
  readonly isImmediate?: true;
  /** Label of the button, such as `Publish`. */
  readonly label: string;
  /** Past participle, such as `published`. */
  readonly done: string;
  readonly danger?: true;
  /** The consequence, for example that visitors see it. */
  readonly consequence?: string;
  /** Additional input. */
  readonly fields?: Fields;
  /** Returns why a record is left unchanged, such as `is already published`; `undefined` to change it. */
  leave?(item: Item): string | undefined;
  /** Changes a record. */
  run(records: Context, item: Item, values: FormValues): Promise<unknown>;
}

/** Downloads a file of all selected entries. */
export interface BulkDownload {
  readonly label: string;
  readonly danger?: undefined;
  respond(context: DashboardContext, wanted: Wanted): Promise<Response>;
}

/** Creates a filter for one of several values, with or without separate labels. */
export function choiceFilter(label: string, options: readonly (string | Options[number])[]): Field {
  const named = options.map((option) => (typeof option === "string" ? ([option, option] as const) : option));
  return { label, kind: "choice", options: [["", "All"], ...named] };
}

/** Creates the filter for published entries and drafts. */
export function statusFilter(label: string): Field {
  return choiceFilter(label, [
    ["published", "Published"],
    ["draft", "Drafts"],
  ]);
}

/** The filter of pages that leaves out previews by default; `partOf` parses its value. */
export const PART_FILTER: Field = {
  label: "Pages",
  kind: "choice",
  options: [
    ["", "Live"],
    ["previews", "Of previews"],
    ["all", "All"],
  ],
};

/** Returns the pages that a view of a list shows; selected entries may be any. */
export function partOf({ ids, filters }: Wanted): PagesPart | undefined {
  const part = filters["part"];
  if (ids !== undefined || part === "all") return undefined;
  return part === "previews" ? part : "live";
}

/** A list as requested by the URL. */
export interface ShownList<Item> extends Slice<Item> {
  readonly list: ListPage<Item>;
  /** Path of the page with the list. */
  readonly path: string;
  /** `q`, `sort` and each filter; empty if not in the URL. */
  readonly values: FormValues;
  /** Other parameters of the URL to keep. */
  readonly kept: Readonly<Record<string, string>>;
  /** Whether the list may be filtered, and whether it starts after the first record. */
  readonly isFiltered: boolean;
  readonly isContinued: boolean;
  /** The list with its actions, if the user may select entries. */
  readonly bulk: BulkList<Item> | undefined;
}

export interface ListPageOptions {
  readonly limit?: number;
  readonly kept?: Readonly<Record<string, string>>;
  /** Default: whether the user may change entries. */
  readonly isPickable?: boolean;
}

/** Reads the part of a list that the URL requests. */
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

/** Parses a selection: checked entries, or all in the view from which the form was submitted; `undefined` if empty. */
export function parsePicked<Item>(list: ListPage<Item>, { values, ids }: SentForm): Wanted | undefined {
  if (values["all"] === "yes") {
    const given = Object.fromEntries(new URLSearchParams(values["back"]));
    return parseQuery(list, given, MAX_BULK).wanted;
  }
  const picked = [...new Set(ids)].slice(0, MAX_BULK);
  return picked.length === 0 ? undefined : { ids: picked, filters: {}, window: { sort: NEWEST, limit: MAX_BULK } };
}

/** Parses the URL parameters of a list. */
export function parseQuery(
  { filters, orders }: Pick<ListPage<unknown>, "filters" | "orders">,
  given: Readonly<Record<string, string>>,
  limit = PAGE_SIZE,
) {
  const order = orders.find((each) => each === given["sort"]) ?? orders[0];
  const names = ["q", ...Object.keys(filters)];
  const asked: FormValues = Object.fromEntries(names.map((name) => [name, (given[name] ?? "").trim()]));
  const { q, ...chosen } = Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== ""));
  const { sort } = ORDERS[order];
  const after = given["after"] === undefined ? undefined : parseCursor(given["after"], sort.kind);
  const window = { sort, after, limit };
  const wanted: Wanted = { text: q, filters: chosen, window };
  return { values: { ...asked, sort: order === orders[0] ? "" : order }, wanted };
}

interface ListPartProps<Item> extends Omit<TableProps<Item>, "rows" | "caption" | "columns"> {
  readonly of: ShownList<Item>;
  /** Options of choice fields by field name. */
  readonly offers?: Readonly<Record<string, Options>>;
  /** Shown if the list is empty: its purpose, and how to add an entry. */
  readonly empty: Child;
  /** The list as a table, whose rows can be selected by users who may change them. */
  readonly caption?: string;
  readonly columns?: readonly Column<Item>[];
  /** The list in another form. */
  readonly children?: Child;
}

/** A list with its search, bulk actions and pagination. */
export function ListPart<Item extends { readonly id: string }>(props: ListPartProps<Item>) {
  const { of, offers = {}, empty, caption = "", columns = [], headerColumn, children } = props;
  const { list, items, next, path, values, kept, isFiltered, isContinued, bulk } = of;
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
  const picks: readonly Column<Item>[] =
    bulk === undefined ? [] : [["", (item) => <Pick id={item.id} name={bulk.nameOf(item)} />]];
  return (
    <>
      <Filter fields={fields} offers={offers} values={values} kept={{ ...kept, ...tab }} />
      {items.length === 0 ? (
        <Empty>
          No matching {nouns}. <a href={path}>Show all {nouns}</a>
        </Empty>
      ) : (
        <BulkForm of={of} search={search}>
          {children ?? (
            <Table caption={caption} rows={items} columns={[...picks, ...columns]} headerColumn={headerColumn} />
          )}
        </BulkForm>
      )}
      <p class="older">
        {isContinued && <ButtonLink to={`${path}${search}`} variant="quiet" label="First page" />}{" "}
        {next !== undefined && (
          <ButtonLink
            to={path + searchOf({ ...values, ...kept, after: formatCursor(next) })}
            variant="quiet"
            label={`More ${nouns}`}
          />
        )}
      </p>
    </>
  );
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
