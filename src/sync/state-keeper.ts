import { renderEntry, type State, type StateEntry, type StateIds } from "./state.ts";
import { applyEntry, createDraft } from "./state-draft.ts";
import type { Journal } from "./state-journal.ts";

type PageState = State["pages"][string];
type AssetState = State["assets"][string];

/**
 * The state of a run while it works. What is remembered goes to the journal at once, in groups, so that a run that is
 * killed has told what it did.
 */
export interface StateKeeper {
  readonly ids: StateIds;
  /** Files that the library refused, by hash, and why. */
  readonly refused: State["refused"];
  page(slug: string): PageState | undefined;
  asset(hash: string): AssetState | undefined;
  rememberIds(ids: StateIds): void;
  /**
   * Writes down that a page is about to be sent, and waits until that is in the journal: a run that is killed before it
   * hears the answer then knows the page as its own.
   */
  announcePage(slug: string, page: State["sending"][string]): Promise<void>;
  /** Writes down that a file is about to be uploaded, as `announcePage` does, with the key of the attempt. */
  announceUpload(hash: string, upload: State["uploading"][string]): Promise<void>;
  rememberPage(slug: string, page: PageState): void;
  forgetPage(slug: string): void;
  rememberAsset(hash: string, asset: AssetState): void;
  forgetAsset(hash: string): void;
  /** Notes that the library does not take a file, and why. */
  refuseAsset(hash: string, reason: string): void;
  /** Waits until all that is remembered survives a loss of power. */
  save(): Promise<void>;
}

/** What a run begins with, beside what the state file holds: the lock file and the client may know more. */
export interface RecalledState {
  readonly state: State;
  readonly project: string;
  /** What the client has learned of the host. */
  readonly dialect: State["dialect"];
}

/** A keeper of what the state file holds, that also remembers what was recalled from elsewhere. */
export function openStateKeeper(own: State, journal: Journal, { state, project, dialect }: RecalledState): StateKeeper {
  const keeper = createStateKeeper(own, journal);
  const { siteId, blogId, brandKit, renamesFiles, refused } = state;
  keeper.rememberIds({ project, siteId, blogId, brandKit, renamesFiles, dialect: { ...state.dialect, ...dialect } });
  for (const [hash, reason] of Object.entries(refused)) keeper.refuseAsset(hash, reason);
  return keeper;
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
    get refused() {
      return Object.fromEntries(state.refused);
    },
    page: (slug) => state.pages.get(slug),
    asset: (hash) => state.assets.get(hash),
    rememberIds: (ids) => note({ kind: "ids", ...ids }),
    async announcePage(name, value) {
      note({ kind: "sending", name, value });
      await journal.flush();
    },
    async announceUpload(name, value) {
      note({ kind: "uploading", name, value });
      await journal.flush();
    },
    rememberPage: (name, value) => note({ kind: "page", name, value }),
    forgetPage: (name) => note({ kind: "no-page", name }),
    rememberAsset: (name, value) => note({ kind: "asset", name, value }),
    forgetAsset: (name) => note({ kind: "no-asset", name }),
    refuseAsset: (name, value) => note({ kind: "refused", name, value }),
    save: () => journal.sync(),
  };
}
