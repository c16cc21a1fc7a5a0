import type { Asset, ImprintApi } from "../client/api.ts";
import type { State } from "./state.ts";

/** How a library looked when all of it was known: nothing was added or deleted while both are the same. */
export type LibrarySeen = NonNullable<State["library"]>;

export interface ListedAssets {
  readonly items: readonly Asset[];
  /** `undefined` where the service does not say how many files it holds. */
  readonly library: LibrarySeen | undefined;
  /** Hashes of assets that we remember and that are not there any more. */
  readonly goneAssets: readonly string[];
}

export interface ListContext {
  readonly api: ImprintApi;
  readonly state: State;
}

/**
 * The files of the library, as far as `wanted` needs them. Where the service counts them, and neither that
 * nor the newest file has changed since a run knew all of them, one request shows that; else everything is listed.
 */
export async function listAssets(wanted: Iterable<string>, { api, state }: ListContext): Promise<ListedAssets> {
  const count = api.capabilities.account?.usage.assets;
  const { library } = state;
  const remembered = rememberedAssets(wanted, state);
  if (library !== undefined && library.count === count && remembered !== undefined) {
    const newest = await api.assets.newest();
    if (newest?.id === library.newest) return { items: remembered, library, goneAssets: [] };
  }
  const { items } = await api.assets.list();
  const ids = new Set(items.map(({ id }) => id));
  const goneAssets = Object.entries(state.assets).flatMap(([hash, { id }]) => (ids.has(id) ? [] : [hash]));
  const seen = count === undefined ? undefined : { count: items.length, newest: items[0]?.id };
  return { items, goneAssets, library: seen };
}

/**
 * Looks at the library after something was added to it. `undefined` when it holds less than it should, because somebody
 * deleted files meanwhile: the next run then lists what is left. More is no harm; the first run of all adds probes too.
 */
export async function lookAtLibrary(
  api: ImprintApi,
  { before, added }: { readonly before: LibrarySeen | undefined; readonly added: number },
): Promise<LibrarySeen | undefined> {
  if (before === undefined) return undefined;
  const [usage, newest] = await Promise.all([api.readUsage(), api.assets.newest()]);
  if (usage === undefined || usage.assets < before.count + added) return undefined;
  return { count: usage.assets, newest: newest?.id };
}

function rememberedAssets(wanted: Iterable<string>, { assets }: State): readonly Asset[] | undefined {
  const found: Asset[] = [];
  for (const hash of wanted) {
    const asset = assets[hash];
    if (asset === undefined) return undefined;
    found.push(asset);
  }
  return found;
}
