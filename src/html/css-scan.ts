// Broken CSS ends where a browser ends it: a string at its line, everything else with the text.

/** The place behind a comment that begins at `start`. */
export function endOfComment(css: string, start: number): number {
  const end = css.indexOf("*/", start + 2);
  return end === -1 ? css.length : end + 2;
}

/** The place behind a string that begins at `start`; a line break ends a string that is not closed. */
export function endOfString(css: string, start: number): number {
  const stop = css[start] === "'" ? /['\\\n\r\f]/g : /["\\\n\r\f]/g;
  stop.lastIndex = start + 1;
  for (let match = stop.exec(css); match !== null; match = stop.exec(css)) {
    if (match[0] !== "\\") return match[0] === css[start] ? match.index + 1 : match.index;
    stop.lastIndex = match.index + 2;
  }
  return css.length;
}

/** The place behind the text of a `url()` without quotes. */
export function endOfBareUrl(css: string, start: number): number {
  const stop = /[)\\]/g;
  stop.lastIndex = start;
  for (let match = stop.exec(css); match !== null; match = stop.exec(css)) {
    if (match[0] === ")") return match.index;
    stop.lastIndex = match.index + 2;
  }
  return css.length;
}

/** The place behind a rule without a block, such as `@import`, with its semicolon. */
export function endOfStatement(css: string, start: number): number {
  const stop = /[;"'{}]|url\((?!\s*["'])/gi;
  stop.lastIndex = start;
  for (let match = stop.exec(css); match !== null; match = stop.exec(css)) {
    const { 0: token, index } = match;
    if (token === ";") return index + 1;
    if (token === "{" || token === "}") return index;
    // An address without quotes may hold a semicolon.
    stop.lastIndex = token.length > 1 ? endOfBareUrl(css, index + token.length) : endOfString(css, index);
  }
  return css.length;
}

/** What stands between the quotes of a string. */
export function stringBody(css: string, start: number, end: number): string {
  const closed = end - 1 > start && css[end - 1] === css[start];
  return css.slice(start + 1, closed ? end - 1 : end);
}

/** The first place at or behind `position` that is neither white space nor a comment. */
export function skipSpace(css: string, position: number): number {
  const space = /(?:\s|\/\*[^]*?\*\/)*/y;
  space.lastIndex = position;
  return position + (space.exec(css)?.[0].length ?? 0);
}

/** Resolves the escapes of a CSS string or address. */
export function unescapeCss(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(/\\(?:([0-9a-f]{1,6})[ \t\n\r\f]?|(\r\n|[^]))/gi, (_, hex?: string, character?: string) => {
    if (hex === undefined) return /[\n\r\f]/.test(character ?? "") ? "" : (character ?? "");
    const code = Number.parseInt(hex, 16);
    return code === 0 || code > 0x10ffff ? "\uFFFD" : String.fromCodePoint(code);
  });
}

/** Where the rules begin: before it stand only comments, `@charset`, `@import` and `@layer` statements. */
export function startOfRules(css: string): number {
  let position = skipSpace(css, 0);
  while (STATEMENT.test(css.slice(position, position + LONGEST_NAME))) {
    const end = endOfStatement(css, position);
    // A layer with a block is a rule.
    if (css[end - 1] !== ";") return end === css.length ? end : position;
    position = skipSpace(css, end);
  }
  return position;
}

const STATEMENT = /^@(?:charset|import|layer)(?![\w-])/i;
const LONGEST_NAME = "@charset ".length;
