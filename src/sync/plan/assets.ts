import type { SiteAsset } from "../../site/model.ts";
import type { Dialect } from "../../contract/dialect.ts";
import type { AssetChange } from "../changes.ts";
import type { PlanInput } from "../plan.ts";
import { TOO_LARGE } from "../state.ts";

export interface AssetsInput {
  readonly known: Pick<PlanInput["known"], "assets">;
  readonly state: Pick<PlanInput["state"], "refused" | "dialect">;
  readonly capabilities: PlanInput["capabilities"];
  readonly sentBytes?: PlanInput["sentBytes"];
}

/** Largest file that is inlined in a page if the library refuses it, in bytes as it would be sent. */
export const MAX_INLINE_BYTES = 256 * 1024;

/** Plans each file that has to be in the library. */
export function planAssets(input: AssetsInput, needed: readonly SiteAsset[]): readonly AssetChange[] {
  return needed.map((asset) => planAsset(asset, input));
}

function planAsset(asset: SiteAsset, input: AssetsInput): AssetChange {
  const { name } = asset;
  const unserved = findUnserved(asset, input.state.dialect);
  const bytes = input.sentBytes?.get(asset.hash);
  if (unserved !== undefined) return refuseAsset(asset, unserved, { bytes });
  const present = input.known.assets.get(asset.hash);
  if (present !== undefined) return { kind: "keep", name, reason: "the library has it", asset, known: present };
  const refusal = findRefusal(asset, input);
  if (refusal === undefined) return { kind: "create", name, reason: "the library does not have it", asset };
  return refuseAsset(asset, refusal, { bytes });
}

/** Returns the known reason why pages can't load a file from the library; `undefined` if they can. */
export function findRefusal(asset: SiteAsset, { state, capabilities }: Omit<AssetsInput, "known">): string | undefined {
  return findUnserved(asset, state.dialect) ?? state.refused[asset.hash] ?? findLimit(asset, capabilities);
}

const HOST_ELSEWHERE =
  "Host the file elsewhere and link to it, or run `imprint publish --accept` to publish without it.";

interface RefusedFile {
  /** Size as it would be sent. Default: that of the file. */
  readonly bytes?: number | undefined;
  readonly hint?: string | undefined;
}

/** Plans a file that the library doesn't accept: it is inlined in the pages that use it, or omitted. */
export function refuseAsset(
  asset: SiteAsset,
  refusal: string,
  { bytes = sizeOfSource(asset), hint = HOST_ELSEWHERE }: RefusedFile,
): AssetChange {
  const { name } = asset;
  const isSmall = bytes <= MAX_INLINE_BYTES && !refusal.startsWith(TOO_LARGE);
  if (canBeInline(asset) && isSmall) return { kind: "inline", name, reason: refusal, asset };
  return {
    kind: "blocked",
    name,
    reason: `${refusal.replace(/\.$/, "")}; ${describeLoss(asset)}`,
    hint: isOnlyInMarkdown(asset) ? LINK_ELSEWHERE : hint,
    counts: "unless accepted",
    asset,
  };
}

function sizeOfSource({ source }: SiteAsset): number {
  return source.kind === "file" ? source.bytes : Buffer.byteLength(source.text);
}

/** Whether a file that the library doesn't accept would be inlined if it were smaller, as an image may become. */
export function isTooLargeToInline(asset: SiteAsset): boolean {
  return canBeInline(asset) && sizeOfSource(asset) > MAX_INLINE_BYTES;
}

export const LINK_ELSEWHERE = "Host the file elsewhere, and link to its address there.";

/** Whether only one Markdown file uses a file. As a post it isn't sent without that, as it can't be completed later. */
function isOnlyInMarkdown({ usedIn, otherPages = 0 }: Pick<SiteAsset, "usedIn" | "otherPages">): boolean {
  return otherPages === 0 && /\.(?:md|mdx|markdown)$/i.test(usedIn);
}

function describeLoss({ usedIn, otherPages = 0, ownAddress }: SiteAsset): string {
  const isOne = otherPages === 0;
  const pages = isOne ? usedIn : `${usedIn} and ${otherPages} other ${otherPages === 1 ? "page" : "pages"}`;
  if (ownAddress !== undefined) return `${pages} ${isOne ? "uses" : "use"} ${ownAddress} instead`;
  if (isOnlyInMarkdown({ usedIn, otherPages })) return `${pages} needs it`;
  return `${pages} ${isOne ? "is" : "are"} published without it`;
}

// Browsers don't open links to `data:` addresses.
function canBeInline({ kind, contentType, isFetched }: SiteAsset): boolean {
  return kind !== "file" || isFetched === true || /^(?:image|audio|video|font)\//.test(contentType);
}

/** Whether pages can't load an image from the library, so that it is inlined or omitted. */
export function isUnserved(asset: SiteAsset | undefined, dialect: Dialect): boolean {
  return asset !== undefined && findUnserved(asset, dialect) !== undefined;
}

// Fonts, scripts and files are placed when pages are rewritten; only images always come from the library.
function findUnserved({ kind, contentType }: SiteAsset, { unserved = {} }: Dialect = {}): string | undefined {
  if (kind !== "image") return undefined;
  return contentType.startsWith("image/svg") ? unserved.drawings : unserved.images;
}

// Only the size of files that are sent unchanged is known in advance: an image may still become smaller.
function findLimit(asset: SiteAsset, { limits, assetTypes }: AssetsInput["capabilities"]): string | undefined {
  const { source, optimize, contentType } = asset;
  const maxBytes = limits["maxAssetBytes"];
  if (source.kind === "file" && optimize === "never" && maxBytes !== undefined && source.bytes > maxBytes) {
    return `it has ${source.bytes} bytes, but the library accepts at most ${maxBytes}`;
  }
  if (!isOfRefusedType(asset, { assetTypes })) return undefined;
  return `the library of this route set accepts only images, not ${contentType}`;
}

/** Whether the library accepts only images, and a file is none. */
export function isOfRefusedType(
  { contentType }: SiteAsset,
  { assetTypes }: Pick<AssetsInput["capabilities"], "assetTypes">,
): boolean {
  return assetTypes === "images" && !contentType.startsWith("image/");
}
