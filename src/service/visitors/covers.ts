import type { Core } from "../host/core.ts";
import { libraryPath } from "../look/library-path.ts";
import { listImageFacts } from "../store/published-posts.ts";
import type { PostSummary } from "../store/posts.ts";

/** The cover of a post, ready to be shown. */
export interface Cover {
  /** A path of the library, or an address of another host. */
  readonly src: string;
  readonly alt: string;
  /** In pixels, where the library knows it. */
  readonly size: { readonly width: number; readonly height: number } | undefined;
}

/** The covers of posts, by the posts' ids; posts without one are left out. */
export async function findCovers(core: Core, posts: readonly PostSummary[]): Promise<ReadonlyMap<string, Cover>> {
  const { store, account, addresses } = core;
  const base = addresses.libraryUrl ?? addresses.pagesUrl;
  const sources = posts.flatMap(({ id, coverImage }) => {
    if (coverImage === null) return [];
    const path = libraryPath(coverImage, base);
    return [{ id, src: path ?? coverImage, assetId: path?.split("/")[2] }];
  });
  const ids = sources.flatMap(({ assetId }) => assetId ?? []);
  const facts = await listImageFacts(store.database, account.id, ids);
  const byId = new Map(facts.map((fact) => [fact.id, fact]));
  return new Map(
    sources.map(({ id, src, assetId }) => {
      const { width, height, alt } = byId.get(assetId ?? "") ?? { width: null, height: null, alt: null };
      return [id, { src, alt: alt ?? "", size: width === null || height === null ? undefined : { width, height } }];
    }),
  );
}

/** Hosts that covers are loaded from beside the library's own, for a policy. */
export function coverOrigins(covers: ReadonlyMap<string, Cover>): readonly string[] {
  const origins = Array.from(covers.values(), ({ src }) => URL.parse(src)).flatMap((url) =>
    url !== null && /^https?:$/.test(url.protocol) ? [url.origin] : [],
  );
  return [...new Set(origins)];
}
