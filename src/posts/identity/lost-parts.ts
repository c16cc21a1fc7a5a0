import { decodeComponent } from "../../base/decode-component.ts";
import { addressesIn, lacksFrames, lacksImages } from "../../html/own-parts.ts";
import { lacksLineBreaks } from "../../html/replaced-parts.ts";

/** A part of posts that some blogs remove, as reports name it. */
export type PostPart = keyof typeof PARTS;

const ESCAPES = "characters < and &, which it shows as &lt; and &amp;";
const CODE_LINES = "line breaks in code";

const PARTS = {
  images: /<img\b/i,
  tables: /<table\b/i,
  "code blocks": /<(?:pre|code)\b/i,
  frames: /<iframe\b/i,
  links: /<a\s[^>]*href\s*=\s*(?:["']|(?=[^"'\s]))(?!#|mailto:|tel:|imprint-post:)/i,
  lists: /<[ou]l\b/i,
  headings: /<h[1-6]\b/i,
  quotations: /<blockquote\b/i,
  "struck-out text": /<(?:del|s|strike)\b/i,
  "raised and lowered characters": /<su[bp]\b/i,
  [CODE_LINES]: /<pre\b[^>]*>[^\n]*\n/i,
  [ESCAPES]: /&(?:amp|lt|#x26|#x3c);/i,
} as const;

const NAMES = Object.keys(PARTS) as readonly PostPart[];

/** Returns the parts of a post that some blogs remove. */
export function partsOfPost(html: string): readonly PostPart[] {
  return NAMES.filter((name) => PARTS[name].test(html));
}

const ESCAPED_TWICE = /&amp;(?:amp|lt|gt|#x?[\da-f]+);/i;

// A page that shows a post may have such parts of its own, but not fewer than the post.
const COUNTED: readonly PostPart[] = [
  "lists",
  "headings",
  "quotations",
  "struck-out text",
  "raised and lowered characters",
];

const IS_LOST: Partial<Readonly<Record<PostPart, (sent: string, shown: string) => boolean>>> = {
  images: lacksImages,
  frames: lacksFrames,
  links: lacksLink,
  [CODE_LINES]: lacksLineBreaks,
  [ESCAPES]: (sent, shown) => ESCAPED_TWICE.test(shown) && !ESCAPED_TWICE.test(sent),
  ...Object.fromEntries(
    COUNTED.map((name) => [name, (sent: string, shown: string) => countOf(name, shown) < countOf(name, sent)]),
  ),
};

/**
 * Returns the parts of a post that readers don't get.
 *
 * @param shown The page that shows it, which may have such parts of its own, or its text in the list
 */
export function lostParts(sent: string, shown: string): readonly PostPart[] {
  return partsOfPost(sent).filter((name) => {
    const isInText = name === ESCAPES || name === CODE_LINES;
    if (!isInText && !PARTS[name].test(shown)) return true;
    return IS_LOST[name]?.(sent, shown) ?? false;
  });
}

function countOf(name: PostPart, html: string): number {
  return html.match(new RegExp(PARTS[name], "gi"))?.length ?? 0;
}

const LINK = /<a\s[^>]*>/gi;
const ELSEWHERE = /^(?:#|mailto:|tel:|imprint-post:)/i;

// Hosts lead links over addresses of their own, in which the target is a part.
function lacksLink(sent: string, shown: string): boolean {
  const there = addressesIn(shown, LINK).map(decodeComponent).join("\n");
  const targets = addressesIn(sent, LINK).filter((address) => !ELSEWHERE.test(address));
  return targets.map(lastPart).some((target) => !there.includes(decodeComponent(target)));
}

function lastPart(address: string): string {
  const path = address.replace(/[?#].*$/s, "").replace(/\/$/, "");
  return path.slice(path.lastIndexOf("/") + 1);
}
