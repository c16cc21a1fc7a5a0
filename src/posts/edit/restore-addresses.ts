import { readFile } from "node:fs/promises";
import { join, posix } from "node:path";
import fastGlob from "fast-glob";
import type { PostEntry } from "../memory/ledger.ts";
import { splitAddress } from "../render/addresses.ts";
import { possibleHashes } from "../render/post-assets.ts";
import { parsePostHtml } from "../render/post-html.ts";
import { addressInPost } from "./file-pictures.ts";

/** What the project has at published addresses, absolute or relative to `base`. */
export interface PublishedPlaces {
  /** Absolute address that links of posts start from. */
  readonly base: string;
  /** Path in the site of each of its pages, by address. */
  readonly pages: ReadonlyMap<string, string>;
  /** Markdown file of each post, relative to the project, by address. */
  readonly posts: ReadonlyMap<string, string>;
}

export interface RestoreContext extends PublishedPlaces {
  /** Absolute path of the project. */
  readonly root: string;
  /** The Markdown file to write, relative to the project. */
  readonly file: string;
  /** What is remembered of the post. */
  readonly entry: PostEntry | undefined;
}

/** Returns how a Markdown file refers to what is at a published address; `undefined` if it isn't the project's. */
export type RestoreAddress = (address: string) => string | undefined;

/** Finds the pages, posts, and files of the project that a post refers to by their published addresses. */
export async function createAddressRestorer(context: RestoreContext): Promise<RestoreAddress> {
  const { base, root, file, entry } = context;
  const pages = byPlace(context.pages, base);
  const posts = byPlace(context.posts, base);
  const files = await findFiles(root, entry?.files ?? {});
  return (address) => {
    const { suffix } = splitAddress(address);
    const place = address.startsWith("#") ? undefined : placeOf(address, base);
    if (place === undefined) return undefined;
    const [page, post, own] = [pages.get(place), posts.get(place), files.get(new URL(place).pathname)];
    if (page !== undefined) return page + suffix;
    if (post !== undefined) return relativeTo(file, post) + suffix;
    return own === undefined ? undefined : addressInPost({ root, path: join(root, file) }, own);
  };
}

/** Replaces published addresses in the HTML of a post with those of the project. */
export function restoreAddresses(html: string, restore: RestoreAddress): string {
  const { references, render } = parsePostHtml(html);
  const restored = references.flatMap(({ kind, address }) => {
    const own = restore(address);
    return own === undefined ? [] : [{ kind, address, own }];
  });
  const ofKind = (wanted: "image" | "link") =>
    new Map(restored.filter(({ kind }) => kind === wanted).map(({ address, own }) => [address, own]));
  return render({ images: ofKind("image"), links: ofKind("link"), idPrefix: "", firstHeading: "keep" });
}

function byPlace(names: ReadonlyMap<string, string>, base: string): ReadonlyMap<string, string> {
  return new Map([...names].map(([address, name]) => [placeOf(address, base) ?? address, name]));
}

/** An absolute address without what doesn't change the page: the query, the fragment, and a slash at the end. */
function placeOf(address: string, base: string): string | undefined {
  const url = URL.parse(address, base);
  return url !== null && /^https?:$/.test(url.protocol) ? url.origin + url.pathname.replace(/\/+$/, "") : undefined;
}

function relativeTo(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith(".") ? path : `./${path}`;
}

const PICTURES = "{src,public}/**/*.{avif,gif,jpg,jpeg,png,svg,webp}";

/** Finds the files of the project that a post was sent with. Returns their absolute paths, by path in the library. */
async function findFiles(root: string, sent: NonNullable<PostEntry["files"]>): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  if (Object.keys(sent).length === 0) return found;
  const rules = { cwd: root, ignore: ["**/node_modules/**"], followSymbolicLinks: false, caseSensitiveMatch: false };
  for (const path of (await fastGlob.glob([PICTURES, "public/**/*"], rules)).toSorted()) {
    const content = await readFile(join(root, path)).catch(() => undefined);
    if (content === undefined) continue;
    for (const hash of possibleHashes(path, content)) {
      const place = sent[hash.slice(0, 8)];
      if (place !== undefined && !found.has(place)) found.set(place, join(root, path));
    }
  }
  return found;
}
