import { replaceJsonStrings } from "../../html/address-texts.ts";
import { replaceSegments } from "./dash.ts";

type Replace = (address: string) => string | undefined;

const GLTF = "model/gltf+json";
const PLAY_LIST = "application/vnd.apple.mpegurl";
export const DASH = "application/dash+xml";
export const CUES = "text/vtt";

/** Whether files of a type name other files that they are loaded with, relative to themselves. */
export function hasParts(contentType: string): boolean {
  return [GLTF, PLAY_LIST, DASH, CUES].includes(contentType);
}

// A cue that is only the name of an image, as players show while the reader seeks: `thumbs.png#xywh=0,0,160,90`.
const IMAGE_OF_CUE = /(?<=-->.*\r?\n)[^\s<>"#]+\.(?:png|jpe?g|webp|avif|gif|svg)(?=(?:#\S*)?\s*$)/gim;

/**
 * Replaces the addresses of a file's parts: buffers and images of a glTF model (`uri`), segments and lists of an HLS
 * play list (RFC 8216: lines that aren't tags, and `URI` of tags), segments of MPEG-DASH, images of WebVTT.
 */
export function replaceParts(text: string, contentType: string, replace: Replace): string {
  if (contentType === GLTF)
    return replaceJsonStrings(text, (value, key) => (key === "uri" ? replace(value) : undefined));
  if (contentType === DASH) return replaceSegments(text, replace);
  if (contentType === CUES) return text.replace(IMAGE_OF_CUE, (address) => replace(address) ?? address);
  return text.replace(/(?<=^#EXT.*\bURI=")[^"]+(?=")|^(?!#)\S+/gm, (address) =>
    (replace(address) ?? address).replaceAll('"', "%22"),
  );
}

/** Whether JSON is the style of a map (https://maplibre.org/maplibre-style-spec/), whose GeoJSON a worker fetches. */
export function isMapStyle(json: string): boolean {
  return /"version"\s*:\s*8\b/.test(json) && /"sources"\s*:/.test(json) && /"layers"\s*:/.test(json);
}

const IMAGE_OF_ANIMATION = /\{(?=[^{}]*"u"\s*:\s*")(?=[^{}]*"p"\s*:\s*")[^{}]*\}/g;

/**
 * Replaces the addresses of a Lottie animation's images, which are in two parts: folder (`u`) and name (`p`). With `e`,
 * a player takes the name as a whole address (https://lottiefiles.github.io/lottie-docs/assets/#image).
 */
export function replaceImagesOfAnimation(json: string, replace: Replace): string {
  return json.replace(IMAGE_OF_ANIMATION, (image) => {
    const read = (key: string): string | undefined => new RegExp(`"${key}"\\s*:\\s*"([^"\\\\]*)"`).exec(image)?.[1];
    const [folder, name] = [read("u"), read("p")];
    const address = folder === undefined || name === undefined ? undefined : replace(folder + name);
    if (address === undefined) return image;
    return image
      .replace(/"u"\s*:\s*"[^"]*"/, '"u":""')
      .replace(/"p"\s*:\s*"[^"]*"/, () => `"p":${JSON.stringify(address)}`)
      .replace(/,\s*"e"\s*:\s*\d|"e"\s*:\s*\d\s*,/, "")
      .replace("{", '{"e":1,');
  });
}

// From the root of the site or whole, and set apart from the text around it.
const ADDRESS =
  /(?<![\w.~%@:/\\*-])(?:https?:\/\/[\w.:-]+)?\/(?!\/)[^\s"'`<>(){}[\]=,;|\\?#&*]*[\w/](?![\w~%/?&*-]|\.\w)/gi;

/** Replaces addresses in a text whose format is unknown. */
export function replaceAddresses(text: string, replace: Replace): string {
  return text.replace(ADDRESS, (address) => replace(address) ?? address);
}
