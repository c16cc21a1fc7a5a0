import { decodeComponent } from "../base/decode-component.ts";
import { ownText } from "../base/own-text.ts";
import { sha256 } from "../base/hash.ts";
import { hashHtml, type PageHtml } from "./page-html.ts";

// The marker records which source and project a published page was made from, so that a run without memory recognizes
// its own pages. Its first word is the hash of the page with placeholders. Three more are added once the addresses are
// known: the hash of everything else in the page (if it matches, nobody has edited the page since), the id of the
// project, and the slug, since people rename and copy pages in a service's dashboard. Pages published by version 0.1
// have neither project nor slug.
const MARKER = /<meta name="imprint" content="([0-9a-f]{64})(?: ([0-9a-f]{64}))?(?: ([0-9a-z]{4,32}))?(?: ([^" ]+))?">/;

export interface Marker {
  /** Hash of the HTML with placeholders from which the page was made. */
  readonly hash: string;
  /** Whether the page is byte for byte as published. */
  readonly intact: boolean;
  /** Id of the project that published it; `undefined` if version 0.1 published it. */
  readonly project: string | undefined;
  /** Slug that it was published under, if the marker has it. */
  readonly slug: string | undefined;
}

/** What the marker of a page says about where it was published. */
interface Publication {
  /** ID of the project. */
  readonly project: string;
  readonly slug: string;
}

export function renderMarker(hash: string): string {
  return `<meta name="imprint" content="${hash}">`;
}

/** Marker of a page whose hash isn't known yet. */
export const UNSET_MARKER = renderMarker("0".repeat(64));

/** Sets the hash of everything else in a page in its unset marker. Without one, returns the page unchanged. */
export function setMarker({ html, findInsert }: PageHtml): PageHtml & { readonly hash: string } {
  const place = html.indexOf(UNSET_MARKER);
  if (place === -1) return { html, findInsert, hash: hashHtml({ html, findInsert }) };
  const [before, after] = [html.slice(0, place), html.slice(place + UNSET_MARKER.length)];
  const hash = hashHtml({ html: before + after, findInsert });
  return { html: before + renderMarker(hash) + after, findInsert, hash };
}

export function findMarker(html: string): Marker | undefined {
  const [, hash, seal, project, slug] = MARKER.exec(html) ?? [];
  if (hash === undefined) return undefined;
  return {
    hash: ownText(hash),
    intact: seal === sealOf(html),
    project: project && ownText(project),
    slug: slug && decodeComponent(ownText(slug)),
  };
}

/** Whether a file is a page with a marker. What a former domain shows may be somebody else's page. */
export function isMarkedPage({ bytes }: { readonly bytes: Uint8Array }): boolean {
  return findMarker(Buffer.from(bytes).toString()) !== undefined;
}

/** Adds the seal, the project, and the slug. Expects HTML with a marker and without placeholders. */
export function sealMarker({ html, findInsert }: PageHtml, { project, slug }: Publication): PageHtml {
  const found = MARKER.exec(html);
  if (found === null) return { html, findInsert };
  const [before, after] = [html.slice(0, found.index), html.slice(found.index + found[0].length)];
  const seal = hashHtml({ html: before + after, findInsert });
  return {
    html: `${before}<meta name="imprint" content="${found[1]} ${seal} ${project} ${encodeURIComponent(slug.toWellFormed())}">${after}`,
    findInsert,
  };
}

export function withoutMarker(html: string): string {
  return html.replace(MARKER, "");
}

function sealOf(html: string): string {
  return sha256(withoutMarker(html));
}
