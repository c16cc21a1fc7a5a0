import { isWritten, writtenPages, type Outcome } from "../base/outcome.ts";
import type { ImprintApi, Visit } from "../client/api.ts";
import { mapPool } from "../base/pool.ts";
import { hasTemplate, rarityOf } from "../html/lost-characters.ts";
import { unframe } from "../html/framed-page.ts";
import { findMarker } from "../html/marker.ts";
import { countCovered, countWords } from "../posts/render/lift/words.ts";
import type { Dialect } from "../contract/dialect.ts";
import type { DesiredPage } from "./desired.ts";
import { ACCEPT, findLoss, refreshOf, type Finding } from "./find-loss.ts";
import { isLateHost, isWithinLag, visitAsReaders, pausesAt, type Waiting } from "./lateness.ts";
import { isSameHash } from "./lock.ts";
import { describeObstacle, isForMembers, isShownAsPage } from "../client/read-visit.ts";
import { findShownMarker } from "./seen.ts";
import type { PlannedRun } from "./plan-run.ts";
import type { State } from "./state.ts";
import type { Blocked } from "./changes.ts";
import { heldByAnother } from "./plan/pages.ts";

export interface CheckContext extends Waiting {
  readonly api: ImprintApi;
  readonly planned: Pick<PlannedRun, "addresses" | "desired" | "project" | "known">;
  /** The state at the start of the run. */
  readonly state: Pick<State, "pages" | "sentAt">;
}

interface ShownPages {
  /** What is wrong, for the report. */
  readonly finding: Blocked | undefined;
  /** Slugs of pages that readers don't see as sent, unless the service is known to be late. */
  readonly unseen: readonly string[];
  /**
   * Slugs of pages of which readers see a version that another checkout published meanwhile; all pages that were sent
   * if another project has published its own at the same time.
   */
  readonly replaced: readonly string[];
  /** Whether pages were opened, and readers see all of them as sent. */
  readonly areSeen: boolean;
}

/**
 * Opens pages at their public addresses, as readers do, since a service may acknowledge what its readers don't get: a
 * sample of those that the run sent, those that an earlier run found not to be shown, and the one with the rarest
 * character, which not every store keeps.
 */
export async function checkShown(
  outcomes: readonly Outcome[],
  { api, planned, clock, signal, onStep, state }: CheckContext,
): Promise<ShownPages> {
  const { addresses, desired } = planned;
  const { unshown = [] } = api.dialect;
  // Pages that only redirect, or that the service keeps as drafts, show no content of their own.
  const own = new Set(desired.pages.filter(({ redirect }) => redirect === undefined).map(({ slug }) => slug));
  const sent = outcomes.filter((outcome) => outcome.resource === "page" && isWritten(outcome) && own.has(outcome.name));
  // The advice depends on whether readers see other pages.
  const other = unshown.length > 0 ? [...own].find((slug) => !unshown.includes(slug)) : undefined;
  const isOurs = api.capabilities.account !== undefined;
  const likeliest = isOurs ? [] : [...(await findUnusual(sent, planned)), ...findLongest(outcomes, planned)];
  const slugs = new Set([...sampleSent(sent, api), ...unshown, other, ...likeliest]);
  const pages = desired.pages.flatMap((page) => {
    const address = slugs.has(page.slug) ? addresses.reachable(page.slug) : undefined;
    return address === undefined ? [] : [{ page, address }];
  });
  const found = new Map<string, Finding>();
  const lastSent = state.sentAt === undefined ? undefined : new Date(state.sentAt);
  let checkedAt: Date | "just now" = "just now";
  let waiting = pages;
  const look = async () => {
    const startedAt = clock.now();
    await mapPool(waiting, READS_AT_ONCE, async ({ page, address }) => {
      const isSent = sent.some(({ name }) => name === page.slug);
      const changedAt = lastSent ?? planned.known.pages.get(page.slug)?.record.updatedAt;
      // The age of a cached response, to which this is compared, has whole seconds.
      const sentAt = isSent ? checkedAt : changedAt && new Date(changedAt.getTime() + 1000);
      // Of a page that was hidden before, readers may see any version.
      const former = isSent && !unshown.includes(page.slug) ? versionsOf(page.slug, { state, planned }) : undefined;
      const finding = await checkPage(page, { address, sentAt, former, api, clock, signal, planned });
      if (finding === undefined) found.delete(page.slug);
      else found.set(page.slug, finding);
    });
    if (checkedAt === "just now") checkedAt = startedAt;
    waiting = waiting.filter(({ page }) => found.get(page.slug)?.mayPass === true);
    return waiting.length;
  };
  const isLate = isLateHost(api.dialect);
  const mayWait = isLate ? sent.length > 0 : unshown.length === 0;
  await visitAsReaders(look, {
    ...{ api, clock, signal, onStep },
    isEnough: (count) => count === 0,
    pausesMs: mayWait ? pausesAt(api.dialect) : [],
  });
  const findings = pages.flatMap(({ page }) => found.get(page.slug) ?? []);
  const left = findings
    .filter(({ mayPass, isPartial, isTaken, isCached }) => mayPass || [isPartial, isTaken, isCached].includes(true))
    .map(({ slug }) => slug);
  if (pages.length > 0 && left.length + unshown.length > 0) {
    api.learn({ unshown: left.length === 0 ? undefined : left.slice(0, MOST_UNSHOWN) });
  }
  // The last run didn't wait long enough.
  const isJustShown = unshown.length > 0 && left.length === 0 && sent.length === 0;
  if (isJustShown && isWithinLag(state.sentAt, clock)) {
    const shownAfterMs = clock.now().getTime() - Date.parse(state.sentAt ?? "");
    api.learn({ shownAfterMs: Math.max(api.dialect.shownAfterMs ?? 0, shownAfterMs) });
  }
  // A page that the host stored differently isn't an edit.
  if (findings.some(({ isPartial }) => isPartial)) api.learn({ html: "changed" });
  if (findings.length > 0) {
    const unseen = isLate ? [] : findings.filter(({ mayPass }) => mayPass).map(({ slug }) => slug);
    const isTaken = findings.some((finding) => finding.isTaken);
    const replaced = isTaken
      ? sent.map(({ name }) => name)
      : findings.filter(({ isReplaced }) => isReplaced).map(({ slug }) => slug);
    return { finding: describe(findings, { api, checked: pages.length, isLate }), unseen, replaced, areSeen: false };
  }
  return { finding: await checkFile(api, signal), unseen: [], replaced: [], areSeen: pages.length > 0 };
}

