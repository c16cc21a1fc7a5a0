/** An address in a style sheet, with the range to replace: `url(…)`, a string, or an `@import`. */
export interface CssAddress {
  readonly kind: "url" | "string" | "import";
  readonly address: string;
  readonly start: number;
  readonly end: number;
  /** For an `@import`: the text after the address, such as `layer(base) screen`. */
  readonly conditions: string;
}

const TOKEN = /\/\*|["'\\]|(?<![\w-])(?:url\(|@import(?![\w-])|(?:-webkit-)?image-set\()/gi;
const URL_FUNCTION = /url\(/iy;

/**
 * Finds the addresses of a style sheet: every `url()`, the strings of `image-set()`, and every `@import`. Skips
 * comments, other strings, and an `@import` after other rules, which browsers ignore.
 */
export function findCssAddresses(css: string): readonly CssAddress[] {
  const found: CssAddress[] = [];
  const token = new RegExp(TOKEN);
  const rulesStart = startOfRules(css);
  for (let match = token.exec(css); match !== null; match = token.exec(css)) {
    const [text] = match;
    const step = readToken(css, match.index, text.toLowerCase());
    found.push(...step.found.filter(({ kind, start }) => kind !== "import" || start < rulesStart));
    token.lastIndex = Math.max(step.end, match.index + 1);
  }
  return found;
}

interface Step {
  readonly end: number;
  readonly found: readonly CssAddress[];
}

function readToken(css: string, start: number, token: string): Step {
  switch (token) {
    case "/*":
      return { end: endOfComment(css, start), found: [] };
    case "\\":
      return { end: start + 2, found: [] };
    case '"':
    case "'":
      return { end: endOfString(css, start), found: [] };
    case "url(":
      return readUrl(css, start);
    case "@import":
      return readImport(css, start);
    default:
      return readImageSet(css, start, start + token.length);
  }
}

function readUrl(css: string, start: number): Step {
  const inner = skipSpace(css, start + "url(".length);
  const quoted = css[inner] === '"' || css[inner] === "'";
  const innerEnd = quoted ? endOfString(css, inner) : endOfBareUrl(css, inner);
  const closing = css.indexOf(")", innerEnd);
  const end = closing === -1 ? css.length : closing + 1;
  const text = quoted ? stringBody(css, inner, innerEnd) : css.slice(inner, innerEnd).trimEnd();
  return { end, found: [{ kind: "url", address: unescapeCss(text), start, end, conditions: "" }] };
}

function readImport(css: string, start: number): Step {
  const target = skipSpace(css, start + "@import".length);
  URL_FUNCTION.lastIndex = target;
  const isUrl = URL_FUNCTION.test(css);
  if (!isUrl && css[target] !== '"' && css[target] !== "'") return { end: target, found: [] };
  const [url] = isUrl ? readUrl(css, target).found : [];
  const targetEnd = url?.end ?? endOfString(css, target);
  const address = url?.address ?? unescapeCss(stringBody(css, target, targetEnd));
  const end = endOfStatement(css, targetEnd);
  const conditions = css.slice(targetEnd, end).replace(/;$/, "").trim();
  return { end, found: [{ kind: "import", address, start, end, conditions }] };
}

function readImageSet(css: string, start: number, inner: number): Step {
  const found: CssAddress[] = [];
  let position = inner;
  for (let depth = 1; depth > 0 && position < css.length;) {
    const character = css[position];
    URL_FUNCTION.lastIndex = position;
    if (character === '"' || character === "'") {
      const end = endOfString(css, position);
      // A string inside `type("image/webp")` isn't an address.
      if (depth === 1) {
        const address = unescapeCss(stringBody(css, position, end));
        found.push({ kind: "string", address, start: position, end, conditions: "" });
      }
      position = end;
    } else if (URL_FUNCTION.test(css)) {
      const url = readUrl(css, position);
      found.push(...url.found);
      position = url.end;
    } else {
      if (character === "(") depth += 1;
      if (character === ")") depth -= 1;
      if (character === ";" || character === "}") depth = 0;
      position += 1;
    }
  }
  return { end: Math.max(position, start + 1), found };
}

/** Renders an address as `url()`, quoted if necessary. */
export function renderCssUrl(address: string): string {
  return /^[^\s"'()\\<]*$/.test(address) ? `url(${address})` : `url(${renderCssString(address)})`;
}

/** Renders a text as a CSS string that is safe inside `<style>`. */
export function renderCssString(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&").replace(/[\n\r\f<]/g, (character) => `\\${character.charCodeAt(0).toString(16)} `)}"`;
}

// Malformed CSS ends where browsers end it: a string at the end of its line, everything else at the end of the text.

/** The position after a comment that begins at `start`. */
export function endOfComment(css: string, start: number): number {
  const end = css.indexOf("*/", start + 2);
  return end === -1 ? css.length : end + 2;
}

/** The position after a string that begins at `start`; a line break ends an unterminated string. */
export function endOfString(css: string, start: number): number {
  const stop = css[start] === "'" ? /['\\\n\r\f]/g : /["\\\n\r\f]/g;
  stop.lastIndex = start + 1;
  for (let match = stop.exec(css); match !== null; match = stop.exec(css)) {
    if (match[0] !== "\\") return match[0] === css[start] ? match.index + 1 : match.index;
    stop.lastIndex = match.index + 2;
  }
  return css.length;
}

/** The position after the text of an unquoted `url()`. */
function endOfBareUrl(css: string, start: number): number {
  const stop = /[)\\]/g;
  stop.lastIndex = start;
  for (let match = stop.exec(css); match !== null; match = stop.exec(css)) {
    if (match[0] === ")") return match.index;
    stop.lastIndex = match.index + 2;
  }
  return css.length;
}

/** The position after a rule without a block, such as `@import`, including its semicolon. */
function endOfStatement(css: string, start: number): number {
  const stop = /[;"'{}]|url\((?!\s*["'])/gi;
  stop.lastIndex = start;
  for (let match = stop.exec(css); match !== null; match = stop.exec(css)) {
    const { 0: token, index } = match;
    if (token === ";") return index + 1;
    if (token === "{" || token === "}") return index;
    // An unquoted address may contain a semicolon.
    stop.lastIndex = token.length > 1 ? endOfBareUrl(css, index + token.length) : endOfString(css, index);
  }
  return css.length;
}

/** The text between the quotes of a string. */
function stringBody(css: string, start: number, end: number): string {
  const closed = end - 1 > start && css[end - 1] === css[start];
  return css.slice(start + 1, closed ? end - 1 : end);
}

/** The first position at or after `position` that is neither whitespace nor a comment. */
function skipSpace(css: string, position: number): number {
  const space = /(?:\s|\/\*[^]*?\*\/)*/y;
  space.lastIndex = position;
  return position + (space.exec(css)?.[0].length ?? 0);
}

function unescapeCss(text: string): string {
  if (!text.includes("\\")) return text;
  return text.replace(/\\(?:([0-9a-f]{1,6})[ \t\n\r\f]?|(\r\n|[^]))/gi, (_, hex?: string, character?: string) => {
    if (hex === undefined) return /[\n\r\f]/.test(character ?? "") ? "" : (character ?? "");
    const code = Number.parseInt(hex, 16);
    return code === 0 || code > 0x10ffff ? "\uFFFD" : String.fromCodePoint(code);
  });
}

/** The position where the rules begin, after comments and `@charset`, `@import`, and `@layer` statements. */
function startOfRules(css: string): number {
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
