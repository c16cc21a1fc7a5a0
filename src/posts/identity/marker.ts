import { sha256 } from "../../base/hash.ts";

/** What the hidden span at the end of a published post says. */
export interface PostMarker {
  /** 16 digits: which post of which collection it is. */
  readonly uid: string;
  /** The first 12 digits of the hash of the source that it was made from. */
  readonly source: string;
  /** Id of the project that published it; `undefined`: version 0.1 did. */
  readonly project: string | undefined;
}

// The quotes differ because a service may write the HTML anew.
const MARKER =
  /<span[^>]*\sdata-imprint-post=["']?(?:v1|v2:([0-9a-z]{4,32})):([0-9a-f]{16}):([0-9a-f]{12})["']?[^>]*>\s*<\/span>/;

/** Which post this is, on every machine and whatever its title. */
export function postUid({ collection, slug }: { readonly collection: string; readonly slug: string }): string {
  return sha256(JSON.stringify(["imprint-post", collection, slug])).slice(0, 16);
}

/** Puts the marker at the end, in place of any that the author's text holds. */
export function withPostMarker(html: string, { uid, source, project }: PostMarker): string {
  const version = project === undefined ? "v1" : `v2:${project}`;
  return `${withoutPostMarkers(html)}<span hidden data-imprint-post="${version}:${uid}:${source}"></span>`;
}

export function withoutPostMarkers(html: string): string {
  return html.replaceAll(new RegExp(MARKER, "g"), "");
}

/** The last marker of a text: a page may show an excerpt of another post above. */
export function findPostMarker(html: string): PostMarker | undefined {
  const last = [...html.matchAll(new RegExp(MARKER, "g"))].at(-1);
  const [, project, uid, source] = last ?? [];
  return uid === undefined || source === undefined ? undefined : { uid, source, project };
}

/** Whether a marker says that this project published the post, or that version 0.1 did, which named none. */
export function isOwnMarker(marker: PostMarker | undefined, project: string): boolean {
  return marker !== undefined && (marker.project === undefined || marker.project === project);
}

/** The form of a source hash that a marker holds. */
export function markedSource(sourceHash: string): string {
  return sourceHash.slice(0, 12);
}
