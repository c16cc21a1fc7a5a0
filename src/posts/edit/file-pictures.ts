import { mkdir, readdir, readFile, realpath, stat, writeFile } from "node:fs/promises";
import { basename, dirname, extname, join, posix, relative, resolve, sep } from "node:path";
import { lookup } from "mrmime";
import { ImprintError, messageOf, systemCodeOf } from "../../base/error.ts";
import type { FilePicture, ReadPicture } from "../../contract/project-files.ts";
import type { MarkdownPlace } from "../read/find-markdown.ts";
import { foldSlug } from "../read/slugs.ts";
import { findNeighbours } from "../write/new-post.ts";

/** A post and the project around it. */
export interface PostPlace extends MarkdownPlace {
  /** Absolute path of the post. */
  readonly path: string;
}

const TYPES = "png|jpe?g|webp|avif|gif|svg";
const PICTURE = new RegExp(String.raw`\.(?:${TYPES})$`, "i");
/** Paths of pictures in Markdown, HTML, and front matter. */
const ADDRESS = new RegExp(String.raw`(?:\.{0,2}/)?[^\s"'()<>\[\]:]+\.(?:${TYPES})(?=["')\s>]|$)`, "gim");
const MOST_POSTS = 30;
const MOST_NAMES = 1000;

/** Lists the pictures in the folder where a new one of the post would go, newest first. */
export async function listPictures(place: PostPlace): Promise<readonly FilePicture[]> {
  const folder = await findPictureFolder(place);
  const names = (await readdir(folder).catch(() => [])).filter((name) => PICTURE.test(name));
  const dated = names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs }));
  const newest = (await Promise.all(dated)).toSorted((one, other) => other.at - one.at);
  // Markdown accepts other characters only encoded, and front matter only unencoded.
  return newest
    .map(({ name }) => ({ name, address: addressInPost(place, join(folder, name)) }))
    .filter(({ address }) => !/[\s()<>%]/.test(address));
}

/** Adds a picture to the project's picture folder. An identical picture is not added twice. */
export async function addPicture(place: PostPlace, name: string, bytes: Uint8Array): Promise<FilePicture> {
  const folder = await findPictureFolder(place);
  const ending = extname(name).toLowerCase();
  const start = foldSlug(basename(name, extname(name)));
  await mkdir(folder, { recursive: true });
  for (let count = 1; count <= MOST_NAMES; count += 1) {
    const file = join(folder, `${start}${count === 1 ? "" : `-${count}`}${ending}`);
    try {
      await writeFile(file, bytes, { flag: "wx" });
    } catch (error) {
      if (systemCodeOf(error) !== "EEXIST") {
        throw new ImprintError("STATE_UNWRITABLE", `${file} can't be written: ${messageOf(error)}`, { cause: error });
      }
      if (!(await readFile(file)).equals(bytes)) continue;
    }
    return { name: basename(file), address: addressInPost(place, file) };
  }
  throw new ImprintError("STATE_UNWRITABLE", `${folder} has too many pictures named ${start}.`);
}

/**
 * Reads a picture that a post references by path. Returns `undefined` if it isn't a picture or is outside the project.
 */
export async function readPicture(place: PostPlace, address: string): Promise<ReadPicture | undefined> {
  const file = await findPicture(place, address);
  if (file === undefined) return undefined;
  return { bytes: await readFile(file), contentType: lookup(file) ?? "application/octet-stream" };
}

async function findPicture(place: PostPlace, address: string): Promise<string | undefined> {
  if (!PICTURE.test(address) || address.includes("\0")) return undefined;
  const wanted = address.startsWith("/") ? join(place.root, "public", address) : resolve(dirname(place.path), address);
  const file = await realpath(wanted).catch(() => undefined);
  const below = file === undefined ? "" : relative(await realpath(place.root), file);
  const isOutside = below === "" || below.split(sep).some((part) => part.startsWith(".") || part === "node_modules");
  return isOutside ? undefined : file;
}

/**
 * Returns the folder for new pictures: where this post has most of its pictures, else where the other posts do, else
 * beside the post.
 */
async function findPictureFolder(place: PostPlace): Promise<string> {
  const { root, folder, path } = place;
  const others = (await findNeighbours(root, folder)).slice(-MOST_POSTS).map((each) => join(root, folder, each));
  const own = await countFolders({ ...place, path });
  const counts = own.size > 0 ? own : new Map<string, number>();
  if (own.size === 0) {
    for (const other of others) {
      for (const [found, count] of await countFolders({ ...place, path: other })) {
        const beside = found === (await realpath(dirname(other))) ? dirname(path) : found;
        counts.set(beside, (counts.get(beside) ?? 0) + count);
      }
    }
  }
  const [[most] = []] = [...counts].toSorted(([, one], [, other]) => other - one);
  return most ?? dirname(path);
}

/** Counts the pictures that a post references, by folder. */
async function countFolders(place: PostPlace): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const source = await readFile(place.path, "utf8").catch(() => "");
  for (const [address] of source.matchAll(ADDRESS)) {
    const file = await findPicture(place, address);
    if (file !== undefined) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  }
  return counts;
}

/** Returns how the post references a file: site URL for files in `public`, relative path for all others. */
export function addressInPost({ root, path }: Pick<PostPlace, "root" | "path">, file: string): string {
  const served = relative(join(root, "public"), file).replaceAll("\\", "/");
  if (!served.startsWith("..")) return `/${served}`;
  const way = posix.normalize(relative(dirname(path), file).replaceAll("\\", "/"));
  return way.startsWith(".") ? way : `./${way}`;
}
