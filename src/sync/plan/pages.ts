import { ImprintError } from "../../base/error.ts";
import type { AssetChange, PageChange } from "../changes.ts";
import type { DesiredPage } from "../desired.ts";
import type { KnownPage } from "../known.ts";
import type { PlanInput } from "../plan.ts";
import { findPreviewName } from "../preview-name.ts";

/** What the pages of a plan are decided from. */
export interface PagesInput extends Pick<PlanInput, "capabilities" | "rules"> {
  readonly desired: Pick<PlanInput["desired"], "pages" | "preview" | "doubtfulPages">;
  readonly known: Pick<PlanInput["known"], "pages">;
}

export function planPages(input: PagesInput, assets: readonly AssetChange[]): readonly PageChange[] {
  const { desired, known } = input;
  const moving = new Set(assets.filter((change) => change.kind === "create").map((change) => change.asset.hash));
  const blocked = new Map(
    assets.filter((change) => change.kind === "blocked").map((change) => [change.asset.hash, change]),
  );
  const context = { ...input, moving, blocked };
  return [...desired.pages.map((page) => planPage(page, known.pages.get(page.slug), context)), ...planLeftovers(input)];
}

interface PageContext extends PagesInput {
  /** Assets that get an address in this run. */
  readonly moving: ReadonlySet<string>;
  readonly blocked: ReadonlyMap<string, AssetChange>;
}

function planPage(desired: DesiredPage, known: KnownPage | undefined, context: PageContext): PageChange {
  const name = desired.slug;
  const obstacle = obstacleFor(desired, known, context);
  if (obstacle !== undefined) return { kind: "blocked", name, ...obstacle };
  if (known === undefined) return { kind: "create", name, reason: "the service has no such page", desired };
  const reason = reasonToUpdate(desired, known, context);
  return reason === undefined
    ? { kind: "keep", name, reason: "nothing changed", desired, known }
    : { kind: "update", name, reason, desired, known };
}

function reasonToUpdate(desired: DesiredPage, known: KnownPage, context: PageContext): string | undefined {
  if (known.origin !== "ours") return "it is taken over";
  if (known.edited) return "it was edited at the service and is taken over";
  if (known.hash !== desired.hash) return "its content changed";
  if (!known.addressesCurrent || desired.assets.some((hash) => context.moving.has(hash))) {
    return "a file it uses has a new address";
  }
  if (known.record.status !== undefined && known.record.status !== "published") return `it is ${known.record.status}`;
  return undefined;
}

function obstacleFor(
  desired: DesiredPage,
  known: KnownPage | undefined,
  { blocked, capabilities, rules }: PageContext,
): { readonly reason: string; readonly hint?: string } | undefined {
  const missing = desired.assets.map((hash) => blocked.get(hash)).find((change) => change !== undefined);
  if (missing !== undefined) return { reason: `it uses ${missing.name}, and ${missing.reason}` };
  const maxBytes = capabilities.limits["maxPageBytes"];
  if (maxBytes !== undefined && desired.bytes > maxBytes) {
    const limit =
      maxBytes === rules.maxHtmlBytes ? `\`maxHtmlBytes\` allows ${maxBytes}` : `the service takes at most ${maxBytes}`;
    return { reason: `it has ${desired.bytes} bytes and ${limit}` };
  }
  if (known === undefined || rules.adopt) return undefined;
  const hint = "Rename one of the two, or take it over with `adopt: true` (`--adopt`).";
  if (known.origin === "foreign")
    return { reason: "the service has a page of this slug that imprint did not publish", hint };
  if (known.origin === "unknown") {
    return { reason: "the service has a page of this slug and does not show whether imprint published it", hint };
  }
  if (known.edited) {
    return {
      reason: "it was edited at the service after imprint published it",
      hint: "Bring the edit into the site, then publish over it with `adopt: true` (`--adopt`).",
    };
  }
  return undefined;
}

function planLeftovers({ desired, known, rules }: PagesInput): readonly PageChange[] {
  const wanted = new Set(desired.pages.map((page) => page.slug));
  // The live site and each preview answer for their own pages only.
  const pages = [...known.pages.values()].filter(({ slug }) => findPreviewName(slug) === desired.preview);
  if (desired.preview !== undefined) return pages.filter(({ slug }) => !wanted.has(slug)).flatMap(planPreviewLeftover);
  if (rules.prune === false) return [];
  const ours = pages.filter((page) => page.origin === "ours");
  const { doubtfulPages = new Set() } = desired;
  const unwanted = ours.filter((page) => !wanted.has(page.slug));
  const leftovers = unwanted.filter(({ slug }) => !doubtfulPages.has(slug));
  const doubtful = unwanted.filter(({ slug }) => doubtfulPages.has(slug)).map(planDoubtful);
  if (rules.prune === "report") {
    return [...doubtful, ...leftovers.map(planOrphan)];
  }
  guardDeletes(leftovers, { published: ours.length, maxDeleteShare: rules.maxDeleteShare });
  return [...doubtful, ...leftovers.map(planDelete)];
}

// As with the posts of a blog: a mistake in a file is no wish to take away what it says.
function planDoubtful({ slug }: KnownPage): PageChange {
  return { kind: "blocked", name: slug, reason: "it may show a post that can't be read now, so it stays" };
}

function planOrphan(page: KnownPage): PageChange {
  const reason = "the site no longer has it; it stays until `prune` is true";
  return { kind: "orphan", name: page.slug, reason, known: page };
}

function planDelete(page: KnownPage): PageChange {
  return page.edited
    ? { kind: "blocked", name: page.slug, reason: "the site no longer has it, but it was edited at the service" }
    : { kind: "delete", name: page.slug, reason: "the site no longer has it", known: page };
}

// Nobody keeps a preview for the pages that it no longer has, so they go without being asked for.
function planPreviewLeftover(page: KnownPage): readonly PageChange[] {
  const name = page.slug;
  if (page.origin === "foreign") return [];
  const because =
    page.origin === "unknown"
      ? "the service does not show whether imprint published it"
      : page.edited
        ? "it was edited at the service"
        : undefined;
  return because === undefined
    ? [{ kind: "delete", name, reason: "the preview no longer has it", known: page }]
    : [{ kind: "blocked", name, reason: `the preview no longer has it, but ${because}` }];
}

function guardDeletes(
  leftovers: readonly KnownPage[],
  { published, maxDeleteShare }: { readonly published: number; readonly maxDeleteShare: number },
): void {
  if (leftovers.length <= published * maxDeleteShare) return;
  throw new ImprintError(
    "PRUNE_REFUSED",
    `${leftovers.length} of ${published} published pages would be deleted, more than the share of ${maxDeleteShare} that \`maxDeleteShare\` allows: ${namesOf(leftovers)}.`,
  );
}

function namesOf(pages: readonly KnownPage[]): string {
  const shown = pages.slice(0, 5).map((page) => page.slug);
  return pages.length > shown.length ? `${shown.join(", ")} and ${pages.length - shown.length} more` : shown.join(", ");
}
