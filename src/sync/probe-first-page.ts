import type { ImprintApi } from "../client/api.ts";
import { readLibraryFile } from "../client/library-probe.ts";
import { patternOf, publishedAddress } from "../client/published-address.ts";
import type { Dialect, LibraryKind } from "../contract/dialect.ts";
import { isFile } from "../base/bytes.ts";
import { ImprintError } from "../base/error.ts";
import { unframe } from "../html/framed-page.ts";
import { findMarker } from "../html/marker.ts";
import { fillPlaceholders } from "../html/fill-placeholders.ts";
import { hasSameWords } from "../html/words.ts";
import type { ShownPolicy } from "../html/blocked-parts.ts";
import { removedDialect } from "../html/page-parts.ts";
import { visitAsReaders, pausesAt, type Waiting } from "./lateness.ts";
import type { SiteAsset } from "../site/model.ts";
import type { FirstPage, PreparedAsset } from "./apply.ts";
import { isAreaRefusal } from "../base/outcome.ts";
import { findMissingParts } from "./find-missing-parts.ts";
import { describeObstacle, isForMembers } from "../client/read-visit.ts";
import { heldByAnother } from "./plan/pages.ts";
import { findShownMarker, readHtml } from "./seen.ts";

/** What the first page revealed about a host. */
export interface Proof {
  readonly dialect: Dialect;
  /** Where the page was not found: `https://x.example/p/index and https://x.example/index do not show it`. */
  readonly tried?: string | undefined;
}

export interface ProofContext extends Waiting {
  readonly api: ImprintApi;
  /** Address of pages from the options or the target: a base address or a pattern. */
  readonly given: string | undefined;
  /** The files of the page, by hash. */
  readonly assets: ReadonlyMap<string, SiteAsset>;
  readonly prepare: (asset: SiteAsset) => Promise<PreparedAsset>;
  /** Returns the reachable address of a file from its address in pages. */
  readonly reach: (address: string) => string;
  /**
   * Where to wait until the page is shown: also at guessed addresses, or only at a known one. `nowhere` if the run has
   * already waited.
   */
  readonly waits: "anywhere" | "known address" | "nowhere";
}

/**
 * Checks the first page on a host as its readers see it: where it is served, whether its HTML is as sent, and whether
 * pages can load its files from the library. If the host reports where it serves pages, this takes five reads, and up
 * to seven more while the page is not shown yet.
 */
export async function probeFirstPage(first: FirstPage, context: ProofContext): Promise<Proof> {
  const { api } = context;
  if (first.record === undefined) return { dialect: api.dialect };
  // A second page is sent to test its slug, or parts that the first one lacks.
  if (api.dialect.html !== undefined) return { dialect: { ...api.dialect, ...(await checkAgain(first, context)) } };
  const shown = await findShown(first, context);
  const [html, files] = [
    await readShownHtml(first, { api, shown }),
    await readFiles(first.addresses, { ...context, from: shown.pagesAt }),
  ];
  return {
    dialect: {
      ...api.dialect,
      ...(shown.pagesAt === undefined ? {} : { pagesAt: shown.pagesAt }),
      ...compareHtml(html, shown),
      ...(await findRemoved(first, { html: shown.html ?? html, policy: shown.policy, api })),
      ...files,
    },
    tried: shown.pagesAt === undefined ? shown.tried : undefined,
  };
}

interface Shown {
  /** Pattern of published addresses that was verified, or is specified by the host or the user. */
  readonly pagesAt: string | undefined;
  readonly html: string | undefined;
  /** The policy that it is shown with. */
  readonly policy?: ShownPolicy | undefined;
  /** Whether only signed-in people see the page. */
  readonly isForMembers: boolean;
  readonly tried?: string;
}

async function findShown(first: FirstPage, context: ProofContext): Promise<Shown> {
  const { api, given, clock, signal, onStep, waits } = context;
  const known = given === undefined ? await learnPagesAt(first, context) : patternOf(given);
  const pausesMs = waits === "nowhere" ? [] : pausesAt(api.dialect);
  if (known !== undefined) {
    const seen = await visitAsReaders(() => visitPage(publishedAddress(known, first.desired.slug), first, api), {
      ...{ api, clock, signal, onStep, pausesMs },
      isEnough: ({ state }) => state === "shown" || state === "for members",
    });
    return { ...seen, pagesAt: known, isForMembers: seen.state === "for members" };
  }
  const patterns = guessPatterns(api.baseUrl);
  const tried = new Map<string, string | undefined>();
  let states: PageVisit["state"][] = [];
  const guess = async () => {
    states = [];
    for (const pagesAt of patterns) {
      const address = publishedAddress(pagesAt, first.desired.slug);
      const { html, policy, obstacle, state } = await visitPage(address, first, api);
      if (html !== undefined) return { pagesAt, html, policy };
      tried.set(address, obstacle);
      states.push(state);
    }
    return undefined;
  };
  const found = await visitAsReaders(guess, {
    ...{ api, clock, signal, onStep },
    isEnough: (seen) => seen !== undefined || states.includes("for members") || !states.includes("missing"),
    pausesMs: waits === "anywhere" ? pausesMs : [],
  });
  return {
    pagesAt: found?.pagesAt,
    html: found?.html,
    policy: found?.policy,
    isForMembers: false,
    tried: describeTried(tried),
  };
}

