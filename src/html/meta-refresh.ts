/** What a `<meta http-equiv="refresh">` says. */
export interface MetaRefresh {
  readonly seconds: number;
  readonly address: string;
  /** The content up to the address and after it, so that only the address is replaced. */
  readonly before: string;
  readonly after: string;
}

/** Reads the `content` of a refresh that leads somewhere; `undefined` when it only reloads or can't be read. */
export function parseMetaRefresh(content: string): MetaRefresh | undefined {
  const match = /^(\s*(\d*)[\d.]*\s*[;,\s]\s*(?:url\s*=\s*)?(["']?))(.*)$/is.exec(content);
  const [, before = "", seconds = "", quote = "", rest = ""] = match ?? [];
  if (match === null || rest.trim() === "") return undefined;
  const end = quote === "" || !rest.includes(quote) ? rest.trimEnd().length : rest.indexOf(quote);
  return { seconds: Number(seconds), address: rest.slice(0, end), before, after: rest.slice(end) };
}
