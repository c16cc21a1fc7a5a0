import { setTimeout as wait } from "node:timers/promises";
import { ImprintError } from "../../base/error.ts";
import type { Outcome } from "../../base/outcome.ts";
import { mapPool } from "../../base/pool.ts";
import { HIDES_PEOPLE } from "../../html/lost-values.ts";
import { parseHtml } from "../../html/parse.ts";
import { textOf, visitElements } from "../../html/tree.ts";
import { postUid } from "../../posts/identity/marker.ts";
import type { BuiltSite, SiteWarning } from "../../site/model.ts";
import type { Visit } from "../../client/api.ts";
import type { DesiredPage } from "../desired.ts";
import type { PlannedSite } from "../plan-run.ts";
import type { LiveProblem, Verified } from "../report/words.ts";
import type { OnStep } from "../run.ts";
import { createAddressBook, findShapes, findUnshown, type Address, type AddressBook, type Live } from "./addresses.ts";
import { createPublicFetch, type PublicFetch, type Shown } from "./fetch-public.ts";
import {
  isHtml,
  checkAnchor,
  checkDeleted,
  checkResponse,
  checkFileResponse,
  checkLength,
  checkLink,
  checkPost,
  classifyPage,
  HIDDEN_POST,
  PAGES_URL,
  type Finding,
} from "./checks.ts";
import type { OpenBrowser } from "./open-browser.ts";
import { readPage, readStyleSheet, type FileReference, type LinkReference, type ReadPage } from "./read-page.ts";

export interface VerifyContext {
  readonly built: BuiltSite;
  readonly outcomes: readonly Outcome[];
  /** How many bytes readers have to get of files of the library, by address. */
  readonly fileBytes: ReadonlyMap<string, number>;
  /** Whether the host is known to give pages titles of its own. */
  readonly hasOwnTitles: boolean;
  /** Finds what readers don't get of a page whose text they see. */
  readonly findLoss: (page: DesiredPage, visit: Visit) => Promise<Finding | undefined>;
  /** Set to open pages in a browser too. */
  readonly openBrowser: OpenBrowser | undefined;
  readonly connection:
    | { readonly timeoutMs?: number; readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void> }
    | undefined;
  readonly signal: AbortSignal | undefined;
  readonly onStep: OnStep;
}

export interface VerifiedRun {
  /** `undefined` if nothing could be verified, which a warning explains. */
  readonly verified: Verified | undefined;
  readonly warnings: readonly SiteWarning[];
  /** Slugs of the pages that readers aren't shown as they were sent. */
  readonly unshown: readonly string[];
}

const TIMEOUT_MS = 30_000;

/**
 * Checks what a run published as its readers see it: without the key, at the public addresses.
 *
 * @throws ImprintError `ABORTED` if the run was interrupted
 */
export async function verifyRun(planned: PlannedSite, context: VerifyContext): Promise<VerifiedRun> {
  const { signal, onStep, connection, built, openBrowser, outcomes, fileBytes, hasOwnTitles, findLoss } = context;
  const pages = findLivePages(planned, outcomes);
  if (pages === undefined) return { verified: undefined, warnings: [UNKNOWN_ADDRESS], unshown: [] };
  const posts = findLivePosts(planned, outcomes);
  const own = new Set([...pages, ...posts].map(({ address }) => hostOf(address)));
  const library = new Set(outcomes.flatMap(({ url = "", ...outcome }) => (isAsset(outcome, url) ? hostOf(url) : [])));
  const isOwnHost = (address: string) => own.has(hostOf(address));
  const mayVisit = (address: string) => isOwnHost(address) || library.has(hostOf(address));
  const fetching = createPublicFetch({
    mayVisit,
    from: pages[0]?.address,
    signal,
    timeoutMs: connection?.timeoutMs ?? TIMEOUT_MS,
  });
  const book = createAddressBook([...pages, ...posts, ...findDeletedPages(planned, outcomes)]);
  try {
    const visiting = { book, isOwnHost, mayVisit, fileBytes, hasOwnTitles, findLoss, fetching, signal, onStep };
    await visitAll(visiting, connection?.sleep ?? pause);
    const verified = { pages: pages.length, posts: posts.length, ...summarize(book) };
    const unshown = findUnshown(book);
    if (openBrowser === undefined) return { verified, warnings: [], unshown };
    const { verifyInBrowser } = await import("./browser.ts");
    const shapes = findShapes(book);
    const seen = await verifyInBrowser(pages, { built, shapes, openBrowser, onStep, signal, isOwnHost: mayVisit });
    const known = new Set(verified.problems.map(({ address }) => address));
    const requests = seen.requests.filter(({ address }) => !known.has(address));
    const problems = [...verified.problems, ...requests, ...seen.errors];
    return { verified: { ...verified, problems, browser: seen.browser }, warnings: [], unshown };
  } catch (error) {
    if (signal?.aborted !== true) throw error;
    const message = "The verification was interrupted. What was published stays.";
    throw new ImprintError("ABORTED", message, { cause: error });
  }
}

