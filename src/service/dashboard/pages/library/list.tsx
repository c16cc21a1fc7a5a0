import { listAssets } from "../../../store/assets.ts";
import { freshForm } from "../../form-state.ts";
import { AssetGrid } from "../../parts/assets.tsx";
import { ChoiceField } from "../../parts/fields.tsx";
import { Empty, Older, windowOf } from "../../parts/lists.tsx";
import { renderShell } from "../../parts/shell.tsx";
import type { DashboardApp, DashboardContext } from "../../scene.ts";

const CARDS = 60;
const TYPES = [
  ["", "All"],
  ["image", "Images"],
  ["font", "Fonts"],
  ["text", "Text, styles, scripts"],
  ["video", "Video"],
  ["audio", "Audio"],
  ["application", "Documents and data"],
] as const;

export function registerAssetList(app: DashboardApp): void {
  app.get("/library", showLibrary);
}

async function showLibrary(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const { database, accountId, addresses } = scene.records;
  const query = { q: context.req.query("q") ?? "", type: context.req.query("type") ?? "" };
  const { items, next } = await listAssets(database, accountId, {
    filter: { text: query.q === "" ? undefined : query.q, type: query.type === "" ? undefined : query.type },
    window: windowOf(context, CARDS),
  });
  const isFiltered = query.q + query.type !== "";
  const actions = (
    <a class="button" href="/library/new">
      Add files
    </a>
  );
  return renderShell(
    scene,
    { title: "Library", section: "/library", notice: context.req.query("notice"), actions },
    <>
      <form class="filter" role="search" method="get">
        <div class="field wide">
          <label for="q">Find a file</label>
          <input id="q" type="search" name="q" value={query.q} placeholder="Name or what it shows" />
        </div>
        <ChoiceField state={freshForm(query)} name="type" label="Kind" options={TYPES} />
        <button type="submit">Show</button>
      </form>
      {items.length > 0 ? (
        <AssetGrid assets={items} pagesUrl={addresses.pagesUrl} />
      ) : (
        <NoAssets isFiltered={isFiltered} />
      )}
      <Older next={next} query={query} />
    </>,
  );
}

function NoAssets({ isFiltered }: { readonly isFiltered: boolean }) {
  return (
    <Empty>
      {isFiltered ? (
        <p>
          No file fits. <a href="/library">Show all files</a>
        </p>
      ) : (
        <p>
          Publishing brings the pictures of a site here. You can also <a href="/library/new">add files yourself</a>.
        </p>
      )}
    </Empty>
  );
}
