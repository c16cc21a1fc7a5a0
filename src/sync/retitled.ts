import type { DesiredPage } from "./desired.ts";
import type { KnownPage } from "./known-pages.ts";
import { isSameHash, isSameRecord, type LockedTarget } from "./lock.ts";
import type { State } from "./state.ts";

interface RetitledContext {
  readonly state: Pick<State, "pages">;
  readonly locked: Pick<LockedTarget, "pages"> | undefined;
  readonly wanted: ReadonlyMap<string, DesiredPage>;
}

interface Retitling {
  readonly page: KnownPage;
  readonly before: string;
  readonly title: string;
}

/**
 * Marks our pages as edited if somebody changed their title on the service. A title is compared to the one that the
 * service listed after we wrote the page, since hosts shorten, escape and extend titles. It isn't an edit if the site
 * now has that title, or if the host starts adding the same words to all titles.
 */
export function markRetitled(pages: readonly KnownPage[], context: RetitledContext): readonly KnownPage[] {
  const retitled = pages.flatMap((page) => findRetitling(page, context) ?? []);
  if (retitled.length === 0 || isOfHost(retitled)) return pages;
  const titles = new Map(retitled.map(({ page, title }) => [page, title]));
  return pages.map((page) => {
    const title = titles.get(page);
    return title === undefined ? page : { ...page, edited: true, retitled: title };
  });
}

function findRetitling(page: KnownPage, { state, locked, wanted }: RetitledContext): Retitling | undefined {
  const { slug, record, origin, edited, hash } = page;
  const { title } = record;
  if (origin !== "ours" || edited || title === undefined || title === wanted.get(slug)?.title) return undefined;
  // The memory of another version of the page doesn't show which title this one had.
  const titles = [state.pages[slug], locked?.pages[slug]].flatMap((memory) =>
    memory?.title !== undefined && isSameRecord(memory, record) && isSameHash(memory.hash, hash) ? [memory.title] : [],
  );
  const [before] = titles;
  const isKnown = titles.includes(title) || title === state.pages[slug]?.formerTitle;
  return before === undefined || isKnown ? undefined : { page, before, title };
}

function isOfHost(retitled: readonly Retitling[]): boolean {
  const additions = new Set(retitled.map(({ before, title }) => differenceOf(before, title)));
  return retitled.length > 1 && additions.size === 1 && !additions.has(undefined);
}

/** Returns what surrounds one of two titles in the other; `undefined` if neither contains the other. */
function differenceOf(one: string, other: string): string | undefined {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  const at = long.indexOf(short);
  return at < 0 ? undefined : `${long.slice(0, at)}…${long.slice(at + short.length)}`;
}
