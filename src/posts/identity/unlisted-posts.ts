import { mapPool } from "../../base/pool.ts";
import type { ImprintApi } from "../../client/api.ts";
import type { SitePost } from "../post.ts";
import type { PostEntry, PostLedger } from "../memory/ledger.ts";

// A list may show only the newest posts. What it lacks is opened at its address instead.

export interface Visiting {
  readonly api: ImprintApi;
  readonly signal?: AbortSignal | undefined;
}

const VISITS_AT_ONCE = 8;
const MOST_VISITS = 200;

/** Returns those of the published posts, by slug, that readers see at their addresses. */
export async function findShown(
  slugs: readonly string[],
  { entries }: Pick<PostLedger, "entries">,
  source: Visiting,
): Promise<ReadonlySet<string>> {
  const shown = await mapPool(slugs.slice(0, MOST_VISITS), VISITS_AT_ONCE, async (slug) =>
    (await statusAt(entries.get(slug)?.url, source)) === 200 ? [slug] : [],
  );
  return new Set(shown.flat());
}

interface AbsenceQuestion extends Visiting {
  readonly ledger: Pick<PostLedger, "entries">;
  /** Slugs of published posts that the list lacks, and that readers see at their addresses. */
  readonly unlisted: ReadonlySet<string>;
  readonly local: readonly Pick<SitePost, "slug">[];
}

/**
 * Returns the local posts, by slug, that the blog certainly lacks, although its list doesn't show all posts: nothing is
 * at the address that each would have by the addresses of the others. None if one of them may be an unlisted one that
 * was renamed.
 */
export async function findAbsent({
  ledger: { entries },
  unlisted,
  local,
  ...source
}: AbsenceQuestion): Promise<ReadonlySet<string>> {
  const slugs = new Set(local.map(({ slug }) => slug));
  const unknown = [...slugs].filter((slug) => !entries.has(slug)).slice(0, MOST_VISITS);
  const mayBeRenamed = [...unlisted].some((slug) => !slugs.has(slug));
  const addressOf = unlisted.size === 0 || mayBeRenamed ? undefined : findPattern([...entries]);
  if (addressOf === undefined) return new Set();
  const absent = await mapPool(unknown, VISITS_AT_ONCE, async (slug) => {
    const status = await statusAt(addressOf(slug), source);
    return status === 404 || status === 410 ? [slug] : [];
  });
  return new Set(absent.flat());
}

/** Returns the address of a post by its slug; `undefined` if the addresses of posts depend on something else as well. */
function findPattern(
  entries: readonly (readonly [string, PostEntry])[],
): ((slug: string) => string | undefined) | undefined {
  const patterns = entries.map(([slug, { url, remoteSlug = slug }]) => {
    const name = `/${encodeURIComponent(remoteSlug)}`;
    const place = url?.lastIndexOf(name) ?? -1;
    const rest = url?.slice(place + name.length) ?? "";
    return url === undefined || place === -1 || !/^\/?(?:\.html)?$/.test(rest)
      ? undefined
      : { start: url.slice(0, place), rest };
  });
  const [first] = patterns;
  if (first === undefined || YEAR.test(first.start)) return undefined;
  if (!patterns.every((each) => each?.start === first.start && each.rest === first.rest)) return undefined;
  return (slug) => `${first.start}/${encodeURIComponent(slug)}${first.rest}`;
}

const YEAR = /\/(?:19|20)\d\d(?:\D|$)/;

async function statusAt(url: string | undefined, { api, signal }: Visiting): Promise<number | undefined> {
  if (url === undefined || !URL.canParse(url)) return undefined;
  return (await api.visit(url, { signal }))?.status;
}