function describeTried(tried: ReadonlyMap<string, string | undefined>): string {
  const { met = [], missed = [] } = Object.groupBy(tried, ([, obstacle]) =>
    obstacle === undefined ? "missed" : "met",
  );
  const verb = missed.length === 1 ? "doesn't" : "don't";
  const without = missed.length === 0 ? [] : [`${missed.map(([address]) => address).join(" and ")} ${verb} show it`];
  return [...met.map((each) => each.join(" ")), ...without].join(", ");
}

// If the response to the write has only the editor's address, the page itself may have the public one.
async function learnPagesAt(
  { desired }: FirstPage,
  { api, clock, signal, onStep, waits }: Pick<ProofContext, keyof Waiting | "api" | "waits">,
): Promise<string | undefined> {
  const { capabilities } = api;
  if (capabilities.pagesAt !== undefined || !capabilities.operations.has("pages.get")) return capabilities.pagesAt;
  const isShown = async () => (await api.pages.get(desired.slug, { signal })) !== undefined;
  await visitAsReaders(() => unlessRefused(isShown()), {
    ...{ api, clock, signal, onStep },
    isEnough: (shown) => shown !== false,
    pausesMs: waits === "nowhere" ? [] : pausesAt(api.dialect),
  });
  return api.capabilities.pagesAt;
}

async function unlessRefused<Result>(asked: Promise<Result>): Promise<Result | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (isAreaRefusal(error)) return undefined;
    throw error;
  }
}

// The specification uses `{site_url}/p/<slug>`; if a host reports nothing, its own address is the first guess.
function guessPatterns(baseUrl: string): readonly string[] {
  const { origin } = new URL(baseUrl);
  return [...new Set([`${origin}/p/{slug}`, `${baseUrl}/p/{slug}`, `${origin}/{slug}`, `${baseUrl}/{slug}`])];
}

const MOST_GUESSED = 3;

/** Guesses where a host serves pages, by requesting some existing pages that imprint published. */
export async function guessPagesAt(slugs: readonly string[], api: ImprintApi): Promise<string | undefined> {
  for (const slug of slugs.slice(0, MOST_GUESSED)) {
    for (const pagesAt of guessPatterns(api.baseUrl)) {
      const visit = await api.visit(publishedAddress(pagesAt, slug));
      if (findShownMarker(visit) !== undefined) return pagesAt;
    }
  }
  return undefined;
}

interface PageVisit extends Pick<Shown, "html" | "policy"> {
  readonly obstacle?: string | undefined;
  /** `missing`: readers get something else so far. */
  readonly state: "shown" | "for members" | "missing" | "unreadable";
}

async function visitPage(address: string, first: FirstPage, api: ImprintApi): Promise<PageVisit> {
  const visit = await api.visit(address);
  if (visit === undefined) return { html: undefined, state: "unreadable" };
  const html = visit.status === 200 ? unframe(new TextDecoder().decode(visit.bytes)) : undefined;
  refuseTaken(html, first);
  if (html !== undefined && isOf(first, html)) return { html, policy: visit, state: "shown" };
  const obstacle = describeObstacle(visit);
  const state = isForMembers(visit, { address, sent: first.html })
    ? "for members"
    : obstacle === undefined
      ? "missing"
      : "unreadable";
  return { html: undefined, obstacle, state };
}

function isOf({ desired, html: sent }: FirstPage, html: string): boolean {
  const marker = findMarker(html);
  // A different hash belongs to the previous version.
  if (marker !== undefined) return marker.hash === desired.hash;
  return html.includes(`<title>${desired.title}`) || hasSameWords(sent, html);
}

/** Throws if another project published its own page at the same time: that page says nothing of the host. */
function refuseTaken(html: string | undefined, { desired: { slug }, html: sent }: FirstPage): void {
  const [own, found] = [findMarker(sent), findMarker(html ?? "")];
  if (own === undefined || found?.project === undefined || found.project === own.project) return;
  const { reason, hint } = heldByAnother(found);
  throw new ImprintError("SLUG_HELD", `${slug}: ${reason} at the same time.`, { hint });
}

