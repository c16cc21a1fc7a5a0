import { sha256 } from "../../base/hash.ts";
import { POST_MARKER } from "../../contract/post-marker.ts";

/** Content of the hidden span at the end of a published post. */
export interface PostMarker {
  /** 16 hex digits that identify the post and its collection. */
  readonly uid: string;
  /** The first 12 digits of the source hash. */
  readonly source: string;
  /** Id of the project that published it; `undefined` if version 0.1 published it. */
  readonly project: string | undefined;
}

// The quotes vary because a service may reserialize the HTML.
const MARKER = new RegExp(
  String.raw`<span[^>]*\s${POST_MARKER}=["']?(?:v1|v2:([0-9a-z]{4,32})):([0-9a-f]{16}):([0-9a-f]{12})["']?[^>]*>\s*</span>`,
);

/** Identifies a post on every machine, regardless of its title. */
export function postUid({ collection, slug }: { readonly collection: string; readonly slug: string }): string {
  return sha256(JSON.stringify(["imprint-post", collection, slug])).slice(0, 16);
}

/** Appends the marker, replacing any in the author's text. */
export function withPostMarker(html: string, { uid, source, project }: PostMarker): string {
  const version = project === undefined ? "v1" : `v2:${project}`;
  return `${withoutPostMarkers(html)}<span hidden ${POST_MARKER}="${version}:${uid}:${source}"></span>`;
}

export function withoutPostMarkers(html: string): string {
  return html.replaceAll(new RegExp(MARKER, "g"), "");
}

/** Returns the last marker of a text, since a page may show an excerpt of another post above. */
export function findPostMarker(html: string): PostMarker | undefined {
  return findPostMarkers(html).at(-1);
}

/** Returns the markers of all posts that a page shows. */
export function findPostMarkers(html: string): readonly PostMarker[] {
  return Array.from(html.matchAll(new RegExp(MARKER, "g")), ([, project, uid = "", source = ""]) => ({
    uid,
    source,
    project,
  }));
}

/** Whether a marker shows that this project published the post, or version 0.1, which recorded no project. */
export function isOwnMarker(marker: PostMarker | undefined, project: string): boolean {
  return marker !== undefined && (marker.project === undefined || marker.project === project);
}

/** The truncated source hash stored in a marker. */
export function markedSource(sourceHash: string): string {
  return sourceHash.slice(0, 12);
}
