import { pollUntil } from "../base/poll-until.ts";
import type { BrandKit, Site } from "../client/api.ts";
import type { PostsPort } from "../posts/apply/port.ts";
import { recallRecord } from "./counted-records.ts";
import { isWithinLag } from "./lateness.ts";
import type { ListContext } from "./seen.ts";

export interface OwnContext extends ListContext {
  readonly port: Pick<PostsPort, "clock" | "signal" | "waits">;
}

/** A list with our own record, also if the service's list lacks it. */
export interface OwnList<Item> {
  readonly items: readonly Item[];
}

export async function listSites({ early, ...context }: OwnContext): Promise<OwnList<Site>> {
  const { api, state } = context;
  const { siteId: id = "", wantedSite } = state;
  const own = recallRecord("sites", { api, state, id });
  if (own !== undefined) return { items: [own] };
  return await listWithOwn<Site>({
    ...{ ...context, id, first: early?.sites },
    list: () => api.sites.list(),
    get: api.capabilities.operations.has("sites.get") ? () => api.sites.get(id) : undefined,
    assumed: { ...wantedSite, id },
  });
}

export async function listBrandKits({ early, ...context }: OwnContext): Promise<OwnList<BrandKit>> {
  const { api, state } = context;
  const { id = "" } = state.brandKit ?? {};
  const own = recallRecord("brandKits", { api, state, id });
  if (own !== undefined) return { items: [own] };
  return await listWithOwn<BrandKit>({
    ...{ ...context, id, first: early?.brandKits },
    list: () => api.brandKits.list(),
    get: api.capabilities.operations.has("brandKits.get") ? () => api.brandKits.get(id) : undefined,
    assumed: { id, colors: [], fonts: [], logos: [] },
  });
}

interface Listed<Item> extends Omit<OwnContext, "early"> {
  /** Empty if none is remembered. */
  readonly id: string;
  readonly list: () => Promise<OwnList<Item>>;
  /** A list that was already requested. */
  readonly first: Promise<OwnList<Item>> | undefined;
  /** Reads the record; absent if the service has no request for that. */
  readonly get: (() => Promise<Item | undefined>) | undefined;
  /** What is remembered of the record. */
  readonly assumed: Item;
}

const PAUSES_MS = [500, 1000, 2000];

/** Lists records. A list may lag behind a write of an earlier run, whose record must not be created again. */
async function listWithOwn<Item extends { readonly id: string }>(listed: Listed<Item>): Promise<OwnList<Item>> {
  const { api, state, id, list, first, get, assumed } = listed;
  const { clock, signal, waits } = listed.port;
  // Our own service lists all records immediately.
  const isSure = id === "" || api.capabilities.account !== undefined;
  const hasOwn = ({ items }: OwnList<Item>) => isSure || items.some((item) => item.id === id);
  const found = await pollUntil(list, {
    first,
    isEnough: hasOwn,
    pausesMs: get === undefined && waits ? PAUSES_MS : [],
    sleep: (ms) => clock.sleep(ms, signal),
  });
  if (hasOwn(found)) return found;
  const own = get === undefined ? (isWithinLag(state.createdAt, clock) ? assumed : undefined) : await get();
  return own === undefined ? found : { items: [...found.items, own] };
}
