import { renderPlaceholder } from "../../html/placeholders.ts";
import type { SiteAsset, SitePost } from "../model.ts";
import { placeInBody } from "./parse-post.ts";
import type { ParsedPost } from "./parse-post.ts";
import { findAsset } from "./post-assets.ts";
import type { AssetPlace } from "./post-assets.ts";
import type { PostReference } from "./post-html.ts";
import type { PostProblem, Problem } from "./problems.ts";

export interface PostImages {
  /** Each image once. */
  readonly assets: readonly SiteAsset[];
  /** Placeholders by the address under which the body names the image. */
  readonly addresses: ReadonlyMap<string, string>;
  /** Hashes of all local images, the cover's too, by address. */
  readonly hashes: ReadonlyMap<string, string>;
  readonly cover: SitePost["cover"];
  readonly problems: readonly PostProblem[];
  /** Address of a cover that is no file of the project. */
  readonly externalCover: string | undefined;
}

/** Finds every image that a post shows. Links that lead to a picture file count too. */
export async function collectImages(
  post: ParsedPost,
  references: readonly PostReference[],
  place: AssetPlace,
): Promise<PostImages> {
  const assets = new Map<string, SiteAsset>();
  const addresses = new Map<string, string>();
  const hashes = new Map<string, string>();
  const problems: PostProblem[] = [];
  const report = (problem: Problem): void => {
    problems.push({ code: "ASSET_MISSING", file: post.file, ...problem });
  };
  for (const { kind, address, alt } of references) {
    if (addresses.has(address) || (kind === "link" && !isPicture(address))) continue;
    const found = await findAsset({ address, alt, optimize: "any-type" }, place);
    if (found.kind === "asset") {
      addresses.set(address, renderPlaceholder(found.asset.hash));
      hashes.set(address, found.asset.hash);
      if (!assets.has(found.asset.hash)) assets.set(found.asset.hash, found.asset);
    } else if (found.kind === "missing" && kind === "image") {
      report({ ...placeInBody(post, address), message: found.message });
    }
  }
  const { cover } = post.fields;
  // Where the cover is shown, which may be a link preview, not every type is understood.
  const found = cover && (await findAsset({ address: cover.source, alt: cover.alt, optimize: "same-type" }, place));
  if (found?.kind === "missing") report({ ...cover?.position, message: found.message });
  if (found?.kind === "asset") {
    assets.set(found.asset.hash, found.asset);
    hashes.set("cover:", found.asset.hash);
  }
  return {
    assets: [...assets.values()],
    addresses,
    hashes,
    cover: found?.kind === "asset" ? { hash: found.asset.hash, alt: cover?.alt } : undefined,
    externalCover: found?.kind === "external" ? cover?.source : undefined,
    problems,
  };
}

function isPicture(address: string): boolean {
  return /\.(?:avif|gif|jpe?g|png|svg|webp)(?:[?#]|$)/i.test(address);
}
