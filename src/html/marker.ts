import { ownText } from "../base/own-text.ts";
import { sha256 } from "../base/hash.ts";
import { hashHtml, type PageHtml } from "./page-html.ts";

// The marker says what a published page was made from and by which project, so that a run without any memory recognizes
// its own pages. Its first word is the hash of the page with placeholders. Two more are put in when the addresses are
// known: the hash of everything else in the page (as long as it fits, nobody has edited the page since), and the id of
// the project. Pages that version 0.1 published name no project.
const MARKER = /<meta name="imprint" content="([0-9a-f]{64})(?: ([0-9a-f]{64}))?(?: ([0-9a-z]{4,32}))?">/;

export interface Marker {
  /** Hash of the HTML with placeholders that the page was made from. */
  readonly hash: string;
  /** Whether the page is byte for byte what was published. */
  readonly intact: boolean;
  /** Id of the project that published it; `undefined`: version 0.1 did. */
  readonly project: string | undefined;
}

export function renderMarker(hash: string): string {
  return `<meta name="imprint" content="${hash}">`;
}

/** Stands in a page until its hash is known. */
export const UNSET_MARKER = renderMarker("0".repeat(64));

/** Puts the hash of everything else in a page into its unset marker. Without one, the page comes back as it is. */
export function setMarker({ html, findInsert }: PageHtml): PageHtml & { readonly hash: string } {
  const place = html.indexOf(UNSET_MARKER);
  if (place === -1) return { html, findInsert, hash: hashHtml({ html, findInsert }) };
  const [before, after] = [html.slice(0, place), html.slice(place + UNSET_MARKER.length)];
  const hash = hashHtml({ html: before + after, findInsert });
  return { html: before + renderMarker(hash) + after, findInsert, hash };
}

export function findMarker(html: string): Marker | undefined {
  const [, hash, seal, project] = MARKER.exec(html) ?? [];
  if (hash === undefined) return undefined;
  return { hash: ownText(hash), intact: seal === sealOf(html), project: project && ownText(project) };
}

/** Adds the seal and the project. Takes HTML that holds its marker and no placeholder. */
export function sealMarker({ html, findInsert }: PageHtml, project: string): PageHtml {
  const found = MARKER.exec(html);
  if (found === null) return { html, findInsert };
  const [before, after] = [html.slice(0, found.index), html.slice(found.index + found[0].length)];
  const seal = hashHtml({ html: before + after, findInsert });
  return {
    html: `${before}<meta name="imprint" content="${found[1]} ${seal} ${project}">${after}`,
    findInsert,
  };
}

/** A page as it would be without its marker. */
export function withoutMarker(html: string): string {
  return html.replace(MARKER, "");
}

function sealOf(html: string): string {
  return sha256(withoutMarker(html));
}
