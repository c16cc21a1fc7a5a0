import { renderPlaceholder } from "../../html/placeholders.ts";
import type { SiteAsset } from "../../site/model.ts";
import type { SitePost } from "../post.ts";
import type { FindBuiltImage } from "./built-images.ts";
import { isLocal } from "./addresses.ts";
import { placeInBody, type ParsedPost } from "../read/parse-post.ts";
import { findAsset, type AssetPlace, type AssetUse, type FoundAsset } from "./post-assets.ts";
import type { PostBody } from "./post-body.ts";
import type { PostProblem, Problem } from "../read/problems.ts";

export interface PostImages {
  /** Each image once. */
  readonly assets: readonly SiteAsset[];
  /** Placeholders, by the address that the body uses. */
  readonly addresses: ReadonlyMap<string, string>;
  /** Hashes, by address, of the image files in the author's text, including the cover. */
  readonly hashes: ReadonlyMap<string, string>;
  readonly cover: SitePost["cover"];
  readonly problems: readonly PostProblem[];
}

export interface ImagePlace extends Omit<AssetPlace, "file"> {
  /** Finds images of the built site, for bodies rendered by the site's build. */
  readonly findBuilt?: FindBuiltImage | undefined;
  /** Why images can't be sent, by hash. */
  readonly broken?: ReadonlyMap<string, string> | undefined;
}

/** Finds every image in a post, including links to image files, and to other files of the site. */
export async function collectImages(
  post: ParsedPost,
  { references, mentioned }: Pick<PostBody, "references" | "mentioned">,
  { findBuilt, broken = new Map(), ...place }: ImagePlace,
): Promise<PostImages> {
  const find = createFinder({ ...place, file: post.file });
  const assets = new Map<string, SiteAsset>();
  const addresses = new Map<string, string>();
  const problems: PostProblem[] = [];
  const report = (code: PostProblem["code"], problem: Problem): void => {
    problems.push({ code, file: post.file, ...problem });
  };
  const take = (asset: SiteAsset, position: () => Partial<Problem>): void => {
    if (!assets.has(asset.hash)) assets.set(asset.hash, asset);
    const message = broken.get(asset.hash);
    if (message !== undefined) report("IMAGE_BROKEN", { ...position(), message });
  };
  for (const { kind, address, alt } of references) {
    if (addresses.has(address) || (kind === "link" && !mayBeFile(address))) continue;
    const use = { kind: kind === "link" ? kind : "image", address, alt, optimize: "any-type" } as const;
    const built = findBuilt?.(use, post.file);
    const found: FoundAsset = built === undefined ? await find(use) : { kind: "asset", asset: built };
    if (found.kind === "asset") {
      const fragment = kind === "link" ? (/#.*$/s.exec(address)?.[0] ?? "") : "";
      addresses.set(address, renderPlaceholder(found.asset.hash) + fragment);
      take(found.asset, () => placeInBody(post, address));
    } else if (found.kind === "missing" && kind === "image") {
      report("ASSET_MISSING", { ...placeInBody(post, address), message: found.message });
    }
  }
  const { cover } = post.fields;
  // The cover may be shown in a link preview, where not every type is supported.
  const found = cover && (await find({ address: cover.source, alt: cover.alt, optimize: "same-type" }));
  if (found?.kind === "missing") report("ASSET_MISSING", { ...cover?.position, message: found.message });
  if (found?.kind === "asset") take(found.asset, () => cover?.position ?? {});
  return {
    assets: [...assets.values()],
    addresses,
    hashes: await hashMentioned(mentioned, post.written.cover, find),
    cover: cover && found && coverOf(cover, found),
    problems,
  };
}

type Find = (use: AssetUse) => Promise<FoundAsset>;

/** Reads every file only once. */
function createFinder(place: AssetPlace): Find {
  const known = new Map<string, Promise<FoundAsset>>();
  return (use) => {
    const key = `${use.kind} ${use.optimize} ${use.address}`;
    const found = known.get(key) ?? findAsset(use, place);
    known.set(key, found);
    return found;
  };
}

async function hashMentioned(
  mentioned: readonly string[],
  cover: ParsedPost["written"]["cover"],
  find: Find,
): Promise<ReadonlyMap<string, string>> {
  const hashes = new Map<string, string>();
  for (const address of mentioned.filter(isLocal)) {
    const found = await find({ address, alt: undefined, optimize: "any-type" });
    if (found.kind === "asset") hashes.set(address, found.asset.hash);
  }
  const found = cover && (await find({ address: cover.source, alt: cover.alt, optimize: "same-type" }));
  if (found?.kind === "asset") hashes.set("cover:", found.asset.hash);
  return hashes;
}

function coverOf(cover: { readonly source: string; readonly alt: string | undefined }, found: FoundAsset) {
  if (found.kind === "asset") return { kind: "asset", hash: found.asset.hash, alt: cover.alt } as const;
  const isAddress = found.kind === "external" && /^https?:\/\//i.test(cover.source);
  return isAddress ? ({ kind: "external", address: cover.source, alt: cover.alt } as const) : undefined;
}

const PICTURE = /\.(?:avif|gif|jpe?g|png|svg|webp)(?:[?#]|$)/i;
// A page of the site has no ending, or that of HTML.
const DOCUMENT = /^\/(?!\/)[^?#]*\.(?!html?(?:[?#]|$))[a-z\d]{1,5}(?:[?#]|$)/i;

function mayBeFile(address: string): boolean {
  return PICTURE.test(address) || DOCUMENT.test(address);
}