const UNKNOWN_ADDRESS: SiteWarning = {
  code: "not-verified",
  file: "pagesUrl",
  message:
    'Nothing could be verified, because imprint doesn\'t know where the service shows pages. Set `pagesUrl`, such as "https://x.example/{slug}".',
};

// What was not published is already in the report.
function findLivePages({ desired, addresses }: PlannedSite, outcomes: readonly Outcome[]): readonly Live[] | undefined {
  const live = new Set(outcomes.filter((outcome) => isLive(outcome, "page")).map(({ name }) => name));
  const pages: Live[] = [];
  for (const page of desired.pages.filter(({ redirect }) => redirect === undefined)) {
    const address = addresses.reachable(page.slug);
    if (address === undefined) return undefined;
    if (live.has(page.slug)) pages.push({ slug: page.slug, address, desired: page });
  }
  return pages;
}

// So many pages that earlier runs deleted are opened again, the latest first.
const MOST_DELETED = 20;

function findDeletedPages(
  { known, desired, addresses, project, remembered }: PlannedSite,
  outcomes: readonly Outcome[],
): readonly Live[] {
  const now = outcomes.flatMap(({ resource, kind, status, name }) =>
    resource === "page" && kind === "delete" && status === "done" ? [name] : [],
  );
  const present = new Set([...known.pages.keys(), ...desired.pages.map(({ slug }) => slug)]);
  const before = remembered.deletedPages.filter((slug) => !present.has(slug)).slice(-MOST_DELETED);
  return [...now, ...before].flatMap((slug) => {
    const address = addresses.reachable(slug);
    return address === undefined ? [] : [{ slug, address, deletedFrom: project }];
  });
}

function findLivePosts({ desired, plan }: PlannedSite, outcomes: readonly Outcome[]): readonly Live[] {
  const shown = new Map(desired.posts.flatMap((post) => (post.status === "published" ? [[post.slug, post]] : [])));
  for (const change of plan.posts)
    if (change.kind === "update" && change.state === "withdrawn") shown.delete(change.name);
  const changes = new Map(plan.posts.map((change) => [change.name, change]));
  const { collection = "" } = desired.blog ?? {};
  return outcomes.flatMap((outcome) => {
    const { name, url = "" } = outcome;
    const sent = isLive(outcome, "post") && URL.canParse(url) ? shown.get(name) : undefined;
    if (sent === undefined) return [];
    const change = changes.get(name);
    const { marker, record } = (change?.kind === "keep" || change?.kind === "update" ? change.known : undefined) ?? {};
    const post = {
      sent,
      uids: new Set([postUid({ collection, slug: name }), ...(marker === undefined ? [] : [marker.uid])]),
      // Publishing a post checked that its title is shown.
      listedTitle: change?.kind === "create" ? sent.title : record?.title,
      state: change?.kind === "keep" ? change.entry.state : "confirmed",
    };
    return [{ slug: name, address: url, post, linkTexts: findLinkTexts(sent.html) }];
  });
}

function findLinkTexts(html: string): ReadonlySet<string> {
  const texts = new Set<string>();
  visitElements(parseHtml(html), (element) => {
    if (element.tagName === "a") texts.add(textOf(element));
  });
  return texts;
}

type Ended = Pick<Outcome, "resource" | "kind" | "status">;