/** Name of the finding that readers don't see pages that were sent. */
export const PAGES_UNSEEN = "pagesUrl";

/** How many pages that readers aren't shown are remembered and checked in each run. */
export const MOST_UNSHOWN = 20;
const MOST_CHECKED = 10;
const READS_AT_ONCE = 20;

/**
 * Of the pages that a run sent, the first changed and the first new one; and others up to the last, unless the service
 * is known to show what it accepts. A plan or a queue for approval may hide only some pages.
 */
function sampleSent(sent: readonly Outcome[], { capabilities }: ImprintApi): readonly (string | undefined)[] {
  const firsts = (["update", "create"] as const).map((wanted) => sent.find(({ kind }) => kind === wanted)?.name);
  if (capabilities.account !== undefined) return firsts;
  const step = Math.max((sent.length - 1) / (MOST_CHECKED - 1), 1);
  const spread = Array.from({ length: MOST_CHECKED }, (_, number) => sent[Math.round(number * step)]?.name);
  return [...firsts, ...spread];
}

interface Checked {
  readonly api: ImprintApi;
  /** How many pages were opened. */
  readonly checked: number;
  readonly isLate: boolean;
}

function describe(findings: readonly Finding[], { api, checked, isLate }: Checked): Blocked | undefined {
  // The page with the most losses comes first.
  const sorted = findings.toSorted((one, other) => (other.parts?.length ?? 0) - (one.parts?.length ?? 0));
  const finding = sorted.find(({ counts }) => counts !== "never") ?? sorted[0];
  if (finding === undefined) return undefined;
  if (finding.mayPass && isLate) return describeLate(finding, api.dialect);
  const { reason, counts } = finding;
  const isOfPage = [finding.isPartial, finding.isReplaced, finding.isTaken].includes(true);
  const name = finding.name ?? (isOfPage ? finding.slug : PAGES_UNSEEN);
  const others = findings.filter((each) => each !== finding && each.mayPass === finding.mayPass);
  const details = others.length === 0 ? {} : { details: others.map(({ where }) => where) };
  const hint = finding.hint ?? (findings.length < checked ? SOME_HIDDEN : ALL_HIDDEN);
  const parts = finding.parts && findings.flatMap((each) => each.parts ?? []);
  return { kind: "blocked", name, reason, hint, counts, parts: parts && [...new Set(parts)], ...details };
}

