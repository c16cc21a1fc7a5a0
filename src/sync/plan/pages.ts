import { ImprintError } from "../../base/error.ts";
import { listFirstNames } from "../../base/list-names.ts";
import type { AssetChange, PageChange } from "../changes.ts";
import type { DesiredPage } from "../desired.ts";
import type { KnownPage } from "../known-pages.ts";
import type { PlanInput } from "../plan.ts";
import { isHiddenStatus, isTrashStatus } from "../../contract/dialect.ts";
import { isSameHash } from "../lock.ts";
import { refusedSlug } from "../state.ts";
import { findPreviewName, HOME_SLUG } from "../../contract/slug.ts";
import { isOfPreview } from "../preview-name.ts";

/** What the pages of a plan are based on. */
export interface PagesInput extends Pick<PlanInput, "capabilities" | "rules"> {
  readonly state: Pick<PlanInput["state"], "pages" | "sending" | "refused">;
  readonly desired: Pick<PlanInput["desired"], "pages" | "preview" | "doubtfulPages" | "heldPages">;
  readonly known: Pick<PlanInput["known"], "pages" | "seen">;
}

/** Why pages can't be published, by slug. */
export type Obstacles = ReadonlyMap<string, Obstacle>;

interface Obstacle {
  readonly reason: string;
  readonly hint?: string;
  /** ID of the project whose page is there. */
  readonly holder?: string;
  /** Set if the existing page isn't, or may not be, this project's. */
  readonly isTaken?: true;
  /** The edited title, if nothing else was edited. */
  readonly title?: string | undefined;
}

/** Finds what prevents pages of the site from being published. */
export function findObstacles(input: PagesInput): Obstacles {
  const { desired, known } = input;
  return new Map(
    desired.pages.flatMap((page) => {
      const obstacle = obstacleFor(page, known.pages.get(page.slug), input);
      return obstacle === undefined ? [] : [[page.slug, obstacle]];
    }),
  );
}

export interface PagesPlanned {
  readonly assets: readonly AssetChange[];
  readonly obstacles: Obstacles;
  /** Slugs of pages that posts link to which stay in the blog. */
  readonly linked: ReadonlySet<string>;
}

/** Removes redirects from slugs at which this project has no page, as those slugs may belong to others. */
export function withoutLostRedirects<Input extends PagesInput>(input: Input): Input {
  const { desired, known } = input;
  const isOurs = ({ slug, redirect }: DesiredPage): boolean => {
    const page = known.pages.get(slug);
    return redirect?.kind !== "renamed" || (page?.origin === "ours" && !page.edited);
  };
  return { ...input, desired: { ...desired, pages: desired.pages.filter(isOurs) } };
}

export function planPages(input: PagesInput, { assets, obstacles, linked }: PagesPlanned): readonly PageChange[] {
  const { desired, known } = input;
  const moving = new Set(assets.filter((change) => change.kind === "create").map((change) => change.asset.hash));
  const context = { ...input, moving, obstacles };
  const pages = desired.pages.map((page) => planPage(page, known.pages.get(page.slug), context));
  return [...pages, ...planLeftovers(input, linked)];
}

const DELETED = "it was deleted on the service, and is published again";

interface PageContext extends PagesInput {
  /** Assets whose addresses change in this run. */
  readonly moving: ReadonlySet<string>;
  readonly obstacles: Obstacles;
}

function planPage(desired: DesiredPage, known: KnownPage | undefined, context: PageContext): PageChange {
  const name = desired.slug;
  const obstacle = context.obstacles.get(name);
  if (obstacle !== undefined) {
    const { isTaken: _, title, ...blocked } = obstacle;
    const isNew = known?.origin === "ours" ? {} : { isNew: true as const };
    return { kind: "blocked", name, ...blocked, ...isNew, wanted: { desired, title } };
  }
  const { redirect } = desired;
  const details = redirect && { details: [`redirect to ${redirect.to}`] };
  if (known === undefined) {
    // A page that was only sent may have been refused.
    const { pages, sending } = context.state;
    const wasPublished = pages[name] !== undefined || sending[name] === undefined;
    const isGone = wasPublished && context.known.seen.gonePages.includes(name);
    const reason = isGone ? DELETED : "the service has no such page";
    return { kind: "create", name, reason, desired, ...details, ...(isGone && { details: [DELETED] }) };
  }
  const reason = reasonToUpdate(desired, known, context);
  const { status } = known.record;
  if (reason === undefined && isHiddenStatus(status)) {
    if (known.hiddenAs !== status)
      return { kind: "update", name, reason: `it is ${status}`, desired, known, ...details };
    const hint = "Publish it in the service's dashboard.";
    return { kind: "blocked", name, reason: asHidden(status), hint, known, wanted: { desired } };
  }
  return reason === undefined
    ? { kind: "keep", name, reason: "nothing changed", desired, known, ...details }
    : { kind: "update", name, reason, desired, known, ...details };
}

