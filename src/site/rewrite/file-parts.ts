import { replaceJsonStrings } from "../../html/address-texts.ts";

type Replace = (address: string) => string | undefined;

const GLTF = "model/gltf+json";
const PLAY_LIST = "application/vnd.apple.mpegurl";

/** Whether files of a type name other files that they are loaded with, relative to themselves. */
export function hasParts(contentType: string): boolean {
  return contentType === GLTF || contentType === PLAY_LIST;
}

/**
 * Replaces the addresses of a file's parts: buffers and images of a glTF model (`uri`), segments and lists of an HLS
 * play list (RFC 8216: lines that aren't tags, and `URI` of tags).
 */
export function replaceParts(text: string, contentType: string, replace: Replace): string {
  if (contentType === GLTF)
    return replaceJsonStrings(text, (value, key) => (key === "uri" ? replace(value) : undefined));
  return text.replace(/(?<=^#EXT.*\bURI=")[^"]+(?=")|^(?!#)\S+/gm, (address) =>
    (replace(address) ?? address).replaceAll('"', "%22"),
  );
}
