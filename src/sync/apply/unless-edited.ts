import { sha256 } from "../../base/hash.ts";
import type { ImprintApi, Page, PageUpdateOptions } from "../../client/api.ts";
import { isWeakTag } from "../../client/transport/entity-tag.ts";
import { failureOf } from "../../client/transport/outcome.ts";
import { isSameHash } from "../lock.ts";
import type { Edit } from "../plan/pages.ts";
import { readVersion } from "../seen.ts";

/** The result of changing a page that somebody may have edited in the meantime. */
export type Changed<Result> =
  | { readonly kind: "changed"; readonly result: Result }
  /** Somebody edited it, or only its title, after it was read; it was not changed. */
  | ({ readonly kind: "edited" } & Edit)
  /** Somebody deleted it. */
  | { readonly kind: "gone" };

export interface CheckedPage {
  readonly slug: string;
  readonly record: Page;
  /** SHA-256 of its HTML as read or as sent. */
  readonly sent?: string;
  /** Hash of the HTML as the service returns it, if that differs. */
  readonly shown?: string;
}

const MOST_TRIES = 3;

/**
 * Changes or deletes a page if it is unchanged since it was read. A failed precondition may not mean an edit: if its
 * HTML and title are the same, retries with the page's current tag; with `adopts`, also if its HTML is hidden.
 */
export async function unlessEdited<Result>(
  known: CheckedPage,
  { api, adopts = false }: { readonly api: ImprintApi; readonly adopts?: boolean },
  change: (options: PageUpdateOptions) => Promise<Result>,
): Promise<Changed<Result>> {
  const { slug, record } = known;
  // Our own service numbers the versions of its pages.
  const isOurs = api.capabilities.account !== undefined;
  const isOutdated = (status: number | undefined) =>
    status === 412 || status === 428 || (status === 409 && api.dialect.pageVersion === "body");
  // A service that requires a condition accepts the tag that it returns, even a weak one; others reject that.
  const usable = (tag: string | undefined, isDemanded: boolean) =>
    tag === undefined || (isWeakTag(tag) && !isDemanded) ? undefined : tag;
  const tag = api.dialect.pageTags === "unmatched" ? undefined : usable(record.etag, api.dialect.pageTags === "weak");
  let { version } = record;
  let ifMatch = isOurs ? version : tag;
  for (let tries = 1; ; tries++) {
    try {
      const result = await change({ ifMatch, version });
      if (typeof ifMatch === "string" && isWeakTag(ifMatch)) api.learn({ pageTags: "weak" });
      return { kind: "changed", result };
    } catch (error) {
      const status = failureOf(error)?.status;
      if (isOurs || tries === MOST_TRIES || !isOutdated(status)) throw error;
      const present = await readVersion(slug, api);
      if (present === undefined) return { kind: "gone" };
      const listed = (await api.pages.list()).items.find((page) => page.slug === slug);
      const title = record.title === undefined || listed?.title === record.title ? undefined : listed?.title;
      const isEdited = present.html === undefined ? status !== 428 && !adopts : !isSeen(present.html, known);
      const isUnsigned = present.html === undefined;
      if (isEdited) return { kind: "edited", isUnsigned };
      if (title !== undefined) return { kind: "edited", title };
      const isUnmatched = present.etag !== undefined && present.etag === ifMatch;
      if (isUnmatched) api.learn({ pageTags: "unmatched" });
      const isDemanded = status === 428 || api.dialect.pageTags === "weak";
      ifMatch = tries > 1 || isUnmatched ? undefined : usable(present.etag, isDemanded);
      version = listed?.version;
    }
  }
}

function isSeen(html: string, { shown, sent }: CheckedPage): boolean {
  return isSameHash(sha256(html), shown ?? sent);
}
