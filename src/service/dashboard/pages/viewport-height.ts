// An unclosed element ends with the page, and a tag with the next `<`, so the pattern is fast on any page.
const STYLE = /<style\b[^<>]*>[^]*?(?:<\/style\s*>|$)|\sstyle\s*=\s*(?:"[^"]*"|'[^']*')/gi;
// Not in class names, where the preceding brackets are escaped.
const LENGTH = /(?<![\w#.]|\w-|\\.|\\.-)((?:\d*\.)?\d+)[sld]?v[hb]\b/gi;

/**
 * Replaces viewport heights (`100vh`, `50svh`) in style elements and attributes with those of a fixed window height, so
 * that a page can be laid out in a frame as high as the page.
 */
export function fixViewportHeight(html: string, windowHeight: number): string {
  return html.replaceAll(STYLE, (style) =>
    style.replaceAll(LENGTH, (_length, number: string) => `${(Number(number) * windowHeight) / 100}px`),
  );
}
