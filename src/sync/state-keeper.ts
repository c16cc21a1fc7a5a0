import type { State } from "./state.ts";

type PageState = State["pages"][string];
type AssetState = State["assets"][string];
type PostState = State["posts"][string];
type Ids = Pick<State, "siteId" | "blogId" | "brandKit">;

/** The state of a run while it works. */
export interface StateKeeper {
  readonly ids: Ids;
  page(slug: string): PageState | undefined;
  asset(hash: string): AssetState | undefined;
  rememberIds(ids: Partial<Ids>): void;
  rememberPage(slug: string, page: PageState): void;
  forgetPage(slug: string): void;
  rememberAsset(hash: string, asset: AssetState): void;
  rememberPost(slug: string, post: PostState): void;
  /** Writes the state if it changed since it was last written. */
  save(): Promise<void>;
}

export function createStateKeeper(initial: State, write: (state: State) => Promise<void>): StateKeeper {
  let ids: Ids = { siteId: initial.siteId, blogId: initial.blogId, brandKit: initial.brandKit };
  const pages = new Map(Object.entries(initial.pages));
  const assets = new Map(Object.entries(initial.assets));
  const posts = new Map(Object.entries(initial.posts));
  let written = JSON.stringify(initial);

  return {
    get ids() {
      return ids;
    },
    page: (slug) => pages.get(slug),
    asset: (hash) => assets.get(hash),
    rememberIds(changed) {
      ids = { ...ids, ...changed };
    },
    rememberPage: (slug, page) => void pages.set(slug, page),
    forgetPage: (slug) => void pages.delete(slug),
    rememberAsset: (hash, asset) => void assets.set(hash, asset),
    rememberPost: (slug, post) => void posts.set(slug, post),
    async save() {
      const state: State = {
        version: 1,
        ...ids,
        pages: Object.fromEntries(pages),
        assets: Object.fromEntries(assets),
        posts: Object.fromEntries(posts),
      };
      const text = JSON.stringify(state);
      if (text === written) return;
      await write(state);
      written = text;
    },
  };
}