function reasonToUpdate(desired: DesiredPage, known: KnownPage, context: PageContext): string | undefined {
  if (known.isDiscarded) return "this project moved it to the service's trash";
  if (known.origin !== "ours") return "it is taken over";
  if (known.edited) return `${EDITED} and is taken over`;
  if (!isSameHash(known.hash, desired.hash)) {
    return desired.redirect?.kind === "renamed" ? `its page moved to ${desired.redirect.to}` : "its content changed";
  }
  if (!known.addressesCurrent || desired.assets.some((hash) => context.moving.has(hash))) {
    return "a file it uses has a new address";
  }
  return undefined;
}

/** How to give a page a slug that the service keeps. */
export function hintSlug(route: string): string {
  return `Give the page a slug that the service accepts: \`slugs: { ${JSON.stringify(route)}: "…" }\` in the options.`;
}

const UNPROVEN_SLUG =
  "Give your page another slug with the `slugs` option, or publish again once the service has another page whose slug is as long and contains a hyphen.";

function keptAs({ record: { slug } }: KnownPage): string {
  return `the service may store it as "${slug}", where it has a page that imprint did not publish`;
}

function obstacleFor(
  desired: DesiredPage,
  known: KnownPage | undefined,
  { capabilities, rules, state }: Pick<PagesInput, "capabilities" | "rules" | "state">,
): Obstacle | undefined {
  if (desired.onHold !== undefined) return desired.onHold;
  const refusal = known === undefined && !rules.adopt ? state.refused[refusedSlug(desired.slug)] : undefined;
  if (refusal !== undefined) return { reason: refusal.replace(/\.$/, ""), hint: hintSlug(desired.route) };
  const maxBytes = capabilities.limits["maxPageBytes"];
  if (maxBytes !== undefined && desired.bytes > maxBytes) {
    const limit =
      maxBytes === rules.maxHtmlBytes
        ? `\`maxHtmlBytes\` allows ${maxBytes}`
        : `the service accepts at most ${maxBytes}`;
    return { reason: `it has ${desired.bytes} bytes, but ${limit}` };
  }
  if (known?.movedTo !== undefined) {
    const slugs = `slugs: { ${JSON.stringify(desired.route)}: ${JSON.stringify(known.movedTo)} }`;
    return {
      reason: `its slug was changed to ${known.movedTo} on the service`,
      hint: `Change it back in the service's dashboard, or keep it with \`${slugs}\` in the options.`,
    };
  }
  if (known !== undefined && known.isDiscarded !== true && isTrashStatus(known.record.status)) return inTrash(known);
  if (known?.isUnproven === true) return { reason: keptAs(known), hint: UNPROVEN_SLUG };
  if (known === undefined || rules.adopt) return undefined;
  if (known.origin === "other") return heldByAnother(known);
  if (known.origin === "foreign") {
    const hint =
      "Give your page another slug with the `slugs` option, or take that page over with `adopt: true` (`--adopt`).";
    const reason =
      known.record.slug === known.slug
        ? "the service has a page with this slug that imprint did not publish"
        : keptAs(known);
    return { reason, hint, isTaken: true };
  }
  if (known.origin === "unknown") {
    return {
      reason: "the service has a page with this slug and doesn't show whether this project published it",
      hint: "If this project published it, run `imprint adopt`. Otherwise, give your page another slug with the `slugs` option. Commit imprint.lock.json, so that the next run recognizes your pages.",
      isTaken: true,
    };
  }
  const { status } = known.record;
  if (isHiddenStatus(status) && known.hiddenAs !== status && known.isDiscarded !== true) {
    const reason = asHidden(status);
    const hint = "Publish it in the service's dashboard, or run `imprint publish --adopt` to send it again.";
    return { reason, hint };
  }
  if (known.edited) {
    const { retitled: title, isUnsigned } = known;
    return { ...describeEdit({ title, isUnsigned }), title };
  }
  return undefined;
}

