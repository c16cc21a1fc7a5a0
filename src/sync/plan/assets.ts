import type { SiteAsset } from "../../site/model.ts";
import type { Dialect } from "../../contract/dialect.ts";
import type { AssetChange } from "../changes.ts";
import type { PlanInput } from "../plan.ts";

export interface AssetsInput {
  readonly known: Pick<PlanInput["known"], "assets">;
  readonly state: Pick<PlanInput["state"], "refused" | "dialect">;
  readonly capabilities: PlanInput["capabilities"];
}

/** Largest file that is put into a page when the library refuses it, in bytes. */
export const MAX_INLINE_BYTES = 256 * 1024;

/** What is to be done about each file that has to be in the library. */
export function planAssets(input: AssetsInput, needed: readonly SiteAsset[]): readonly AssetChange[] {
  return needed.map((asset) => planAsset(asset, input));
}

function planAsset(asset: SiteAsset, input: AssetsInput): AssetChange {
  const { name } = asset;
  const unserved = findUnserved(asset, input.state.dialect);
  if (unserved !== undefined) return refuseAsset(asset, unserved);
  const present = input.known.assets.get(asset.hash);
  if (present !== undefined) return { kind: "keep", name, reason: "the library has it", asset, known: present };
  const refusal = findRefusal(asset, input);
  if (refusal === undefined) return { kind: "create", name, reason: "the library does not have it", asset };
  return refuseAsset(asset, refusal);
}

/** Why pages can't load a file from the library, as far as that is known; `undefined` when they can. */
export function findRefusal(asset: SiteAsset, { state, capabilities }: Omit<AssetsInput, "known">): string | undefined {
  return findUnserved(asset, state.dialect) ?? state.refused[asset.hash] ?? findLimit(asset, capabilities);
}

/** Begins the refusal of a file that is too large for a request: a page that holds it would be larger still. */
export const TOO_LARGE = "it is too large for the service";

const HOST_ELSEWHERE =
  "Host the file elsewhere and link to it, or run `imprint publish --accept` to publish without it.";

/** A file that the library does not take: put into the pages that use it, or left out. */
export function refuseAsset(asset: SiteAsset, refusal: string, hint = HOST_ELSEWHERE): AssetChange {
  const { name, usedIn, source, ownAddress } = asset;
  const bytes = source.kind === "file" ? source.bytes : Buffer.byteLength(source.text);
  const isSmall = bytes <= MAX_INLINE_BYTES && !refusal.startsWith(TOO_LARGE);
  if (canBeInline(asset) && isSmall) return { kind: "inline", name, reason: refusal, asset };
  return {
    kind: "blocked",
    name,
    reason: `${refusal}; ${ownAddress === undefined ? `${usedIn} is published without it` : `${usedIn} names ${ownAddress} instead`}`,
    hint,
    counts: "unless accepted",
    asset,
  };
}

// A link to a `data:` address leads nowhere in a browser.
function canBeInline({ kind, contentType, isFetched }: SiteAsset): boolean {
  return kind !== "file" || isFetched === true || /^(?:image|audio|video|font)\//.test(contentType);
}

/** Whether pages can't load an image from the library, so that they hold it themselves or do without. */
export function isUnserved(asset: SiteAsset | undefined, dialect: Dialect): boolean {
  return asset !== undefined && findUnserved(asset, dialect) !== undefined;
}

// Fonts, scripts and files are placed elsewhere when pages are rewritten; images always come from the library.
function findUnserved({ kind, contentType }: SiteAsset, { unserved = {} }: Dialect = {}): string | undefined {
  if (kind !== "image") return undefined;
  return contentType.startsWith("image/svg") ? unserved.drawings : unserved.images;
}

// Only what is sent unchanged can be judged by its size beforehand: an image may still become smaller.
function findLimit(
  { source, optimize, contentType }: SiteAsset,
  { limits, assetTypes }: AssetsInput["capabilities"],
): string | undefined {
  const maxBytes = limits["maxAssetBytes"];
  if (source.kind === "file" && optimize === "never" && maxBytes !== undefined && source.bytes > maxBytes) {
    return `it has ${source.bytes} bytes and the library takes at most ${maxBytes}`;
  }
  if (assetTypes === "any" || contentType.startsWith("image/")) return undefined;
  return `the library of this route set takes images only, not ${contentType}`;
}
