// The list of library files: search, filters, sorting and bulk actions.
import { readUnreadTexts } from "../../resources/asset-uses.ts";
import { patchAsset, removeAsset } from "../../resources/library.ts";
import { type Asset, listAssets } from "../../store/assets.ts";
import type { DashboardContext } from "../context.ts";
import { FormLink } from "../parts/actions.tsx";
import { tagAction } from "../parts/bulk.tsx";
import { choiceFilter, ListPart, readListPage, type BulkList } from "../parts/list-page.tsx";
import { renderPage } from "../parts/page.tsx";
import { AssetGrid } from "../parts/previews.tsx";
import { fileTitle } from "../parts/titles.ts";
import { ForChange } from "../parts/rights.tsx";

const CARDS = 60;

/** The list of files and its bulk actions. */
export const LIBRARY: BulkList<Asset> = {
  noun: "file",
  search: { label: "Find a file", placeholder: "Name or alt text" },
  filters: {
    type: choiceFilter("Kind", [
      ["image", "Images"],
      ["font", "Fonts"],
      ["text", "Text, styles, scripts"],
      ["video", "Video"],
      ["audio", "Audio"],
      ["application", "Documents and data"],
    ]),
    use: choiceFilter("Use", [
      ["used", "Used"],
      ["unused", "Not used"],
    ]),
    tag: { label: "Tag" },
  },
  orders: ["created", "name", "size"],
  async read({ var: { records } }, { ids, text, filters: { type, tag, use }, window }) {
    const used = use === "used" || use === "unused" ? use === "used" : undefined;
    return await listAssets(records.reader, records.accountId, {
      filter: { ids, text, type, tag, used },
      window,
    });
  },
  nameOf: fileTitle,
  prepare: ({ var: { records } }) => readUnreadTexts(records),
  actions: {
    tag: tagAction((records, { id }, tags) => patchAsset(records, id, { tags })),
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
  const { addresses, limits } = context.var.records;
  const assets = await readListPage(context, LIBRARY, { limit: CARDS });
  return renderPage(
    context,
    { actions: <FormLink to="/library/new" label="Add files" /> },
    <>
      {assets.bulk !== undefined && <DropZone maxBytes={limits.maxAssetBytes} />}
      <ListPart of={assets} empty={NO_ASSETS}>
        <AssetGrid assets={assets.items} pagesUrl={addresses.pagesUrl} isPickable={assets.bulk !== undefined} />
      </ListPart>
    </>,
  );
}

/** Accepts several files at once, also dropped anywhere on the page. */
function DropZone({ maxBytes }: { readonly maxBytes: number }) {
  return (
    <form
      class="drop-zone"
      method="post"
      action="/library"
      enctype="multipart/form-data"
      data-upload={String(maxBytes)}
    >
      <label for="drop-files">Drop files here, or choose them</label>
      <input id="drop-files" name="file" type="file" multiple required />
      <noscript>
        <button type="submit">Add</button>
      </noscript>
      <ul class="plain-list"></ul>
      <p role="status"></p>
      <a href="/library" hidden>
        Show what was added
      </a>
      <button type="button" class="quiet" hidden>
        Try again
      </button>
    </form>
  );
}

const NO_ASSETS = (
  <>
    Publishing adds the pictures of a site.
    <ForChange to="/library">
      {" "}
      You can also <a href="/library/new">add files yourself</a>.
    </ForChange>
  </>
);