const ALL_HIDDEN = `Open the address in a browser. If the pages are somewhere else, set \`pagesUrl\`. If they are waiting for approval, approve them. ${ACCEPT}`;
const SOME_HIDDEN = `Readers see the other pages that were checked. Check in the service's dashboard whether these are waiting for approval, or exceed a limit of your plan. ${ACCEPT}`;

/** Looks once more at a file that readers did not get when the first page was sent, or in an earlier run. */
async function checkFile(api: ImprintApi, signal: AbortSignal | undefined): Promise<Blocked | undefined> {
  const { unshownFile: address } = api.dialect;
  const visit =
    address === undefined ? undefined : await api.visit(address, { signal, from: api.capabilities.pagesAt });
  if (visit === undefined) return undefined;
  if (visit.status === 200) {
    api.learn({ unshownFile: undefined });
    return undefined;
  }
  return {
    kind: "blocked",
    name: "library",
    reason: `readers can't load files from the library: ${address} returns ${visit.status}`,
    hint: "Open the address in a browser. If only signed-in users can see the library's files, ask the service for public addresses. If readers don't need the files, run `imprint publish --accept` once.",
    counts: "unless accepted",
  };
}

const MOST_READ = 20;

/** Finds the longest sent page, which a store may cut, and one that only redirects. */
function findLongest(
  outcomes: readonly Outcome[],
  { desired }: CheckContext["planned"],
): readonly (string | undefined)[] {
  const names = new Set(writtenPages(outcomes));
  const pages = desired.pages.filter(({ slug }) => names.has(slug));
  const longest = pages.toSorted((one, other) => other.bytes - one.bytes)[0];
  return [longest, pages.find(({ redirect }) => redirect !== undefined)].map((page) => page?.slug);
}

/** Finds the sent page with the rarest character, and one with text that a host may take for a template. */
async function findUnusual(
  sent: readonly Outcome[],
  planned: CheckContext["planned"],
): Promise<readonly (string | undefined)[]> {
  const names = new Set(sent.slice(0, MOST_READ).map(({ name }) => name));
  let [rarest, most, templated]: [string | undefined, number, string | undefined] = [undefined, 0, undefined];
  for (const { slug, render } of planned.desired.pages.filter((page) => names.has(page.slug))) {
    const { html } = await render();
    const rarity = rarityOf(html);
    if (rarity > most) [rarest, most] = [slug, rarity];
    if (templated === undefined && hasTemplate(html)) templated = slug;
  }
  return [rarest, templated];
}

function describeLate({ where, counts }: Finding, { pageAnswers, htmlAt }: Dialect): Blocked {
  const said = pageAnswers === "accepted" ? "accepted the pages (202)" : "accepted the pages";
  const reason = `the service ${said}, but doesn't show them yet: ${where}`;
  const later = "This service shows pages some time after it accepts them. Run `imprint publish --verify` later.";
  const again = " If it still has the old version, that run sends them again.";
  const hint = htmlAt === "public" ? later : later + again;
  return { kind: "blocked", name: PAGES_UNSEEN, reason, hint, counts };
}

interface PageContext extends Pick<CheckContext, "api" | "clock" | "planned" | "signal"> {
  readonly address: string;
  /** The versions that readers may have seen before this run, by hash; `undefined` if that is unknown. */
  readonly former: readonly string[] | undefined;
  /** When it was sent; `just now` if nothing has opened it since, as far as this run goes. */
  readonly sentAt: Date | "just now" | undefined;
}