function isLive({ resource, kind, status }: Ended, wanted: Outcome["resource"]): boolean {
  return resource === wanted && status === "done" && (kind === "create" || kind === "update" || kind === "keep");
}

function isAsset(outcome: Ended, url: string): boolean {
  return isLive(outcome, "asset") && URL.canParse(url);
}

function hostOf(address: string): string {
  return new URL(address).host;
}

async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await wait(ms, undefined, { signal });
}

interface VisitContext extends Pick<VerifyContext, "hasOwnTitles" | "fileBytes" | "findLoss"> {
  readonly book: AddressBook;
  /** Whether an address is on a host of the published pages. */
  readonly isOwnHost: (address: string) => boolean;
  /** Whether an address is on a host of the published pages or of the library. */
  readonly mayVisit: (address: string) => boolean;
  readonly fetching: PublicFetch;
  readonly signal: AbortSignal | undefined;
  readonly onStep: OnStep;
}

const AT_ONCE = 8;
const PAUSES_MS: readonly number[] = [1000, 3000, 9000];

/**
 * Fetches every page and post and everything that the pages load and link to, each address once. Retries failures after
 * growing pauses, since a CDN takes a while to show new content.
 */
async function visitAll(context: VisitContext, sleep: typeof pause): Promise<void> {
  const { book, signal } = context;
  for (const pauseMs of [...PAUSES_MS, undefined]) {
    // Visits the references of each address, until there are no new ones.
    for (let waiting = book.unvisited(); waiting.length > 0; waiting = book.unvisited()) {
      await mapPool(waiting, AT_ONCE, (address) => visit(address, context));
    }
    const failed = book.all().filter(hasProblem);
    if (failed.length === 0 || pauseMs === undefined) return;
    await sleep(pauseMs, signal);
    signal?.throwIfAborted();
    for (const address of failed) book.note(address, undefined);
  }
}

async function visit(address: Address, context: VisitContext): Promise<void> {
  const { book, fetching, signal, onStep, mayVisit, isOwnHost, fileBytes } = context;
  signal?.throwIfAborted();
  onStep({ kind: "verify", count: book.progress() });
  const bytes = fileBytes.get(address.href);
  const shown = await fetching.read(address.href, { measures: bytes !== undefined });
  const isPage = shown.kind === "answer" && shown.text !== undefined && isHtml(shown);
  const page = isPage && mayBeRead(address) ? readPage(shown.text ?? "", shown.address) : undefined;
  const { live } = address;
  const lack = bytes === undefined ? undefined : checkLength(shown, bytes);
  const problem = live === undefined ? lack : await checkLive(live, { ...context, shown, page });
  book.note(address, {
    shown: shown.kind === "answer" ? { ...shown, text: undefined, visit: undefined } : shown,
    problem,
    anchors: page?.anchors,
    isUnread: isPage && page === undefined,
    shape: page?.shape,
  });
  const addFiles = (files: readonly FileReference[], user: string) => {
    for (const file of files) if (mayVisit(file.address)) book.addFile(file, user);
  };
  if (shown.kind === "answer" && shown.contentType === "text/css" && address.uses.has("style")) {
    addFiles(readStyleSheet(shown.text ?? "", shown.address), address.href);
  }
  // References of an older version of a page may already be gone.
  if (page === undefined || live === undefined || live.deletedFrom !== undefined || problem !== undefined) return;
  // The rest of a post's page belongs to the host.
  addFiles(live.desired === undefined ? page.files.filter(({ use }) => use === "image") : page.files, live.slug);
  const links = page.links.filter(({ text }) => live.linkTexts?.has(text) !== false);
  const isVerified = ({ address: to }: LinkReference) => isOwnHost(to) || fileBytes.has(to);
  for (const link of links) if (isVerified(link)) book.addLink(link, live.slug);
}

// Pages are read for their anchors, and pages of this run also for their references.
function mayBeRead({ live, links }: Address): boolean {
  return live !== undefined || [...links.keys()].some((anchor) => anchor !== "");
}

interface Opened extends Pick<VerifyContext, "hasOwnTitles" | "findLoss"> {
  readonly shown: Shown;
  readonly page: ReadPage | undefined;
}

