import { listPages, type Page } from "../../../store/pages.ts";
import { freshForm } from "../../form-state.ts";
import { ChoiceField } from "../../parts/fields.tsx";
import { Empty, Older, windowOf } from "../../parts/lists.tsx";
import { renderShell } from "../../parts/shell.tsx";
import { ViewSwitch } from "../../parts/view-switch.tsx";
import type { DashboardApp, DashboardContext } from "../../scene.ts";
import { readSiteNames, siteChoices } from "../../site-names.ts";
import { PageCards } from "./cards.tsx";
import { PageTable } from "./table.tsx";

const CARDS = 12;
const VIEWS = [
  ["", "List"],
  ["cards", "Previews"],
] as const;

export function registerPageList(app: DashboardApp): void {
  app.get("/pages", showPages);
}

interface Query {
  readonly q: string;
  readonly status: string;
  readonly site: string;
  readonly view: string;
}

async function showPages(context: DashboardContext): Promise<Response> {
  const { scene } = context.var;
  const { database, accountId } = scene.records;
  const query = queryOf(context);
  const { items, next } = await listPages(database, accountId, {
    filter: {
      text: query.q === "" ? undefined : query.q,
      status: query.status === "draft" || query.status === "published" ? query.status : undefined,
      siteId: query.site === "" ? undefined : query.site,
    },
    window: query.view === "cards" ? windowOf(context, CARDS) : windowOf(context),
  });
  const sites = await readSiteNames(scene.records);
  const switched = <ViewSwitch views={VIEWS} view={query.view} query={{ ...query }} />;
  return renderShell(
    scene,
    { title: "Pages", section: "/pages", notice: context.req.query("notice"), actions: switched },
    <>
      <Filter query={query} sites={sites} />
      <List items={items} query={query} sites={sites} />
      <Older next={next} query={{ ...query }} />
    </>,
  );
}

function queryOf({ req }: DashboardContext): Query {
  const view = req.query("view") === "cards" ? "cards" : "";
  return { q: req.query("q") ?? "", status: req.query("status") ?? "", site: req.query("site") ?? "", view };
}

function Filter({ query, sites }: { readonly query: Query; readonly sites: ReadonlyMap<string, string> }) {
  const state = freshForm({ ...query });
  return (
    <form class="filter" role="search" method="get">
      <div class="field wide">
        <label for="q">Find a page</label>
        <input id="q" type="search" name="q" value={query.q} placeholder="Title or slug" />
      </div>
      <ChoiceField
        state={state}
        name="status"
        label="State"
        options={[
          ["", "All"],
          ["published", "Published"],
          ["draft", "Draft"],
        ]}
      />
      {sites.size > 0 && (
        <ChoiceField state={state} name="site" label="Site" options={siteChoices(sites, "All sites")} />
      )}
      {query.view !== "" && <input type="hidden" name="view" value={query.view} />}
      <button type="submit">Show</button>
    </form>
  );
}

interface ListProps {
  readonly items: readonly Page[];
  readonly query: Query;
  readonly sites: ReadonlyMap<string, string>;
}

function List({ items, query, sites }: ListProps) {
  if (items.length > 0) {
    return query.view === "cards" ? <PageCards pages={items} /> : <PageTable pages={items} sites={sites} />;
  }
  const isFiltered = query.q + query.status + query.site !== "";
  return (
    <Empty>
      {isFiltered ? (
        <p>
          No page fits. <a href="/pages">Show all pages</a>
        </p>
      ) : (
        <p>
          Nothing is published yet. <a href="/">How the first page gets here</a>
        </p>
      )}
    </Empty>
  );
}
