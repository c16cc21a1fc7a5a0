// A span that no reader sees says which source a post was made from. It is looked for in what the service lists, where
// the service lists the body, so that a run without memory tells an edited post from an unchanged one.
const MARKER = /<span hidden data-imprint-post="v1:([0-9a-f]{12})"><\/span>/;
const SOURCE_DIGITS = 12;

export function withPostMarker(html: string, sourceHash: string): string {
  const clean = html.replaceAll(new RegExp(MARKER, "g"), "");
  return `${clean}<span hidden data-imprint-post="v1:${sourceHash.slice(0, SOURCE_DIGITS)}"></span>`;
}

/** The first 12 digits of the source hash. */
export function postMarkerOf(html: string): { readonly sourceHash: string } | undefined {
  const sourceHash = MARKER.exec(html)?.[1];
  return sourceHash === undefined ? undefined : { sourceHash };
}
