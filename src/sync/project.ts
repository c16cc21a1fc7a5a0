import { mapPool } from "../base/pool.ts";
import type { ImprintApi } from "../client/api.ts";
import type { DesiredPage } from "./desired.ts";
import type { SeenPage } from "./known-pages.ts";
import { isSameHash, type LockedTarget } from "./lock.ts";
import { readMarker } from "./seen.ts";
import type { State } from "./state.ts";

/** Which project a run publishes as, and how certain that is. */
export interface Owner {
  readonly project: string;
  /** Whether the project was recognized by its pages, because no local state has it. */
  readonly isRecovered: boolean;
  /** Whether nothing has shown so far that the project was ever published. */
  readonly isFresh: boolean;
  /** Whether this seems to be the first publish of the project to the account. */
  readonly isFirst: boolean;
  /** Whether pages that version 0.1 published, which name no project, are ours. */
  readonly ownsUnnamed: boolean;
  /**
   * Whether the service may have this project without showing it: there is no local state, and unreadable pages have
   * our slugs.
   */
  readonly isUncertain: boolean;
  /** Projects with different pages at our slugs: even with similar posts, they are not this project. */
  readonly others: ReadonlySet<string>;
}

export interface OwnerContext {
  readonly state: Pick<State, "project" | "pages" | "siteId">;
  readonly locked: LockedTarget | undefined;
  /** ID for the project if it has none. */
  readonly freshProject: string;
  readonly wanted: ReadonlyMap<string, DesiredPage>;
  /** Whether the user declared ambiguous pages to be this project's. */
  readonly adopts: boolean;
}

/**
 * Determines which project this is. The lock file has its ID, also if the service or its address is new to it, and pages
 * at our slugs that name it show that it was published here. Without an ID, a project is recognized by its pages, if at
 * least half of those at our slugs are what we would publish there and its home page has our title. Two projects from
 * the same template share many pages, but not the title.
 */
export function claimProject(seen: readonly SeenPage[], context: OwnerContext): Owner {
  const { state, locked, freshProject } = context;
  // The slug that a page had before it was renamed has a page of ours only if that was published.
  const wanted = new Map([...context.wanted].filter(([, { redirect }]) => redirect?.kind !== "renamed"));
  const isRemembered = locked !== undefined || state.siteId !== undefined || Object.keys(state.pages).length > 0;
  const mayBeHere = !isRemembered && seen.some((page) => mayBeOurs(page, wanted));
  const isUncertain = mayBeHere && !context.adopts;
  const { claims, others } = isRemembered ? NO_CLAIMS : findClaims(seen, { wanted, project: state.project });
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

// A service that doesn't return the HTML, or that rewrites it, may have this page without its marker.
function mayBeOurs(page: SeenPage, wanted: ReadonlyMap<string, DesiredPage>): boolean {
  const desired = wanted.get(page.record.slug);
  if (desired === undefined) return false;
  if (page.kind === "hidden") return true;
  if (page.kind !== "read" || page.marker !== undefined) return false;
  return isTitled(page, desired);
}

// A host that extracts the title from the HTML may not decode it: `Tea &amp; cake`.
function isTitled({ record, title }: SeenPage & { readonly kind: "read" }, desired: DesiredPage): boolean {
  return record.title === desired.title || title === desired.title;
}

interface Claims {
  /** Projects whose pages match the site, the most certain first; `undefined` for pages that name none. */
  readonly claims: readonly (string | undefined)[];
  /** Projects whose pages at our slugs differ. */
  readonly others: ReadonlySet<string>;
}

const NO_CLAIMS: Claims = { claims: [], others: new Set() };

function findClaims(
  seen: readonly SeenPage[],
  { wanted, project: own }: { readonly wanted: ReadonlyMap<string, DesiredPage>; readonly project: string | undefined },
): Claims {
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
  const isClaim = (project: string | undefined, { equal, total }: { readonly equal: number; readonly total: number }) =>
    (own !== undefined && project === own) || (equal > 0 && equal * 2 >= total && !strangers.has(project));
  const claims = [...counts]
    .filter(([project, count]) => isClaim(project, count))
    .toSorted(([, one], [, other]) => other.equal - one.equal)
    .map(([project]) => project);
  const others = [...counts.keys()].flatMap((project) => (claims.includes(project) ? [] : (project ?? [])));
  return { claims, others: new Set(others) };
}

interface PagesContext {
  readonly api: ImprintApi;
  readonly wanted: OwnerContext["wanted"];
}

const MOST_READ = 200;
const READS_AT_ONCE = 8;

/**
 * Whether a project has pages on the service, and none at our slugs: even with the same posts, it is another one, as
 * two sites may begin with the example posts of one template.
 */
export async function publishesElsewhere(
  project: string,
  seen: readonly SeenPage[],
  { api, wanted }: PagesContext,
): Promise<boolean> {
  const isHere = seen.some(
    (page) => wanted.has(page.record.slug) && page.kind === "read" && page.marker?.project === project,
  );
  if (isHere) return false;
  const elsewhere = seen.filter(({ record }) => !wanted.has(record.slug)).slice(0, MOST_READ);
  const markers = await mapPool(elsewhere, READS_AT_ONCE, ({ record }) => readMarker(record.slug, api));
  return markers.some((marker) => marker?.project === project);
}

/** Returns a slug for the site if another project on the account has the wanted one. */
export function besideSlug({ slug }: { readonly slug: string }, { project }: Pick<Owner, "project">): string {
  return `${slug}-${project}`;
}