async function readShownHtml(
  first: FirstPage,
  { api, shown }: { readonly api: ImprintApi; readonly shown: Shown },
): Promise<string | undefined> {
  // If readers get the page as sent, the API returns the same.
  if (shown.html !== undefined && findMarker(shown.html)?.intact === true) return shown.html;
  return (await readOwnHtml(first, api)) ?? shown.html;
}

async function readOwnHtml(first: FirstPage, api: ImprintApi): Promise<string | undefined> {
  const html = await readHtml(first.desired.slug, api);
  refuseTaken(html, first);
  return html;
}

// If nobody sees the page, it may only be late, so it is still unknown whether its HTML is returned.
function compareHtml(html: string | undefined, { isForMembers }: Shown): Pick<Dialect, "html"> {
  if (html === undefined) return isForMembers ? { html: "hidden" } : {};
  return { html: findMarker(html)?.intact === true ? "kept" : "changed" };
}

async function checkAgain(first: FirstPage, context: ProofContext): Promise<Partial<Dialect>> {
  const { api, given } = context;
  const isShown = given !== undefined || api.capabilities.pagesAt !== undefined;
  const { html, policy } = isShown ? await findShown(first, context) : {};
  return await findRemoved(first, { html: html ?? (await readOwnHtml(first, api)), policy, api });
}

// What readers get decides: the API may return parts that the host removes for readers.
async function findRemoved(
  { html: sent }: FirstPage,
  { html, policy, api }: Pick<Shown, "html" | "policy"> & { readonly api: ImprintApi },
): Promise<Pick<Dialect, "scripts" | "removes">> {
  if (html === undefined) return {};
  return removedDialect(await findMissingParts(sent, { html, visit: policy }, api), api.dialect);
}

const MOST_FILES = 3;

interface LibraryContext extends Pick<ProofContext, "assets" | "prepare" | "reach" | "signal"> {
  /** Where pages that load the files are shown. */
  readonly from?: string | undefined;
}

/**
 * Reads back one file of each kind, the most essential first, and returns why pages can't load them. A missing file may
 * only be late.
 */
export async function readFiles(
  addresses: FirstPage["addresses"],
  { assets, prepare, reach, signal, from }: LibraryContext,
): Promise<Pick<Dialect, "unserved" | "unshownFile">> {
  const samples = new Map<LibraryKind, SiteAsset>();
  for (const asset of assets.values()) {
    const kind = kindOf(asset);
    const isStored = addresses.get(asset.hash)?.startsWith("http") === true;
    if (kind === undefined || !isStored) continue;
    const sample = samples.get(kind);
    // A store may cut large files.
    if (sample === undefined || (kind === "images" && sizeOf(asset) > sizeOf(sample))) samples.set(kind, asset);
  }
  const order = ["scripts", "fonts", "styles", "drawings", "images", "files"] as const;
  const chosen = order.filter((kind) => samples.has(kind)).slice(0, MOST_FILES);
  const unserved: Partial<Record<LibraryKind, string>> = {};
  let unshownFile: string | undefined;
  await Promise.all(
    chosen.map(async (kind) => {
      const asset = samples.get(kind);
      if (asset === undefined) return;
      const { source, hash } = asset;
      const bytes = source.kind === "text" ? fill(source.text, addresses) : (await prepare(asset)).bytes;
      if (isFile(bytes)) return;
      const address = reach(addresses.get(hash) ?? "");
      const finding = await readLibraryFile(address, { kind, bytes, signal, from });
      // A file that can't be reached from here may be reachable for readers.
      if (finding.kind === "unusable") unserved[kind] = finding.why;
      if (finding.kind === "missing") unshownFile = address;
    }),
  );
  return { ...(Object.keys(unserved).length > 0 && { unserved }), ...(unshownFile !== undefined && { unshownFile }) };
}

function sizeOf({ source }: SiteAsset): number {
  return source.kind === "file" ? source.bytes : source.text.length;
}

function fill(text: string, addresses: FirstPage["addresses"]): Uint8Array {
  return new TextEncoder().encode(fillPlaceholders(text, (hash) => addresses.get(hash) ?? ""));
}

function kindOf({ kind, contentType }: SiteAsset): LibraryKind | undefined {
  if (kind === "image") return contentType.startsWith("image/svg") ? "drawings" : "images";
  return ({ font: "fonts", script: "scripts", style: "styles", file: "files" } as const)[kind];
}
