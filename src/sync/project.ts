import type { DesiredPage } from "./desired.ts";
import type { SeenPage } from "./known-pages.ts";
import { isSameHash, type LockedTarget } from "./lock.ts";
import type { State } from "./state.ts";

/** Which project a run publishes as, and how sure that is. */
export interface Owner {
  readonly project: string;
  /** Whether the project was recognized by its pages, because nothing here remembers it. */
  readonly isRecovered: boolean;
  /** Whether nothing shows so far that the project was ever published. */
  readonly isFresh: boolean;
  /** Whether this is the first publish of the project to the account, as far as anybody can see. */
  readonly isFirst: boolean;
  /** Whether pages that version 0.1 published are ours. They name no project. */
  readonly ownsUnnamed: boolean;
  /**
   * Whether the service may hold this project without showing it: nothing is remembered here, and pages that can't be
   * read stand at our slugs.
   */
  readonly isUncertain: boolean;
  /** Projects that have other pages at our slugs: their posts, however alike, don't make them this one. */
  readonly others: ReadonlySet<string>;
}

export interface OwnerContext {
  readonly state: Pick<State, "project" | "pages" | "siteId">;
  readonly locked: LockedTarget | undefined;
  /** Id that the project takes when it has none. */
  readonly freshProject: string;
  readonly wanted: ReadonlyMap<string, DesiredPage>;
  /** Whether somebody said that what can't be distinguished is this project's. */
  readonly adopts: boolean;
}

/**
 * Finds out which project this is. The lock file says it; without one, a project is recognized by its pages: when at
 * least half of those that it has at our slugs are what we would publish there, and its home page has our title. Two
 * projects that were made from one template share many pages, but not what they are called.
 */
export function claimProject(seen: readonly SeenPage[], context: OwnerContext): Owner {
  const { state, locked, freshProject } = context;
  // What stands where a page was before it was renamed is a page of ours only if that was published.
  const wanted = new Map([...context.wanted].filter(([, { redirect }]) => redirect?.kind !== "renamed"));
  const isRemembered = locked !== undefined || state.siteId !== undefined || Object.keys(state.pages).length > 0;
  const mayBeHere = !isRemembered && seen.some((page) => mayBeOurs(page, wanted));
  const isUncertain = mayBeHere && !context.adopts;
  const { claims, others } = isRemembered ? NO_CLAIMS : findClaims(seen, wanted);
  const ownsUnnamed = claims.includes(undefined);
  if (state.project !== undefined) {
    const isRecovered = claims.includes(state.project) || (mayBeHere && context.adopts);
    const isFirst = !isRemembered && !isRecovered;
    return { project: state.project, isRecovered, isFresh: false, isFirst, ownsUnnamed, isUncertain, others };
  }
  const named = claims.find((project) => project !== undefined);
  const isFresh = named === undefined;
  const isRecovered = claims.length > 0 || (mayBeHere && context.adopts);
  const isFirst = !isRemembered && !isRecovered;
  return { project: named ?? freshProject, isRecovered, isFresh, isFirst, ownsUnnamed, isUncertain, others };
}

// A service that does not show the HTML, or that writes it anew, may hold this very page without its marker.
function mayBeOurs(page: SeenPage, wanted: ReadonlyMap<string, DesiredPage>): boolean {
  const desired = wanted.get(page.record.slug);
  if (desired === undefined) return false;
  if (page.kind === "hidden") return true;
  if (page.kind !== "read" || page.marker !== undefined) return false;
  return isTitled(page, desired);
}

// A host that makes a title of its own from the HTML may keep it as the source has it: `Tea &amp; cake`.
function isTitled({ record, title }: SeenPage & { readonly kind: "read" }, desired: DesiredPage): boolean {
  return record.title === desired.title || title === desired.title;
}

interface Claims {
  /** Projects whose pages are those of the site, the surest first; `undefined` stands for pages that name none. */
  readonly claims: readonly (string | undefined)[];
  /** Those whose pages at our slugs are others. */
  readonly others: ReadonlySet<string>;
}

const NO_CLAIMS: Claims = { claims: [], others: new Set() };

function findClaims(seen: readonly SeenPage[], wanted: ReadonlyMap<string, DesiredPage>): Claims {
  const counts = new Map<string | undefined, { equal: number; total: number }>();
  const strangers = new Set<string | undefined>();
  for (const page of seen) {
    if (page.kind !== "read" || page.marker === undefined) continue;
    const desired = wanted.get(page.record.slug);
    if (desired === undefined) continue;
    const count = counts.get(page.marker.project) ?? { equal: 0, total: 0 };
    const isEqual = isSameHash(page.marker.hash, desired.hash);
    if (desired.route === "/" && !isEqual && !isTitled(page, desired)) strangers.add(page.marker.project);
    counts.set(page.marker.project, { equal: count.equal + (isEqual ? 1 : 0), total: count.total + 1 });
  }
  const claims = [...counts]
    .filter(([project, { equal, total }]) => equal > 0 && equal * 2 >= total && !strangers.has(project))
    .toSorted(([, one], [, other]) => other.equal - one.equal)
    .map(([project]) => project);
  const others = [...counts.keys()].flatMap((project) => (claims.includes(project) ? [] : (project ?? [])));
  return { claims, others: new Set(others) };
}

/** The slug of a site where another project of the account has the one that is wanted. */
export function besideSlug({ slug }: { readonly slug: string }, { project }: Pick<Owner, "project">): string {
  return `${slug}-${project}`;
}
