import { LRUCache } from "lru-cache";
import { sha256 } from "../../../base/hash.ts";
import { decodeComponent } from "../../../base/decode-component.ts";
import type { ReadPicture } from "../../../contract/project-files.ts";
import type { Thumbnails } from "../../resources/thumbnails.ts";

const SOURCE = /(?<=<img\b[^>]*?\ssrc=")(?![a-z][a-z\d+.-]*:|\/\/)[^"]+(?=")/gi;
const SIDE = 900;
const MAX_BYTES = 256 * 1024;
const MAX_CHARACTERS = 16 * 1024 * 1024;

// The preview is rendered again with every pause in typing.
const small = new LRUCache<string, string>({ maxSize: MAX_CHARACTERS, sizeCalculation: (text) => text.length });

interface Pictures {
  read(address: string): Promise<ReadPicture | undefined>;
  readonly thumbnails: Thumbnails;
}

/**
 * Inlines a project's images as thumbnails: the preview's frame has no session, so it can't load them. Undecodable ones
 * appear as missing.
 */
export async function inlinePictures(html: string, { read, thumbnails }: Pictures): Promise<string> {
  const inlined = new Map<string, string>();
  for (const [source] of html.matchAll(SOURCE)) {
    const picture = inlined.has(source) ? undefined : await read(decode(source));
    if (picture !== undefined) inlined.set(source, (await shrink(picture.bytes, thumbnails)) ?? source);
  }
  return html.replaceAll(SOURCE, (source) => inlined.get(source) ?? source);
}

async function shrink(bytes: Uint8Array, thumbnails: Thumbnails): Promise<string | undefined> {
  const key = sha256(bytes);
  const known = small.get(key);
  if (known !== undefined) return known;
  const made = await thumbnails.shrink({ bytes, side: SIDE, maxBytes: MAX_BYTES });
  const data = made && `data:image/webp;base64,${Buffer.from(made).toString("base64")}`;
  if (data !== undefined) small.set(key, data);
  return data;
}

function decode(source: string): string {
  return decodeComponent(source.replaceAll("&amp;", "&").split(/[?#]/, 1)[0] ?? "");
}
