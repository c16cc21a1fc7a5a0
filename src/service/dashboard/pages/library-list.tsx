// The library as a list: searched, filtered, sorted, and changed in several files at once.
import { readUnreadTexts } from "../../resources/asset-uses.ts";
import { patchAsset, removeAsset } from "../../resources/library.ts";
import { listSortedAssets, type Asset } from "../../store/assets.ts";
import { BY_NAME, BY_SIZE, NEWEST } from "../../store/sorted.ts";
import type { DashboardContext } from "../context.ts";
import { FormLink } from "../parts/actions.tsx";
import { BulkForm, MAX_BULK, TAG_FIELDS, withTags, type BulkPages } from "../parts/bulk.tsx";
import {
  chosen,
  ListTools,
  mayChange,
  parseListQuery,
  readListQuery,
  SortedList,
  type ListQuery,
  type ListView,
} from "../parts/list-view.tsx";
import { renderPage } from "../parts/page.tsx";
import { AssetGrid } from "../parts/previews.tsx";

const CARDS = 60;

const VIEW: ListView = {
  search: { label: "Find a file", placeholder: "Name or alternative text" },
  filters: {
    type: {
      label: "Kind",
      kind: "choice",
      options: [
        ["", "All"],
        ["image", "Images"],
        ["font", "Fonts"],
        ["text", "Text, styles, scripts"],
        ["video", "Video"],
        ["audio", "Audio"],
        ["application", "Documents and data"],
      ],
    },
    use: {
      label: "Use",
      kind: "choice",
      options: [
        ["", "All"],
        ["used", "Used"],
        ["unused", "Not used"],
      ],
    },
    tag: { label: "Tag" },
  },
  sorts: {
    created: { text: "Newest first", sort: NEWEST },
    name: { text: "Name", sort: BY_NAME },
    size: { text: "Largest first", sort: BY_SIZE },
  },
};

async function readAssets({ var: { records } }: DashboardContext, query: ListQuery) {
  const use = chosen(query, "use");
  const used = use === "used" || use === "unused" ? use === "used" : undefined;
  const filter = { text: chosen(query, "q"), type: chosen(query, "type"), tag: chosen(query, "tag"), used };
  return await listSortedAssets(records.reader, records.accountId, { filter, window: query.window });
}

/** What can be done with several files. */
export const LIBRARY_BULK: BulkPages<Asset> = {
  route: "/library/bulk",
  noun: "file",
  parentOf: () => ({ title: "Library", path: "/library" }),
  async find({ var: { records } }, ids) {
    const window = { sort: NEWEST, limit: MAX_BULK };
    return (await listSortedAssets(records.database, records.accountId, { filter: { ids }, window })).items;
  },
  findAll: async (context, search) => (await readAssets(context, parseListQuery(VIEW, search, MAX_BULK))).items,
  nameOf: ({ name }) => name,
  prepare: ({ var: { records } }) => readUnreadTexts(records),
  actions: {
    tag: {
      label: "Tag",
      done: "tagged",
      fields: TAG_FIELDS,
      run: (records, { id, tags }, values) => patchAsset(records, id, { tags: [...withTags(tags, values)] }),
    },
    delete: {
      label: "Delete",
      done: "deleted",
      danger: true,
      consequence: "Their addresses stop working. This can’t be undone.",
      leave: ({ usedBy }) => (usedBy > 0 ? `is used by ${usedBy}; delete it on its own page` : undefined),
      run: (records, { id }) => removeAsset(records, { id, force: false }),
    },
  },
};

export async function showLibrary(context: DashboardContext): Promise<Response> {
  const { addresses } = context.var.records;
  const query = readListQuery(context, VIEW, { limit: CARDS });
  const assets = await readAssets(context, query);
  return renderPage(
    context,
    { actions: <FormLink to="/library/new" label="Add files" /> },
    <>
      <ListTools view={VIEW} query={query} />
      <SortedList of={assets} query={query} noun="files" path="/library" empty={NO_ASSETS}>
        <BulkForm
          to={LIBRARY_BULK.route}
          actions={LIBRARY_BULK.actions}
          search={query.search}
          hasMore={assets.next !== undefined}
        >
          <AssetGrid assets={assets.items} pagesUrl={addresses.pagesUrl} isPickable={mayChange(context)} />
        </BulkForm>
      </SortedList>
    </>,
  );
}

const NO_ASSETS = (
  <>
    Publishing adds the pictures of a site. You can also <a href="/library/new">add files yourself</a>.
  </>
);
