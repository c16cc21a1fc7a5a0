import { setTimeout as delay } from "node:timers/promises";
import { ImprintError, messageOf, type ErrorCode } from "../base/error.ts";
import { sha256 } from "../base/hash.ts";
import { mapPool } from "../base/pool.ts";
import type { ImprintApi, Page } from "../client/api.ts";
import { patternOf, publishedAddress } from "../client/published-address.ts";
import { findMarker } from "../html/marker.ts";
import { acquireRunLock } from "../memory/process-lock.ts";
import { isTrashStatus } from "../contract/dialect.ts";
import { findPreviewName, HOME_SLUG } from "../contract/slug.ts";
import { findStillThere } from "./apply/deletes.ts";
import { unlessEdited, type CheckedPage } from "./apply/unless-edited.ts";
import { isDoubtful, isOfPreview, isPreviewOf, isPreviewOfAny } from "./preview-name.ts";
import { openRunFiles } from "./state-store.ts";
import type { State } from "./state.ts";

/** A preview as derived from the list of pages. */
export interface Preview {
  readonly name: string;
  readonly pages: readonly Page[];
  /** Slug of its home page, or of its first page if it has none. */
  readonly home: string;
  /** When a page of it was last sent; `undefined` if the service reports no times. */
  readonly updatedAt: Date | undefined;
  /** Address of its home page; `undefined` if the service doesn't report where it serves pages. */
  readonly url: string | undefined;
}

