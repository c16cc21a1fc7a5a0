import type { Asset, ImprintApi } from "../client/api.ts";
import { withoutMarker } from "../html/marker.ts";
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

// Also what stands for the origins and hashes of a content security policy.
const PLACEHOLDER = /imprint-(?:asset(?::|%(?:25)*3A)([0-9a-f]{64})|(?:origins|sha256):[0-9a-f+]+)/g;

/** What stands in a live page in the places of placeholders, by their hashes: between them both are the same. */
function findAddresses(html: string, live: string): ReadonlyMap<string, string> {
  const [sent, shown] = [withoutMarker(html), withoutMarker(live)];
  const addresses = new Map<string, string>();
  let [from, at] = [0, 0];
  let open: { readonly hash: string | undefined; readonly start: number } | undefined;
  for (const match of [...sent.matchAll(PLACEHOLDER), undefined]) {
    const text = sent.slice(from, match?.index);
    const place = open === undefined ? (shown.startsWith(text) ? 0 : -1) : shown.indexOf(text, open.start);
    if (place < 0) return addresses;
    if (open?.hash !== undefined && !addresses.has(open.hash)) addresses.set(open.hash, shown.slice(open.start, place));
    at = place + text.length;
    from = (match?.index ?? 0) + (match?.[0].length ?? 0);
    open = { hash: match?.[0].startsWith("imprint-asset:") === true ? match[1] : undefined, start: at };
  }
  return addresses;
}
