import { mapPool } from "../../base/pool.ts";
import type { DesiredPage } from "../desired.ts";
import type { LiveProblem, Verified } from "../report/words.ts";
import type { OnStep } from "../step.ts";
import { createAddressBook, type Address, type AddressBook } from "./addresses.ts";
import type { PublicFetch, Shown } from "./fetch-public.ts";
import { isHtml, judgeAnchor, judgeAnswer, judgeFile, judgeLink, judgePage, type Finding } from "./judge.ts";
import { readPage, readStyleSheet, type ReadPage } from "./read-page.ts";

/** A published page and where readers find it. */
export interface LivePage {
  readonly desired: DesiredPage;
  readonly address: string;
}

/** A published post and where readers find it. */
export interface LivePost {
  readonly slug: string;
  readonly address: string;
}

export interface AddressesContext {
  readonly pages: readonly LivePage[];
  readonly posts: readonly LivePost[];
  /** Whether an address is on a host of the published pages. */
  readonly isOwnHost: (address: string) => boolean;
  /** Whether an address is on a host of the published pages or of the library. */
  readonly mayVisit: (address: string) => boolean;
  readonly fetching: PublicFetch;
  readonly sleep: (ms: number) => Promise<void>;
  readonly signal: AbortSignal | undefined;
  readonly onStep: OnStep;
}

export interface VerifiedAddresses extends Verified {
  /** What the pages look like to a browser: the shape of each page that is live, by its slug. */
  readonly shapes: ReadonlyMap<string, string>;
}

const AT_ONCE = 8;
const PAUSES_MS: readonly number[] = [1000, 3000, 9000];

/**
 * Fetches every page and post and all that the pages load and lead to, each address once. What fails is asked again
 * after growing pauses, since a CDN takes a while to show what is new.
 */
export async function verifyAddresses(context: AddressesContext): Promise<VerifiedAddresses> {
  const { pages, posts, sleep, signal } = context;
  const book = createAddressBook();
  for (const page of pages) book.addPage(page);
  for (const post of posts) book.addPost(post);
  await visitAll(book, context);
  for (const pause of PAUSES_MS) {
    const failed = book.all().filter(hasProblem);
    if (failed.length === 0) break;
    await sleep(pause);
    signal?.throwIfAborted();
    for (const address of failed) book.settle(address, undefined);
    await visitAll(book, context);
  }
  return summarize(book, context);
}

// What an address names is visited after it, until nothing new is named.
async function visitAll(book: AddressBook, context: AddressesContext): Promise<void> {
  for (let waiting = book.unvisited(); waiting.length > 0; waiting = book.unvisited()) {
    await mapPool(waiting, AT_ONCE, (address) => visit(address, { ...context, book }));
  }
}

async function visit(address: Address, context: AddressesContext & { readonly book: AddressBook }): Promise<void> {
  const { book, fetching, signal, onStep } = context;
  signal?.throwIfAborted();
  onStep({ kind: "verify", count: book.progress() });
  const shown = await fetching.read(address.href);
  const isPage = shown.kind === "answer" && shown.text !== undefined && isHtml(shown);
  const page = isPage && mayBeRead(address) ? readPage(shown.text ?? "", shown.address) : undefined;
  const whole = address.page === undefined && address.post === undefined ? undefined : judgeAnswer(shown);
  const { page: live } = address;
  const problem = whole ?? (await judgeContent(address, { shown, page }));
  book.settle(address, {
    shown: shown.kind === "answer" ? { ...shown, text: undefined } : shown,
    problem,
    anchors: page?.anchors,
    isUnread: isPage && page === undefined,
    shape: page?.shape,
  });
  if (shown.kind === "answer" && shown.contentType === "text/css" && address.uses.has("style")) {
    for (const file of readStyleSheet(shown.text ?? "", shown.address)) addFile(file, { context, user: address.href });
  }
  const user = live?.desired.slug ?? address.post?.slug;
  // What an older version of a page names may be gone already.
  if (page === undefined || user === undefined || problem !== undefined) return;
  // The rest of a post's page is the host's own.
  const files = live === undefined ? page.files.filter(({ use }) => use === "image") : page.files;
  for (const file of files) addFile(file, { context, user });
  if (live === undefined) return;
  for (const link of page.links) if (context.isOwnHost(link.address)) book.addLink(link, user);
}

