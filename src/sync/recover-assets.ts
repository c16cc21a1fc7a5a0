import type { Asset } from "../client/api.ts";
import { findPlaceholders, renderPlaceholder } from "../html/placeholders.ts";
import type { DesiredPage } from "./desired.ts";
import type { SeenPage } from "./known-pages.ts";
import { isSameHash } from "./lock.ts";

export interface RecoverContext {
  readonly wanted: ReadonlyMap<string, DesiredPage>;
  /** Assets that were recognized by their names. */
  readonly named: ReadonlyMap<string, Asset>;
  readonly listed: readonly Asset[];
}

/**
 * Assets by hash, with those that a library has under other names: a live page that was made from the same HTML holds
 * their addresses where ours has placeholders.
 */
export async function recoverAssets(
  seen: readonly SeenPage[],
  { wanted, named, listed }: RecoverContext,
): Promise<ReadonlyMap<string, Asset>> {
  const byUrl = new Map(listed.map((asset) => [asset.url, asset]));
  const assets = new Map(named);
  for (const page of seen) {
    const desired = wanted.get(page.record.slug);
    if (page.kind !== "read" || desired === undefined || !isSameHash(page.marker?.hash, desired.hash)) continue;
    if (desired.assets.every((hash) => assets.has(hash))) continue;
    for (const [hash, address] of findAddresses(await desired.render(), page.html)) {
      const asset = byUrl.get(address);
      if (asset !== undefined && !assets.has(hash)) assets.set(hash, asset);
    }
  }
  return assets;
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
