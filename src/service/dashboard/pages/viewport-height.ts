// An element that is never closed ends with the page, and a tag with the next `<`: so the pattern stays quick on any page.
const STYLE = /<style\b[^<>]*>[^]*?(?:<\/style\s*>|$)|\sstyle\s*=\s*(?:"[^"]*"|'[^']*')/gi;
// Not in the name of a class, where the brackets before it are escaped.
const LENGTH = /(?<![\w#.]|\w-|\\.|\\.-)((?:\d*\.)?\d+)[sld]?v[hb]\b/gi;

/**
 * Replaces lengths that depend on the height of the window (`100vh`, `50svh`) by those of a window of this height, in
 * style elements and attributes. So a page can be laid out whole in a frame as high as the page.
 */
export function fixViewportHeight(html: string, windowHeight: number): string {
  return html.replaceAll(STYLE, (style) =>
    style.replaceAll(LENGTH, (_length, number: string) => `${(Number(number) * windowHeight) / 100}px`),
  );
}