export interface PreviewsContext {
  /** Slugs of the live site, by route. */
  readonly slugs: Readonly<Record<string, string>>;
  /** Address of published pages before `/p/`, if known. */
  readonly pagesUrl: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface PreviewList {
  /** The newest first. */
  readonly previews: readonly Preview[];
  /** Slugs that may belong to an unidentifiable preview, and that no page of the live site has. */
  readonly doubtful: readonly string[];
}

/** Lists the previews on a service. They are recognized by the slugs of their pages alone. */
export async function listPreviews(api: ImprintApi, context: PreviewsContext): Promise<PreviewList> {
  const items = await listShownPages(api, context);
  const names = new Set(items.flatMap(({ slug }) => findPreviewName(slug) ?? []));
  const pages = Object.values(context.slugs);
  // A shortened slug has no room for the name, which other pages of the preview have.
  const nameOf = ({ slug }: Page) =>
    findPreviewName(slug) ?? [...names].find((name) => isPreviewOfAny(slug, { name, pages }));
  const groups = Map.groupBy(items, nameOf);
  const pagesAt = context.pagesUrl === undefined ? api.capabilities.pagesAt : patternOf(context.pagesUrl);
  const home = context.slugs["/"] ?? HOME_SLUG;
  const previews = [...groups]
    .flatMap(([name, own]) => (name === undefined ? [] : [describe(name, own, { home, pagesAt })]))
    .toSorted((one, other) => timeOf(other) - timeOf(one) || (one.name < other.name ? -1 : 1));
  return { previews, doubtful: findDoubtful(groups.get(undefined) ?? [], context).map(({ slug }) => slug) };
}

/** Lists the pages that aren't in the trash. */
async function listShownPages(api: ImprintApi, { signal }: Pick<PreviewsContext, "signal">): Promise<readonly Page[]> {
  const { items } = await api.pages.list({}, { signal });
  return items.filter(({ status }) => !isTrashStatus(status));
}

/** Finds pages whose slugs may belong to a preview rather than the live site. */
function findDoubtful(
  pages: readonly Page[],
  { slugs, name }: Pick<PreviewsContext, "slugs"> & { readonly name?: string },
): readonly Page[] {
  const live = new Set(Object.values(slugs));
  return pages.filter(({ slug }) => isDoubtful(slug, name) && !live.has(slug));
}

interface DescribeContext {
  /** Slug of the home page of the live site. */
  readonly home: string;
  /** Address of published pages, with `{slug}` for the slug. */
  readonly pagesAt: string | undefined;
}

function describe(name: string, pages: readonly Page[], { home: homePage, pagesAt }: DescribeContext): Preview {
  const sorted = pages.toSorted((one, other) => (one.slug < other.slug ? -1 : 1));
  const home = sorted.find(({ slug }) => isPreviewOf(slug, { name, page: homePage })) ?? sorted[0];
  const times = pages.flatMap(({ updatedAt, createdAt }) => updatedAt ?? createdAt ?? []);
  const ownUrl = pagesAt === undefined || home === undefined ? undefined : publishedAddress(pagesAt, home.slug);
  return {
    name,
    pages: sorted,
    home: home?.slug ?? "",
    updatedAt: times.toSorted((one, other) => other.getTime() - one.getTime())[0],
    url: home?.publicUrl ?? ownUrl,
  };
}

function timeOf({ updatedAt }: Preview): number {
  return updatedAt?.getTime() ?? 0;
}

export interface RemovalContext {
  readonly projectRoot: string;
  /** Name of the target, the same in every run. */
  readonly identity: string;
  readonly signal?: AbortSignal | undefined;
  /** Called before the first page is deleted; `false` cancels. */
  readonly confirm: (pages: readonly Page[]) => Promise<boolean>;
}

export interface KeptPage {
  readonly slug: string;
  readonly reason: string;
}

export interface Removal {
  readonly name: string;
  readonly removed: readonly string[];
  /** Pages at slugs of the preview that were kept. */
  readonly kept: readonly KeptPage[];
  /** Whether the user canceled it. */
  readonly isRefused: boolean;
}

const AT_ONCE = 8;
const UNSEEN =
  "the service doesn't show whether imprint published it; name the address of pages with `pagesUrl` (--pages-url)";

const DOUBTFUL = "its slug doesn't show whether it belongs to this preview";

/**
 * Deletes the pages of a preview that imprint published: those remembered by an earlier run, or with an intact marker
 * in their HTML. Any other page at such a slug is kept and reported.
 *
 * @throws ImprintError `NOT_SUPPORTED` if pages can't be deleted, `RUN_LOCKED`, `STATE_UNWRITABLE`
 */
export async function removePreview(name: string, api: ImprintApi, context: RemovalContext): Promise<Removal> {
  if (!api.capabilities.operations.has("pages.delete")) {
    throw new ImprintError("NOT_SUPPORTED", `The service can't delete pages, so the preview ${name} stays.`, {
      hint: "Delete its pages in the service's dashboard.",
    });
  }
  const lock = acquireRunLock(context.projectRoot);
  try {
    return await remove(name, api, context);
  } finally {
    lock.release();
  }
}

async function remove(name: string, api: ImprintApi, context: RemovalContext): Promise<Removal> {
  const { projectRoot, identity, signal, confirm } = context;
  const files = openRunFiles({ projectRoot, identity, preview: name });
  const state = files.readState();
  const lock = await files.readLock();
  const project = lock.project ?? state.project;
  const items = await listShownPages(api, context);
  const pages = items.filter(({ slug }) => isOfPreview(slug, { name, state, live: Object.values(lock.slugs) }));
  const judged = await mapPool(pages, AT_ONCE, (page) => classifyPage(page, { api, state, project, signal }));
  const ours = judged.filter((page) => "record" in page);
  const others = items.filter((page) => !pages.includes(page));
  const doubtful = await mapPool(findDoubtful(others, { slugs: lock.slugs, name }), AT_ONCE, async ({ slug }) => {
    const holder = findMarker((await api.pages.readHtml(slug, { signal })) ?? "")?.project ?? project;
    return holder === project ? [{ slug, reason: DOUBTFUL }] : [];
  });
  const kept = [...judged.filter((page) => "reason" in page), ...doubtful.flat()];
  if (ours.length > 0 && !(await confirm(ours.map(({ record }) => record))))
    return { name, removed: [], kept, isRefused: true };
  const results = await mapPool(ours, AT_ONCE, (page) => deletePage(page, { api, signal }));
  const failed = results.filter((result) => typeof result === "object");
  const acknowledged = results.filter((result) => typeof result === "string");
  const still = await findStillThere(acknowledged, { api, sleep: (ms) => delay(ms, undefined, { signal }) });
  if (kept.length + failed.length + still.size === 0) files.remove();
  const removed = acknowledged.filter((slug) => !still.has(slug));
  const shown = Array.from(still, (slug) => ({ slug, reason: STILL_SHOWN }));
  return { name, removed, kept: [...kept, ...failed, ...shown], isRefused: false };
}

interface Evidence {
  readonly api: ImprintApi;
  readonly state: State;
  /** ID of the project, if the lock file or the state has it. */
  readonly project: string | undefined;
  readonly signal: AbortSignal | undefined;
}

// The same rule as in a run: a page that was edited on the service is no longer only ours.
async function classifyPage(page: Page, { api, state, project, signal }: Evidence): Promise<KeptPage | CheckedPage> {
  const { slug, contentHash } = page;
  const remembered = state.pages[slug];
  if (remembered !== undefined && contentHash !== undefined) {
    return contentHash === remembered.sent ? { slug, record: page } : { slug, reason: EDITED };
  }
  const { html, etag } = (await api.pages.read(slug, { signal })) ?? {};
  const record = { ...page, etag };
  if (html === undefined) return remembered === undefined ? { slug, reason: UNSEEN } : { slug, record };
  const seen = { slug, record, sent: sha256(html) };
  const marker = findMarker(html);
  // A host that changes pages may remove the marker; then, the record of what this project sent decides.
  const mayDropMarkers = api.dialect.html === "changed" || api.dialect.html === "hidden";
  if (marker === undefined)
    return remembered !== undefined && mayDropMarkers ? seen : { slug, reason: "imprint did not publish it" };
  if (project !== undefined && marker.project !== undefined && marker.project !== project) {
    return { slug, reason: `another project (${marker.project}) published it` };
  }
  return marker.intact ? seen : { slug, reason: EDITED };
}

const EDITED = "it was edited on the service";
const STILL_SHOWN = "the service confirmed that it deleted it, but still shows it";

const FATAL: readonly ErrorCode[] = ["ABORTED", "KEY_LIMITED", "KEY_REJECTED", "LOGIN_EXPIRED", "LOGIN_LIMITED"];

async function deletePage(
  page: CheckedPage,
  { api, signal }: Pick<Evidence, "api" | "signal">,
): Promise<string | KeptPage> {
  const { slug } = page;
  try {
    const { kind } = await unlessEdited(page, { api }, (options) => api.pages.delete(slug, { ...options, signal }));
    return kind === "edited" ? { slug, reason: EDITED } : slug;
  } catch (error) {
    if (error instanceof ImprintError && FATAL.includes(error.code)) throw error;
    return { slug, reason: messageOf(error) };
  }
}
