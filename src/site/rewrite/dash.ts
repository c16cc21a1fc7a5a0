type Replace = (address: string) => string | undefined;

// With the text behind it.
const TAG = /<!--[^]*?-->|<(\/?)([\w:.-]+)((?:"[^"]*"|'[^']*'|[^>"'])*?)(\/?)>([^<]*)/g;
const NAMED = /(?<=\s(?:media|initialization|index|sourceURL)=(["']))[^"']+(?=\1)/g;
const TEMPLATE = /\s(?:media|initialization|index)=(["'])([^"']*\$[A-Z]\w*(?:%\w+)?\$[^"']*)\1/g;

/**
 * Replaces the addresses of an MPEG-DASH manifest's segments (ISO/IEC 23009-1): `<BaseURL>`, which may also name the
 * folder of what follows it, and attributes.
 */
export function replaceSegments(xml: string, replace: Replace): string {
  // What the addresses in each open element are relative to.
  const bases = [""];
  const put = (written: string, base: string): string =>
    replace(joinTo(base, written.replaceAll("&amp;", "&")))
      ?.replaceAll("&", "&amp;")
      .replaceAll('"', "%22") ?? written;
  return xml.replace(TAG, (...match: readonly (string | undefined)[]) => {
    const [tag = "", end, name = "", attributes = "", empty = "", text = ""] = match;
    if (end === undefined) return tag;
    if (end !== "") {
      bases.pop();
      return tag;
    }
    const [base = "", address] = [bases.at(-1), text.trim()];
    const isBase = name === "BaseURL" && address !== "";
    const outer = bases.at(-2) ?? "";
    if (isBase) bases[bases.length - 1] = joinTo(outer, address);
    if (empty === "") bases.push(base);
    const changed = attributes.replace(NAMED, (written: string) => put(written, base));
    return `<${name}${changed}${empty}>${isBase ? text.replace(address, () => put(address, outer)) : text}`;
  });
}

function joinTo(base: string, address: string): string {
  return /^(?:[a-z][a-z0-9+.-]*:|\/)/i.test(address) ? address : base.replace(/[^/]*$/, "") + address;
}

/** Finds the addresses that a player computes (`seg-$Number$.m4s`), with their positions. */
export function findSegmentTemplates(xml: string): readonly { readonly start: number; readonly address: string }[] {
  return Array.from(xml.matchAll(TEMPLATE), ({ index: start, 2: address = "" }) => ({ start, address }));
}
