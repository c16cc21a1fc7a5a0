import type { Asset, ImprintApi } from "../client/api.ts";
import { lastingAddress } from "../client/file-address.ts";
import { ImprintError } from "../base/error.ts";
import { withoutMarker } from "../html/marker.ts";
import { identifyAsset, parseAssetName } from "./asset-name.ts";
import type { Desired, DesiredPage } from "./desired.ts";
import type { SeenPage } from "./known-pages.ts";
import { isSameHash } from "./lock.ts";
import type { Owner } from "./project.ts";
import { readHtml } from "./seen.ts";
import type { State } from "./state.ts";

/**
 * Finds the wanted files that the library has, by hash. A file is recognized by the project and the hash in its name,
 * so that nothing is uploaded again if our memory is lost, or by its ID in the state if the service renames files.
 */
export function findAssets(
  desired: Pick<Desired, "assets">,
  { listed, state, project }: { listed: readonly Asset[]; state: State; project: string },
): ReadonlyMap<string, Asset> {
  const byPrefix = new Map<string, Asset>();
  const byId = new Map<string, Asset>();
  for (const asset of listed) {
    byId.set(asset.id, asset);
    const name = identifyAsset(asset);
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
  /** Hashes of files that are inlined in pages. */
  readonly inline: readonly string[];
}

/**
 * Finds assets by hash, including those that a library renamed or doesn't accept: a live page from the same HTML has
 * their addresses where ours has placeholders. An unlisted address counts if it responds.
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
      // A link that wasn't rewritten points to the site's own file, not to the library.
      if (address === needed.get(hash)?.ownAddress) continue;
      const asset = byUrl.get(lastingAddress(address, api.dialect)) ?? (await findUnlisted(address, api));
      if (asset !== undefined) assets.set(hash, asset);
    }
  }
  return { assets, inline: [...inline] };
}

interface EmptyListContext {
  readonly api: ImprintApi;
  readonly wanted: ReadonlyMap<string, DesiredPage>;
  readonly owner: Pick<Owner, "project">;
  readonly listed: readonly Asset[];
  /** Whether to trust an empty list. */
  readonly adopts: boolean;
}

const MOST_READ = 3;

/**
 * Ends the run if the library lists nothing although readers get a file that a page of this project uses: an index may
 * be under construction, and every file would be uploaded a second time.
 *
 * @throws ImprintError `SERVICE_FAILED`
 */
export async function refuseEmptyList(seen: readonly SeenPage[], context: EmptyListContext): Promise<void> {
  const { api, wanted, owner, listed, adopts } = context;
  if (listed.length > 0 || adopts) return;
  const usesFiles = ({ kind, record }: SeenPage) =>
    (kind === "remembered" || kind === "read") && (wanted.get(record.slug)?.assets.length ?? 0) > 0;
  const own = new RegExp(`https?://[^\\s"'<>()]+\\.${owner.project}\\.[0-9a-f]{16}\\.[a-z0-9]+`);
  for (const { record } of seen.filter(usesFiles).slice(0, MOST_READ)) {
    const [address] = own.exec((await readHtml(record.slug, api)) ?? "") ?? [];
    if (address === undefined || (await findUnlisted(address, api)) === undefined) continue;
    throw new ImprintError("SERVICE_FAILED", `The library's list is empty, although ${address} still exists.`, {
      hint: "Nothing was sent, because every file would be uploaded a second time. Run again in a few minutes. If somebody emptied the library, run `imprint publish --adopt`.",
    });
  }
}

async function findUnlisted(address: string, api: RecoverContext["api"]): Promise<Asset | undefined> {
  if (!/^https?:/.test(address)) return undefined;
  const visit = await api.visit(address);
  return visit?.status === 200 ? { id: address, url: address } : undefined;
}

// Includes placeholders for long texts, and for the origins and hashes of a content security policy.
const PLACEHOLDER = /imprint-(?:asset(?::|%(?:25)*3A)([0-9a-f]{64})|(?:insert|origins|sha256):[0-9a-f+]+)/g;

/** Extracts the addresses in a live page at the positions of placeholders, by hash: the text between them is equal. */
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

/** Our files in the library that seem to be unused. */
export interface SpareAssets {
  readonly count: number;
  /** Their total size, as far as the service reports it. */
  readonly bytes: number;
}

const PROBE = "imprint-probe.";

interface OwnContext {
  /** First 16 digits of the hashes of wanted assets. */
  readonly wanted: ReadonlySet<string>;
  readonly project: string;
}

/**
 * Finds assets that this project uploaded and the built site doesn't need, including the tiny files that probed the
 * library. A name without the project's ID proves nothing, as other projects and programs may use similar names.
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

/** Counts them for the report; `undefined` if there are none, or if the service doesn't count uses. */
export function countSpareAssets(
  listed: readonly Asset[],
  { desired, project }: { readonly desired: Pick<Desired, "assets">; readonly project: string },
): SpareAssets | undefined {
  const wanted = new Set(Array.from(desired.assets.keys(), (hash) => hash.slice(0, 16)));
  // Probe files are excluded, as the next probe reuses them.
  const spare = findOwnAssets(listed, { wanted, project }).filter(
    ({ name = "", usedBy }) => usedBy === 0 && !isProbe(name),
  );
  const bytes = spare.reduce((sum, { size = 0 }) => sum + size, 0);
  return spare.length === 0 ? undefined : { count: spare.length, bytes };
}
