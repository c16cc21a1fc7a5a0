import { sha256 } from "../../base/hash.ts";
import type { ImprintApi, Page, WriteOptions } from "../../client/api.ts";
import { failureOf } from "../../client/transport/outcome.ts";
import { isSameHash } from "../lock.ts";
import { readVersion } from "../seen.ts";

/** What became of a change of a page that somebody may have edited meanwhile. */
export type Changed<Result> =
  | { readonly kind: "changed"; readonly result: Result }
  /** Somebody edited it after it was seen, perhaps only its title: it is as they left it. */
  | { readonly kind: "edited"; readonly title: string | undefined }
  /** Somebody deleted it. */
  | { readonly kind: "gone" };

export interface SeenPage {
  readonly slug: string;
  readonly record: Page;
  /** SHA-256 of its HTML as it was seen, or as it was sent. */
  readonly sent?: string;
  /** The same as the service shows it, where that is another. */
  readonly shown?: string;
}

const MOST_TRIES = 3;

/**
 * Changes or deletes a page on the condition that it is as it was seen. A service that says that it isn't may mean
 * something else than an edit: where its HTML and title are the same, it is tried with the tag that the page has by then.
 */
export async function unlessEdited<Result>(
  known: SeenPage,
  { api }: { readonly api: ImprintApi },
  change: (options: WriteOptions) => Promise<Result>,
): Promise<Changed<Result>> {
  const { slug, record } = known;
  // Our own service numbers the versions of its pages.
  const isOurs = api.capabilities.account !== undefined;
  const etag = isOurs || api.dialect.pageTags === "unmatched" ? undefined : record.etag;
  let ifMatch = etag ?? record.version;
  for (let tries = 1; ; tries++) {
    try {
      return { kind: "changed", result: await change({ ifMatch }) };
    } catch (error) {
      const status = failureOf(error)?.status;
      if (isOurs || tries === MOST_TRIES || (status !== 412 && status !== 428)) throw error;
      const present = await readVersion(slug, api);
      if (present === undefined) return { kind: "gone" };
      const listed = (await api.pages.list()).items.find((page) => page.slug === slug);
      const title = record.title === undefined || listed?.title === record.title ? undefined : listed?.title;
      const isEdited = present.html === undefined ? status === 412 : !isSeen(present.html, known);
      if (isEdited || title !== undefined) return { kind: "edited", title: isEdited ? undefined : title };
      const isUnmatched = present.etag !== undefined && present.etag === ifMatch;
      if (isUnmatched) api.learn({ pageTags: "unmatched" });
      ifMatch = tries > 1 || isUnmatched ? undefined : present.etag;
    }
  }
}

function isSeen(html: string, { shown, sent }: SeenPage): boolean {
  return isSameHash(sha256(html), shown ?? sent);
}