function asHidden(status: string | undefined): string {
  return `the service has it as "${status}", so readers don't see it`;
}

/** An edit of one of our pages on the service. */
export interface Edit {
  /** The edited title, if nothing else was edited. */
  readonly title?: string | undefined;
  /** Whether it may also be another run's publish, as the service doesn't show imprint's marker. */
  readonly isUnsigned?: boolean | undefined;
}

export function describeEdit({ title, isUnsigned = false }: Edit): Required<Pick<Obstacle, "reason" | "hint">> {
  const edited = title === undefined ? EDITED : `its title was changed to "${title}" on the service`;
  const over = "run `imprint publish --adopt` to overwrite it.";
  if (!isUnsigned) {
    return { reason: `${edited} after imprint published it`, hint: `Copy the edit into your site, then ${over}` };
  }
  return {
    reason: `${edited}${OR_PUBLISHED}: the service doesn't show which`,
    hint: `Copy the edit into your site, or pull the published version, then ${over} Commit imprint.lock.json after each publish, so that other checkouts and CI jobs know the version.`,
  };
}

const EDITED = "it was edited on the service";
const OR_PUBLISHED = ", or another checkout or CI job published it";

function inTrash({ origin, record: { status = "" } }: KnownPage): Obstacle {
  const where = /^archived/i.test(status) ? "has archived it" : "has it in its trash";
  return {
    reason: `the service ${where}, so readers don't see it`,
    hint: "Restore it in the service's dashboard, or delete it there permanently. Then run `imprint publish` again.",
    ...(origin === "ours" ? {} : { isTaken: true }),
  };
}

/** Why a slug can't be published at which another project has a page. */
export function heldByAnother({ project }: Pick<KnownPage, "project">): Obstacle & Required<Pick<Obstacle, "hint">> {
  const holder = project === undefined ? "another project" : `another project (${project})`;
  return {
    reason: `${holder} has published a page with this slug to this account`,
    hint: 'Give this site slugs of its own with `slugs: { prefix: "docs" }`, or take the page over with `adopt: true` (`--adopt`).',
    holder: project ?? "unknown",
    isTaken: true,
  };
}

function planLeftovers(
  { desired, known, rules, state }: PagesInput,
  linked: ReadonlySet<string>,
): readonly PageChange[] {
  const wanted = new Set(desired.pages.map((page) => page.slug));
  const { preview } = desired;
  // The live site and each preview only manage their own pages.
  const isOwn = ({ slug }: KnownPage) =>
    preview === undefined ? findPreviewName(slug) === undefined : isOfPreview(slug, { name: preview, state, live: [] });
  // A trashed page is invisible to readers, and somebody may want to restore it.
  const pages = [...known.pages.values()].filter((page) => isOwn(page) && !isTrashStatus(page.record.status));
  if (preview !== undefined) return pages.filter(({ slug }) => !wanted.has(slug)).flatMap(planPreviewLeftover);
  // A page whose slug somebody changed is listed under that slug as well.
  const movedTo = new Set(pages.map((page) => page.movedTo));
  const ours = pages.filter((page) => page.origin === "ours" && !movedTo.has(page.slug));
  const { doubtfulPages = new Set(), heldPages = new Map() } = desired;
  const unwanted = ours.filter((page) => !wanted.has(page.slug));
  const hasHome = desired.pages.some(({ route }) => route === "/");
  const kept = new Map(unwanted.map((page) => [page.slug, planKept(page, { doubtfulPages, linked, hasHome })]));
  const doubtful = [...kept.values()].filter((change) => change !== undefined);
  const leftovers = unwanted.filter(({ slug }) => kept.get(slug) === undefined);
  const gone = leftovers.map((page) => ({ page, why: heldPages.get(page.slug) ?? "the site no longer has it" }));
  // An author who hides a post expects it to be gone, so it is reported in any case that it is still public.
  if (rules.prune === false) return gone.filter(({ page }) => heldPages.has(page.slug)).map(planOrphan);
  if (rules.prune === "report") return [...doubtful, ...gone.map(planOrphan)];
  guardDeletes(leftovers, { published: ours.length, maxDeleteShare: rules.maxDeleteShare });
  return [...doubtful, ...gone.map(planDelete)];
}

