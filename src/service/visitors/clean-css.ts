import { tokenize, tokenTypes } from "css-tree";

const {
  AtKeyword,
  BadUrl,
  Function,
  Ident,
  LeftCurlyBracket,
  LeftParenthesis,
  RightParenthesis,
  Semicolon,
  String: Text,
  Url,
} = tokenTypes;

const ADDRESS_FUNCTIONS: ReadonlySet<string> = new Set(["url", "src", "image", "image-set", "-webkit-image-set"]);

interface Token {
  readonly type: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Removes what CSS would load from elsewhere: `@import` rules, and URLs that aren't `allowed`. Returns the same string
 * if there is nothing to remove, and an empty one if a URL is hidden by escapes.
 */
export function cleanCss(css: string, isAllowed: (address: string) => boolean): string {
  if (!/[(@\\]/.test(css)) return css;
  const tokens: Token[] = [];
  tokenize(css, (type, start, end) => tokens.push({ type, start, end }));
  let cleaned = "";
  let [kept, depth] = [0, 0];
  const openFunctions: string[] = [];
  for (const [index, { type, start, end }] of tokens.entries()) {
    if (start < kept) continue;
    const written = css.slice(start, end);
    if (type === BadUrl || hidesName(type, written)) return "";
    if (type === AtKeyword && written.toLowerCase() === "@import") {
      const close = tokens.slice(index).find((token) => token.type === Semicolon || token.type === LeftCurlyBracket);
      cleaned += css.slice(kept, start);
      kept = close?.type === Semicolon ? close.end : css.length;
    }
    if (type === Function || type === LeftParenthesis) openFunctions[depth++] = written.slice(0, -1).toLowerCase();
    if (type === RightParenthesis && depth > 0) depth--;
    const isAddress = type === Url || (type === Text && ADDRESS_FUNCTIONS.has(openFunctions[depth - 1] ?? ""));
    if (!isAddress || isAllowed(addressOf(type, written))) continue;
    cleaned += css.slice(kept, start) + (type === Url ? "url(#)" : '"#"');
    kept = end;
  }
  return kept === 0 ? css : cleaned + css.slice(kept);
}

/** Whether escapes hide the name of something that loads; browsers decode them, but our tokenizer doesn't. */
function hidesName(type: number, written: string): boolean {
  if (!written.includes("\\") || ![AtKeyword, Function, Ident].includes(type)) return false;
  const name = unescape(written).toLowerCase().replace(/\($/, "");
  return name === "@import" || ADDRESS_FUNCTIONS.has(name);
}

function addressOf(type: number, written: string): string {
  const inner = type === Url ? written.replace(/^url\(\s*|\s*\)?$/gi, "") : written.replace(/^["']|["']$/g, "");
  return unescape(inner).trim();
}

function unescape(text: string): string {
  return text.replaceAll(/\\(?:([\da-f]{1,6})\s?|\n|([^\n]))/gi, (_, hex: string | undefined, character = "") => {
    const code = Number.parseInt(hex ?? "", 16);
    return hex === undefined ? character : String.fromCodePoint(code > 0 && code <= 0x10_ff_ff ? code : 0xff_fd);
  });
}