async function checkLive(live: Live, opened: Opened): Promise<Finding | undefined> {
  const { slug, deletedFrom: project } = live;
  if (project !== undefined) return checkDeleted(opened.shown, { slug, project });
  return checkResponse(opened.shown) ?? (await checkContent(live, opened));
}

async function checkContent(
  { desired, post }: Live,
  { shown, page, hasOwnTitles, findLoss }: Opened,
): Promise<Finding | undefined> {
  if (post !== undefined && shown.kind === "answer") return checkPost(post, shown);
  if (desired === undefined || page === undefined || shown.kind !== "answer") return undefined;
  const readSent = async () => readPage((await desired.render()).html, shown.address);
  const problem = await classifyPage(shown, { page, hash: desired.hash, hasOwnTitles, readSent });
  return problem ?? (shown.visit && (await findLoss(desired, shown.visit)));
}

function hasProblem({ state, uses, href, links, isPost }: Address): boolean {
  if (state === undefined) return false;
  if (state.problem !== undefined) return true;
  if (uses.size > 0 && checkFileResponse(state.shown, { address: href, uses }) !== undefined) return true;
  return links.size > 0 && checkLink(state.shown, { isPost }) !== undefined;
}

function summarize(book: AddressBook): Omit<Verified, "pages" | "posts"> {
  const all = book.all();
  const isSomeShown = all.some(({ live, state }) => live?.desired !== undefined && state?.problem === undefined);
  return {
    files: all.filter(({ uses }) => uses.size > 0).length,
    links: all.reduce((sum, { links }) => sum + links.size, 0),
    problems: [
      ...all.flatMap((address) => wholeProblem(address, isSomeShown)),
      ...all.flatMap((address) => fileProblem(address, book)),
      ...all.flatMap((address) => linkProblems(address, book)),
    ],
    redirects: all.flatMap(({ href, state }) => {
      const to = state === undefined || state.shown.kind === "silent" ? href : state.shown.address;
      return to === href ? [] : [{ address: href, to }];
    }),
  };
}

function wholeProblem({ live, href, state }: Address, isSomeShown: boolean): readonly LiveProblem[] {
  if (state?.problem === undefined || live === undefined) return [];
  const kind = live.desired === undefined && live.deletedFrom === undefined ? "post" : "page";
  const { hint, ...problem } = state.problem;
  const advice = kind === "post" ? HIDDEN_POST : isSomeShown ? HIDDEN : hint;
  const helps = hint === PAGES_URL ? advice : hint;
  return [{ kind, address: href, ...problem, hint: helps, usedBy: [live.slug] }];
}

const HIDDEN =
  "Readers see other pages, so `pagesUrl` is correct. Check in the service's dashboard whether this page is waiting for approval, or exceeds a limit of your plan.";

function fileProblem({ href, live, uses, users, links, state }: Address, book: AddressBook): readonly LiveProblem[] {
  if (state?.problem !== undefined && live === undefined) {
    const all = new Set([...users, ...[...links.values()].flatMap((linking) => [...linking])]);
    return [{ kind: "file", address: href, ...state.problem, usedBy: book.pagesOf(all) }];
  }
  if (state === undefined || state.problem !== undefined || uses.size === 0) return [];
  const finding = checkFileResponse(state.shown, { address: href, uses });
  return finding === undefined ? [] : [{ kind: "file", address: href, ...finding, usedBy: book.pagesOf(users) }];
}

// A page that isn't live is one problem, not one for each link to it.
function linkProblems({ href, links, state, isPost }: Address, book: AddressBook): readonly LiveProblem[] {
  if (state === undefined || state.problem !== undefined || links.size === 0) return [];
  const problem = (finding: Finding, users: ReadonlySet<string>, address: string): LiveProblem => {
    return { kind: "link", address, ...finding, usedBy: book.pagesOf(users) };
  };
  const broken = checkLink(state.shown, { isPost });
  if (broken !== undefined) {
    return [problem(broken, new Set([...links.values()].flatMap((users) => [...users])), href)];
  }
  return [...links].flatMap(([anchor, users]) => {
    const finding = anchor === "" || HIDES_PEOPLE.test(href) ? undefined : checkAnchor(state.anchors, anchor);
    return finding === undefined ? [] : [problem(finding, users, `${href}#${encodeURIComponent(anchor)}`)];
  });
}