interface GonePage {
  readonly page: KnownPage;
  readonly why: string;
}

interface KeptContext {
  readonly doubtfulPages: ReadonlySet<string>;
  readonly linked: ReadonlySet<string>;
  /** Whether the site has a home page. */
  readonly hasHome: boolean;
}

/** Plans a page that stays although the site no longer has it. */
function planKept(page: KnownPage, { doubtfulPages, linked, hasHome }: KeptContext): PageChange | undefined {
  const { slug: name, mayBeCopy, movedTo } = page;
  // As with posts of a blog: an error in a file isn't a request to delete its content.
  if (doubtfulPages.has(name)) {
    return {
      kind: "blocked",
      name,
      reason: "it may show a post that can't be read now, so it is kept",
      isLeftover: true,
    };
  }
  // The blog's readers would get 404.
  if (linked.has(name))
    return { kind: "orphan", name, reason: "a post of the blog links to it, so it is kept", known: page };
  // A build that lost it is more likely than a site that is meant to have none.
  if (name === HOME_SLUG && !hasHome)
    return { kind: "orphan", name, reason: "the build has no home page, so the published one is kept", known: page };
  if (movedTo === undefined && mayBeCopy === undefined) return undefined;
  const why =
    movedTo !== undefined
      ? `the site no longer has it, and its slug was changed to ${movedTo} on the service`
      : mayBeCopy?.of === undefined || mayBeCopy.of === name
        ? "somebody may have copied or renamed a page on the service"
        : `somebody copied or renamed ${mayBeCopy.of} on the service`;
  return { kind: "orphan", name, reason: `${why}, so it is kept. ${DELETE_UNNEEDED}`, known: page };
}

const DELETE_UNNEEDED = "If it isn't needed, delete it in the service's dashboard";

function planOrphan({ page, why }: GonePage): PageChange {
  const reason = `${why}; it is kept until you set \`prune: true\``;
  return { kind: "orphan", name: page.slug, reason, known: page };
}

function planDelete({ page, why }: GonePage): PageChange {
  return page.edited
    ? { kind: "blocked", name: page.slug, reason: butEdited(why, page), isLeftover: true }
    : { kind: "delete", name: page.slug, reason: why, known: page };
}

export function butEdited(why: string, { isUnsigned = false }: Edit): string {
  return `${why}, but ${EDITED}${isUnsigned ? OR_PUBLISHED : ""}`;
}

// A preview's leftover pages are useless, so they are deleted even without `prune`.
function planPreviewLeftover(page: KnownPage): readonly PageChange[] {
  const name = page.slug;
  if (page.origin === "foreign" || page.origin === "other" || page.mayBeCopy !== undefined) return [];
  const because =
    page.origin === "unknown"
      ? "the service doesn't show whether imprint published it"
      : page.edited
        ? EDITED
        : undefined;
  return because === undefined
    ? [{ kind: "delete", name, reason: "the preview no longer has it", known: page }]
    : [{ kind: "blocked", name, reason: `the preview no longer has it, but ${because}`, isLeftover: true }];
}

function guardDeletes(
  leftovers: readonly KnownPage[],
  { published, maxDeleteShare }: { readonly published: number; readonly maxDeleteShare: number },
): void {
  if (leftovers.length <= published * maxDeleteShare) return;
  throw new ImprintError(
    "PRUNE_REFUSED",
    `${leftovers.length} of ${published} published pages would be deleted, but \`maxDeleteShare\` allows only a share of ${maxDeleteShare}: ${namesOf(leftovers)}.`,
  );
}

function namesOf(pages: readonly KnownPage[]): string {
  return listFirstNames(pages.map(({ slug }) => slug));
}
