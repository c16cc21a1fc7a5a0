import { renderEntry } from "./state.ts";
import type { State, StateEntry } from "./state.ts";
import { applyEntry, createDraft } from "./state-draft.ts";
import type { Journal } from "./state-journal.ts";

type PageState = State["pages"][string];
type AssetState = State["assets"][string];
type Ids = Pick<State, "siteId" | "blogId" | "brandKit" | "concurrency" | "seenAt" | "otherPages" | "library">;

/**
 * The state of a run while it works. What is remembered goes to the journal at once, in groups, so that a run that is
 * killed has told what it did.
 */
export interface StateKeeper {
  readonly ids: Ids;
  page(slug: string): PageState | undefined;
  asset(hash: string): AssetState | undefined;
  rememberIds(ids: Partial<Ids>): void;
  /**
   * Writes down that a page is about to be sent, and waits until that is in the journal: a run that is killed before it
   * hears the answer then knows the page as its own.
   */
  announcePage(slug: string, page: PageState): Promise<void>;
  rememberPage(slug: string, page: PageState): void;
  forgetPage(slug: string): void;
  rememberAsset(hash: string, asset: AssetState): void;
  forgetAsset(hash: string): void;
  /** Waits until all that is remembered survives a loss of power. */
  save(): Promise<void>;
}

export function createStateKeeper(initial: State, journal: Journal): StateKeeper {
  const state = createDraft(initial);

  function note(entry: StateEntry): void {
    if (applyEntry(state, entry)) journal.add(renderEntry(entry));
  }

  return {
    get ids() {
      return { ...state.ids };
    },
    page: (slug) => state.pages.get(slug),
    asset: (hash) => state.assets.get(hash),
    rememberIds: (ids) => note({ kind: "ids", ...ids }),
    async announcePage(name, value) {
      note({ kind: "sending", name, value });
      await journal.flush();
    },
    rememberPage: (name, value) => note({ kind: "page", name, value }),
    forgetPage: (name) => note({ kind: "no-page", name }),
    rememberAsset: (name, value) => note({ kind: "asset", name, value }),
    forgetAsset: (name) => note({ kind: "no-asset", name }),
    save: () => journal.sync(),
  };
}
