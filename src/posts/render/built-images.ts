import { createAddressBook } from "../../site/address-book.ts";
import { contentTypeOf, kindOf } from "../../site/content-type.ts";
import { findFiles } from "../../site/find-files.ts";
import { scanSiteFile } from "../../site/read-file.ts";
import type { BuiltSite, SiteAsset } from "../../site/model.ts";
import { createAssetRegistry } from "../../site/rewrite/assets.ts";
import type { AssetUse } from "./post-assets.ts";

/** Finds the image at an address in a built page. `usedIn` is the post, for messages. */
export type FindBuiltImage = (use: AssetUse, usedIn: string) => SiteAsset | undefined;

/**
 * Maps addresses in the built site to the same image assets that pages use. `aside` is a folder with images that belong
 * to the built site but are stored elsewhere.
 */
export function createBuiltImages(site: BuiltSite, aside: string | undefined): FindBuiltImage {
  const sites = aside === undefined ? [site] : [site, { ...site, root: aside, files: readAside(aside), pages: [] }];
  const registries = sites.map((each) => ({ addresses: createAddressBook(each), registry: createAssetRegistry(each) }));
  return ({ address, alt, optimize }, usedIn) => {
    for (const { addresses, registry } of registries) {
      const target = addresses.resolve(address, "index.html");
      if (target.kind !== "file" || kindOf(contentTypeOf(target.path)) !== "image") continue;
      // A relative address refers to a file beside the Markdown, not to one of the built site.
      if (/^(?:\/|https?:)/i.test(address)) return registry.fromFile(target.path, { usedIn, optimize, alt });
    }
    return undefined;
  };
}

function readAside(folder: string): BuiltSite["files"] {
  const paths = findFiles(folder);
  return new Map(paths.map((path) => [path, scanSiteFile(folder, path, { startBytes: 0 })] as const));
}
