import type { Asset, ImprintApi } from "../client/api.ts";
import { lastingAddress } from "../client/file-address.ts";
import { withoutMarker } from "../html/marker.ts";
import { parseAssetName } from "./asset-name.ts";
import type { Desired, DesiredPage } from "./desired.ts";
import type { SeenPage } from "./known-pages.ts";
import { isSameHash } from "./lock.ts";
import type { State } from "./state.ts";

/**
 * The wanted files that the library has, by hash. A file is recognized by the project and the hash in its name, so that
 * nothing is uploaded again when our memory is lost, and by its id from the state where a service renames what it stores.
 */
export function findAssets(
  desired: Pick<Desired, "assets">,
  { listed, state, project }: { listed: readonly Asset[]; state: State; project: string },
): ReadonlyMap<string, Asset> {
  const byPrefix = new Map<string, Asset>();
  const byId = new Map<string, Asset>();
  for (const asset of listed) {
    byId.set(asset.id, asset);
    const name = parseAssetName(asset.name ?? "");
    const isOwn = name !== undefined && (name.project === project || name.project === undefined);
    if (isOwn && !byPrefix.has(name.prefix)) byPrefix.set(name.prefix, asset);
  }
  const known = new Map<string, Asset>();
  for (const hash of desired.assets.keys()) {
    const asset = byId.get(state.assets[hash]?.id ?? "") ?? byPrefix.get(hash.slice(0, 16));
    if (asset !== undefined) known.set(hash, asset);
  }
  return known;
}

export interface RecoverContext {
  readonly api: Pick<ImprintApi, "visit" | "dialect">;
  readonly wanted: ReadonlyMap<string, DesiredPage>;
  /** What the site needs, by hash. */
  readonly needed: Desired["assets"];
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
  { api, wanted, needed, named, listed }: RecoverContext,
): Promise<RecoveredAssets> {
  const byUrl = new Map(listed.map((asset) => [lastingAddress(asset.url, api.dialect), asset]));
  const assets = new Map(named);
  const inline = new Set<string>();
  for (const page of seen) {
    const desired = wanted.get(page.record.slug);
    if (page.kind !== "read" || desired === undefined || !isSameHash(page.marker?.hash, desired.hash)) continue;
    if (desired.assets.every((hash) => assets.has(hash) || inline.has(hash))) continue;
    for (const [hash, address] of findAddresses((await desired.render()).html, await page.readHtml())) {
      if (assets.has(hash) || inline.has(hash)) continue;
      if (address.startsWith("data:")) inline.add(hash);
      // What a link kept is the site's own file and none of the library.
      if (address === needed.get(hash)?.ownAddress) continue;
      const asset = byUrl.get(lastingAddress(address, api.dialect)) ?? (await findUnlisted(address, api));
      if (asset !== undefined) assets.set(hash, asset);
    }
  }
  return { assets, inline: [...inline] };
}

async function findUnlisted(address: string, api: RecoverContext["api"]): Promise<Asset | undefined> {
  if (!/^https?:/.test(address)) return undefined;
  const visit = await api.visit(address);
  return visit?.status === 200 ? { id: address, url: address } : undefined;
}

// Also what stands for long texts, and for the origins and hashes of a content security policy.
const PLACEHOLDER = /imprint-(?:asset(?::|%(?:25)*3A)([0-9a-f]{64})|(?:insert|origins|sha256):[0-9a-f+]+)/g;

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

/** Files of ours in the library that seem to be used by nothing. */
export interface SpareAssets {
  readonly count: number;
  /** Their size as far as the service shows it. */
  readonly bytes: number;
}

const PROBE = "imprint-probe.";

interface OwnContext {
  /** First 16 digits of the hashes of the assets that are wanted. */
  readonly wanted: ReadonlySet<string>;
  readonly project: string;
}

/**
 * Assets that this project uploaded and that the built site does not want, the tiny files that asked what the library
 * takes among them. A name without the project's id is no proof: other projects of the account, and other programs, name
 * files alike.
 */
export function findOwnAssets(listed: readonly Asset[], { wanted, project }: OwnContext): readonly Asset[] {
  return listed.filter(({ name = "" }) => {
    const found = parseAssetName(name);
    const isOwn = found !== undefined && (found.project === project || isProbe(name));
    return isOwn && !wanted.has(found.prefix);
  });
}

function isProbe(name: string): boolean {
  return name.startsWith(PROBE) && parseAssetName(name)?.project === undefined;
}

/** What a report says of them; `undefined` when there are none, or when the service does not count uses. */
export function countSpareAssets(
  listed: readonly Asset[],
  { desired, project }: { readonly desired: Pick<Desired, "assets">; readonly project: string },
): SpareAssets | undefined {
  const wanted = new Set(Array.from(desired.assets.keys(), (hash) => hash.slice(0, 16)));
  // The files by which a library is asked what it can do are found again by the next question.
  const spare = findOwnAssets(listed, { wanted, project }).filter(
    ({ name = "", usedBy }) => usedBy === 0 && !isProbe(name),
  );
  const bytes = spare.reduce((sum, { size = 0 }) => sum + size, 0);
  return spare.length === 0 ? undefined : { count: spare.length, bytes };
}