interface Content {
  readonly shown: Shown;
  readonly page: ReadPage | undefined;
}

async function judgeContent({ page: live }: Address, { shown, page }: Content): Promise<Finding | undefined> {
  if (live === undefined || page === undefined || shown.kind !== "answer") return undefined;
  return await judgePage(shown, { desired: live.desired, page });
}

// The anchors of a page count, and for a page of this run all that it names.
function mayBeRead({ page, post, links }: Address): boolean {
  return page !== undefined || post !== undefined || [...links.keys()].some((anchor) => anchor !== "");
}

interface FileUser {
  readonly context: AddressesContext & { readonly book: AddressBook };
  /** Slug of the page, or address of the stylesheet. */
  readonly user: string;
}

function addFile(file: Parameters<AddressBook["addFile"]>[0], { context, user }: FileUser): void {
  if (context.mayVisit(file.address)) context.book.addFile(file, user);
}

function hasProblem({ state, uses, href, links, isPost }: Address): boolean {
  if (state === undefined) return false;
  if (state.problem !== undefined) return true;
  if (uses.size > 0 && judgeFile(state.shown, { address: href, uses }) !== undefined) return true;
  return links.size > 0 && judgeLink(state.shown, { isPost }) !== undefined;
}

function summarize(book: AddressBook, { pages, posts }: AddressesContext): VerifiedAddresses {
  const all = book.all();
  return {
    pages: pages.length,
    posts: posts.length,
    files: all.filter(({ uses }) => uses.size > 0).length,
    links: all.reduce((sum, { links }) => sum + links.size, 0),
    problems: [
      ...all.flatMap(wholeProblem),
      ...all.flatMap((address) => fileProblem(address, book)),
      ...all.flatMap((address) => linkProblems(address, book)),
    ],
    redirects: all.flatMap(({ href, state }) => {
      const to = state === undefined || state.shown.kind === "silent" ? href : state.shown.address;
      return to === href ? [] : [{ address: href, to }];
    }),
    shapes: new Map(
      all.flatMap(({ page, state }) =>
        page === undefined || state?.shape === undefined || state.problem !== undefined
          ? []
          : [[page.desired.slug, state.shape] as const],
      ),
    ),
  };
}

function wholeProblem({ page, post, href, state }: Address): readonly LiveProblem[] {
  if (state?.problem === undefined) return [];
  const usedBy = [page?.desired.slug ?? post?.slug ?? ""];
  return [{ kind: page === undefined ? "post" : "page", address: href, ...state.problem, usedBy }];
}

function fileProblem({ href, uses, users, state }: Address, book: AddressBook): readonly LiveProblem[] {
  if (state === undefined || state.problem !== undefined || uses.size === 0) return [];
  const finding = judgeFile(state.shown, { address: href, uses });
  return finding === undefined ? [] : [{ kind: "file", address: href, ...finding, usedBy: book.pagesOf(users) }];
}

// A page that isn't live is one problem, not one for each link that leads to it.
function linkProblems({ href, links, state, isPost }: Address, book: AddressBook): readonly LiveProblem[] {
  if (state === undefined || state.problem !== undefined || links.size === 0) return [];
  const broken = judgeLink(state.shown, { isPost });
  const problem = (finding: Finding, users: ReadonlySet<string>, address: string): LiveProblem => ({
    ...{ kind: "link", address, ...finding, usedBy: book.pagesOf(users) },
  });
  if (broken !== undefined) {
    return [problem(broken, new Set([...links.values()].flatMap((users) => [...users])), href)];
  }
  return [...links].flatMap(([anchor, users]) => {
    const finding = anchor === "" ? undefined : judgeAnchor(state.anchors, anchor);
    return finding === undefined ? [] : [problem(finding, users, `${href}#${encodeURIComponent(anchor)}`)];
  });
}
