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
