import { lacksFrames, lacksImages } from "../../html/own-parts.ts";

/** A part of posts that some blogs remove, as reports name it. */
export type PostPart = keyof typeof PARTS;

const PARTS = {
  images: /<img\b/i,
  tables: /<table\b/i,
  "code blocks": /<(?:pre|code)\b/i,
  frames: /<iframe\b/i,
} as const;

const NAMES = Object.keys(PARTS) as readonly PostPart[];

/** Returns the parts of a post that some blogs remove. */
export function partsOfPost(html: string): readonly PostPart[] {
  return NAMES.filter((name) => PARTS[name].test(html));
}

/**
 * Returns the parts of a post that readers don't get.
 *
 * @param shown The page that shows it, which may have such parts of its own, or its text in the list
 */
export function lostParts(sent: string, shown: string): readonly PostPart[] {
  return partsOfPost(sent).filter((name) => {
    if (!PARTS[name].test(shown)) return true;
    if (name === "images") return lacksImages(sent, shown);
    return name === "frames" && lacksFrames(sent, shown);
  });
}
