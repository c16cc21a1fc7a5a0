/** One address of a `srcset`, with its place in the attribute's value. */
export interface SrcsetAddress {
  readonly address: string;
  readonly start: number;
  readonly end: number;
}

/** Finds the addresses of a `srcset`, by the rules of the HTML standard: commas inside an address belong to it. */
export function findSrcsetAddresses(srcset: string): readonly SrcsetAddress[] {
  const addresses: SrcsetAddress[] = [];
  let position = 0;
  while (true) {
    const start = skip(srcset, position, /[\s,]*/y);
    if (start >= srcset.length) return addresses;
    const end = skip(srcset, start, /\S+/y);
    const address = srcset.slice(start, end).replace(/,+$/, "");
    addresses.push({ address, start, end: start + address.length });
    const hasDescriptor = address.length === end - start;
    position = hasDescriptor ? skip(srcset, end, /(?:\([^)]*\)?|[^,(])*/y) : end;
  }
}

function skip(text: string, position: number, pattern: RegExp): number {
  pattern.lastIndex = position;
  return position + (pattern.exec(text)?.[0].length ?? 0);
}