async function checkPage(page: DesiredPage, context: PageContext): Promise<Finding | undefined> {
  const { slug } = page;
  const { address, api, signal } = context;
  const visit = await api.visit(address, { signal });
  const unknown = { slug, counts: "never", mayPass: false } as const;
  const obstacle = describeObstacle(visit);
  if (visit === undefined || obstacle !== undefined) {
    const where = `${address} ${obstacle ?? "can't be reached from here"}`;
    return { ...unknown, where, reason: `${where}, so imprint couldn't check whether readers see what it sent` };
  }
  const { status } = visit;
  const { contentType = "text/html", isDownload } = visit;
  if (status === 200 && !isShownAsPage(visit)) {
    const type = isDownload ? "a download (`Content-Disposition: attachment`)" : contentType;
    return notSeen(slug, `${address} is served as ${type}, which browsers don't show as a page`);
  }
  const refresh = refreshOf(visit);
  if (status === 200 && refresh !== undefined) {
    return notSeen(slug, `${address} redirects readers to ${refresh} (\`Refresh\`)`);
  }
  if (status === 200 && (await isShown(page, visit, address))) return await findLoss(page, visit, api);
  const sent = status === 200 ? (await page.render()).html : "";
  if (isForMembers(visit, { address, sent })) {
    const where = `${address} ${status === 200 ? "shows a sign-in form" : `returns ${status}`}`;
    return { ...unknown, where, reason: `${where}: only signed-in users can see it` };
  }
  // A cache may still have an older version, and readers get the new one in a while.
  const mayBeCached = status === 200 || visit.cacheAge !== undefined;
  const anew = mayBeCached ? await api.visit(address, { signal, fresh: true }) : undefined;
  if (anew?.status === 200 && (await isShown(page, anew, address))) return await findLoss(page, anew, api);
  const last = anew ?? visit;
  if (isOlder(visit, context)) return cached(slug, address);
  const holder = findShownMarker(last)?.project;
  if (holder !== undefined && holder !== context.planned.project) return taken(slug, address, holder);
  if (isReplaced(last, context)) return replaced(slug, address);
  return notSeen(
    slug,
    `${address} ${last.status === 200 ? "shows an older version or another page" : `returns ${last.status}`}`,
  );
}

/** Whether a cache has had a response since before the page was sent. */
function isOlder({ cacheAge }: Visit, { clock, sentAt }: PageContext): boolean {
  if (cacheAge === undefined) return false;
  // A run without `.imprint/`, at a host that doesn't report when pages changed, can't know more.
  if (sentAt === "just now" || sentAt === undefined) return true;
  return clock.now().getTime() - cacheAge * 1000 <= sentAt.getTime();
}

/** The hashes of the versions that this checkout remembers or found; `undefined` if there are none. */
function versionsOf(
  slug: string,
  { state, planned }: Pick<CheckContext, "planned" | "state">,
): readonly string[] | undefined {
  const { hash, earlier = [] } = state.pages[slug] ?? {};
  const versions = [hash, ...earlier, planned.known.pages.get(slug)?.hash].filter((each) => each !== undefined);
  return versions.length === 0 ? undefined : versions;
}

/** Whether an address shows a version of the project's page that this checkout didn't send. */
function isReplaced(visit: Visit, { former, planned: { project } }: PageContext): boolean {
  const marker = findShownMarker(visit);
  if (former === undefined || marker?.project !== project) return false;
  return !former.some((hash) => isSameHash(marker.hash, hash));
}

function replaced(slug: string, address: string): Finding {
  const reason = `another checkout or job published ${slug} at the same time, and readers see its version`;
  const hint = "If this build is newer, publish again.";
  return { slug, where: `${address} shows another version`, reason, hint, mayPass: false, isReplaced: true };
}

function taken(slug: string, address: string, project: string): Finding {
  const { reason, hint } = heldByAnother({ project });
  const where = `${address} shows a page of another project`;
  return {
    slug,
    where,
    reason: `readers see another page at ${address}: ${reason}`,
    hint,
    mayPass: false,
    isTaken: true,
  };
}

// Not every cache can be bypassed.
function cached(slug: string, address: string): Finding {
  const where = `a cache still returns the earlier response of ${address}`;
  const reason = `${where}, so imprint couldn't check whether readers will see what it sent`;
  const hint = "The next publish checks it again.";
  return { slug, where, reason, hint, counts: "never", mayPass: false, isCached: true };
}

function notSeen(slug: string, where: string): Finding {
  const reason = `readers don't see the pages that were sent: ${where}`;
  return { slug, where, reason, counts: "unless accepted", mayPass: true };
}

const ENOUGH_WORDS = 0.8;

async function isShown(page: DesiredPage, visit: { readonly bytes: Uint8Array }, address: string): Promise<boolean> {
  const html = unframe(new TextDecoder().decode(visit.bytes));
  const marker = findMarker(html);
  if (marker !== undefined) return marker.hash === page.hash;
  // A host that removes comments and attributes keeps most of the words.
  const { readPage } = await import("./verify/read-page.ts");
  const [shown, sent] = [readPage(html, address), readPage((await page.render()).html, address)];
  return countCovered(countWords(sent.words), countWords(shown.words)) >= sent.words.length * ENOUGH_WORDS;
}
