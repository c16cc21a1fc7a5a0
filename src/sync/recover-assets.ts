import type { Asset, ImprintApi } from "../client/api.ts";
import { findPlaceholders, renderPlaceholder } from "../html/placeholders.ts";
import type { DesiredPage } from "./desired.ts";
import type { SeenPage } from "./known-pages.ts";
import { isSameHash } from "./lock.ts";

export interface RecoverContext {
  readonly api: Pick<ImprintApi, "visit">;
  readonly wanted: ReadonlyMap<string, DesiredPage>;
  /** Assets that were recognized by their names. */
  readonly named: ReadonlyMap<string, Asset>;
  readonly listed: readonly Asset[];
}

export interface RecoveredAssets {
  readonly assets: ReadonlyMap<string, Asset>;
  /** Hashes of files that stand in the pages themselves. */
  readonly inline: readonly string[];
}

/**
 * Assets by hash, with those that a library has under other names or does not take: a live page that was made from the
 * same HTML holds their addresses where ours has placeholders. An address that no list shows counts when it answers.
 */
export async function recoverAssets(
  seen: readonly SeenPage[],
  { api, wanted, named, listed }: RecoverContext,
): Promise<RecoveredAssets> {
  const byUrl = new Map(listed.map((asset) => [asset.url, asset]));
  const assets = new Map(named);
  const inline = new Set<string>();
  for (const page of seen) {
    const desired = wanted.get(page.record.slug);
    if (page.kind !== "read" || desired === undefined || !isSameHash(page.marker?.hash, desired.hash)) continue;
    if (desired.assets.every((hash) => assets.has(hash) || inline.has(hash))) continue;
    for (const [hash, address] of findAddresses(await desired.render(), page.html)) {
      if (assets.has(hash) || inline.has(hash)) continue;
      if (address.startsWith("data:")) inline.add(hash);
      const asset = byUrl.get(address) ?? (await findUnlisted(address, api));
      if (asset !== undefined) assets.set(hash, asset);
    }
  }
  return { assets, inline: [...inline] };
}

async function findUnlisted(address: string, api: Pick<ImprintApi, "visit">): Promise<Asset | undefined> {
  if (!/^https?:/.test(address)) return undefined;
  const visit = await api.visit(address);
  return visit?.status === 200 ? { id: address, url: address } : undefined;
}

/** What stands in a live page in the places of placeholders, by their hashes. */
function findAddresses(html: string, live: string): ReadonlyMap<string, string> {
  const addresses = new Map<string, string>();
  for (const hash of findPlaceholders(html)) {
    const placeholder = renderPlaceholder(hash);
    const place = html.indexOf(placeholder);
    // The text before the first use is told apart by as much of it as holds no placeholder itself.
    const before =
      html
        .slice(Math.max(0, place - CONTEXT_LENGTH), place)
        .split(/imprint-asset:[0-9a-f]{64}/)
        .at(-1) ?? "";
    const after = html.slice(place + placeholder.length, place + placeholder.length + 1);
    const start = live.indexOf(before);
    if (place < 0 || before.length < SHORTEST_CONTEXT || start < 0 || live.indexOf(before, start + 1) >= 0) continue;
    const from = start + before.length;
    const end = live.indexOf(after, from);
    if (end > from) addresses.set(hash, live.slice(from, end));
  }
  return addresses;
}

const CONTEXT_LENGTH = 200;
const SHORTEST_CONTEXT = 12;
