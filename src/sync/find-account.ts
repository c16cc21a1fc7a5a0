import { isAreaRefusal } from "../base/outcome.ts";
import type { ImprintApi, Page } from "../client/api.ts";
import type { Dialect } from "../contract/dialect.ts";
import { foldRoute, HOME_SLUG } from "../contract/slug.ts";
import { findLockedTarget, isSameRecord, recallLock, unnamedAccount } from "./lock.ts";
import type { Run, RunMemory } from "./run.ts";
import { listPages, rememberedPages } from "./list-pages.ts";
import { openRunFiles } from "./state-store.ts";

// If a service doesn't report its account, the key may belong to another one. The IDs reveal that: no remembered page,
// site, blog or brand kit exists. Each account has its own memory.

/**
 * Adds the memory of the key's account to the run, and the pages that the service lists.
 *
 * @param identity name of the target, the same in every run
 */
export async function findAccount(run: Run, identity: string): Promise<Run> {
  const { api, early, memory, built, request } = run;
  if (built === undefined || api.capabilities.account !== undefined) return run;
  const wanted = built.pages.map(({ route }) => foldRoute(route).slug || HOME_SLUG);
  const { state, locked } = memory;
  const { pages: listedPages, isLate: areListsLate } = await listPages({ api, early, state, locked, wanted });
  const seen = { ...run, listedPages, areListsLate };
  if (!isElsewhere(listedPages, memory)) return seen;
  if (request.preview !== undefined) return withAddresses(seen, undefined);
  if (await hasOwnRecords(run)) return seen;
  const found = findMemory(listedPages, run, identity);
  return withAddresses({ ...seen, memory: found }, found.state.dialect);
}

/** Whether none of the remembered pages exists. */
function isElsewhere(listed: readonly Page[], memory: Pick<RunMemory, "state" | "locked">): boolean {
  const bySlug = new Map(listed.map((page) => [page.slug, page]));
  const remembered = Object.entries(rememberedPages(memory));
  return remembered.length > 0 && !remembered.some(([slug, page]) => isSameRecord(page, bySlug.get(slug)));
}

// Where readers see pages, and whether they see them as sent, was learned with the other account.
function withAddresses(run: Run, known: Dialect | undefined): Run {
  const { api, dialect, request } = run;
  const { pagesAt, html = known?.html } = request.options.dialect;
  if (pagesAt !== undefined) return run;
  const learned = { pagesAt: known?.pagesAt, html };
  api.learn(learned);
  return { ...run, dialect: { ...dialect, ...learned } };
}

// Checks other records too, as somebody may have deleted every page.
async function hasOwnRecords({ api, memory: { state } }: Run): Promise<boolean> {
  const { siteId, blogId, brandKit } = state;
  const { operations } = api.capabilities;
  const own = new Set([siteId, blogId, brandKit?.id]);
  const lists = [
    ["sites.list", () => api.sites.list()],
    ["blogs.list", () => api.blogs.list()],
    ["brandKits.list", () => api.brandKits.list()],
  ] as const;
  const found = await Promise.all(lists.map(([name, list]) => (operations.has(name) ? idsOf(list) : [])));
  return found.flat().some((id) => own.has(id));
}

async function idsOf(list: () => ReturnType<ImprintApi["sites" | "blogs" | "brandKits"]["list"]>) {
  try {
    return (await list()).items.map(({ id }) => id);
  } catch (error) {
    if (isAreaRefusal(error)) return [];
    throw error;
  }
}

function findMemory(listed: readonly Page[], { memory, request }: Run, identity: string): RunMemory {
  const { lock, name } = memory;
  for (let number = 2; ; number += 1) {
    const account = unnamedAccount(number);
    const { projectRoot, logger } = request;
    const files = openRunFiles({ projectRoot, identity: `${identity} ${account}`, preview: undefined, logger });
    const locked = findLockedTarget(lock, { ...name, account });
    const state = recallLock(files.readState(), lock, locked);
    if (!isElsewhere(listed, { state, locked })) return { ...memory, files, name: { ...name, account }, locked, state };
  }
}
