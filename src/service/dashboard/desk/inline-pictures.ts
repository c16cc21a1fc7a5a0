import { LRUCache } from "lru-cache";
import sharp from "sharp";
import { sha256 } from "../../../base/hash.ts";
import type { ReadPicture } from "../../../contract/project-files.ts";
import { decodeComponent } from "../../../base/decode-component.ts";

const SOURCE = /(?<=<img\b[^>]*?\ssrc=")(?![a-z][a-z\d+.-]*:|\/\/)[^"]+(?=")/gi;
const WIDTH = 900;
const QUALITY = 70;
const MAX_CHARACTERS = 16 * 1024 * 1024;

// A preview is made anew with every pause in writing.
const small = new LRUCache<string, string>({ maxSize: MAX_CHARACTERS, sizeCalculation: (text) => text.length });

/**
 * HTML with the pictures of a project in it, made small: the frame of a preview has no session, so it can't load them.
 */
export async function inlinePictures(
  html: string,
  read: (address: string) => Promise<ReadPicture | undefined>,
): Promise<string> {
  const inlined = new Map<string, string>();
  for (const [source] of html.matchAll(SOURCE)) {
    const picture = inlined.has(source) ? undefined : await read(decode(source));
    if (picture !== undefined) inlined.set(source, await shrink(picture, source));
  }
  return html.replaceAll(SOURCE, (source) => inlined.get(source) ?? source);
}

async function shrink({ bytes }: ReadPicture, instead: string): Promise<string> {
  const key = sha256(bytes);
  const known = small.get(key);
  if (known !== undefined) return known;
  try {
    const resized = sharp(bytes).rotate().resize({ width: WIDTH, withoutEnlargement: true });
    const data = `data:image/webp;base64,${(await resized.webp({ quality: QUALITY }).toBuffer()).toString("base64")}`;
    small.set(key, data);
    return data;
  } catch {
    // What can't be decoded is shown as missing, as a browser does.
    return instead;
  }
}

function decode(source: string): string {
  return decodeComponent(source.replaceAll("&amp;", "&").split(/[?#]/, 1)[0] ?? "");
}
