import type { Asset, ImprintApi } from "../client/api.ts";
import { withoutSignature } from "../client/file-address.ts";
import { publishedAddress } from "../client/published-address.ts";
import { HOME_SLUG } from "../contract/slug.ts";
import { fillHtml } from "../html/fill-placeholders.ts";
import { findInsertions, isSameContent, UNKNOWN_ADDRESS, withoutInsertions } from "../html/host-change.ts";
import { unframe } from "../html/framed-page.ts";
import { findMarker, withoutMarker } from "../html/marker.ts";
import { renderHtml } from "../html/page-html.ts";
import { removedDialect } from "../html/page-parts.ts";
import type { DesiredPage } from "./desired.ts";
import { findMissingParts } from "./find-missing-parts.ts";
import type { SeenPage } from "./known-pages.ts";
import { isSameHash } from "./lock.ts";
import type { Owner } from "./project.ts";
import { readHtml } from "./seen.ts";

interface LearnContext {
  readonly api: ImprintApi;
  readonly owner: Pick<Owner, "project" | "isRecovered">;
  readonly wanted: ReadonlyMap<string, DesiredPage>;
  readonly assets: ReadonlyMap<string, Asset>;
}

type ReadPage = Extract<SeenPage, { kind: "read" }>;

/**
 * Learns about a host from its existing pages if nothing is remembered, or if it didn't return them before: a run that
 * sends nothing has no first page to check. Returns the slugs of pages that only the host changed; `undefined` if it
 * returns pages as sent, as far as they show.
 */
export async function learnAgain(
  seen: readonly SeenPage[],
  context: LearnContext,
): Promise<ReadonlySet<string> | undefined> {
  const { api, owner } = context;
  const read = seen.filter((page) => page.kind === "read");
  const own = read.filter(({ marker }) => marker?.project === owner.project);
  if (!owner.isRecovered || api.dialect.html === "hidden") {
    const html = await compareRemembered(seen, api);
    if (html === undefined) return undefined;
    api.learn({ html });
    await learnMissingParts(own, api);
    return undefined;
  }
  const changedByHost = await findChangedByHost(own, context);
  if (changedByHost !== undefined) api.learn({ html: "changed" });
  await learnMissingParts(own, api);
  return changedByHost;
}

/**
 * Determines how a host that didn't return HTML until now changes it. If the hash mismatches on all pages, that isn't
 * an edit of each; for a single page, nothing shows whether the host or somebody changed it.
 */
async function compareRemembered(seen: readonly SeenPage[], api: ImprintApi): Promise<"kept" | "changed" | undefined> {
  const read = seen.filter((page) => page.kind === "read" && page.memory !== undefined);
  if (read.length === 0) return undefined;
  if (read.some((page) => page.kind === "read" && page.marker?.intact === true)) return "kept";
  const others = seen.filter(({ kind }) => kind === "remembered").slice(0, MAX_EXAMPLES);
  const shown = await Promise.all(others.map(({ record }) => readHtml(record.slug, api)));
  const markers = shown.flatMap((html) => (html === undefined ? [] : [findMarker(html)]));
  if (markers.some((marker) => marker?.intact === true)) return "kept";
  return read.length + markers.length >= FEW_CHANGED ? "changed" : undefined;
}

async function learnMissingParts(own: readonly ReadPage[], api: ImprintApi): Promise<void> {
  const { pagesAt } = api.capabilities;
  const page = own.find(({ record }) => record.slug === HOME_SLUG) ?? own[0];
  if (page === undefined || pagesAt === undefined) return;
  const visit = await api.visit(publishedAddress(pagesAt, page.record.slug));
  if (visit?.status !== 200) return;
  const html = unframe(new TextDecoder().decode(visit.bytes));
  const missing = await findMissingParts(await page.readHtml(), { html, visit }, api);
  api.learn(removedDialect(missing, api.dialect));
}

const FEW_CHANGED = 2;
const MAX_EXAMPLES = 8;

/**
 * Finds the pages that only the host changed, for example by adding a banner, and that nobody edited. None of this
 * project's pages is as sent. What the host adds is learned from a page that the build still has; a page is as sent if
 * it has the hash of its marker without that addition.
 */
async function findChangedByHost(
  own: readonly ReadPage[],
  context: LearnContext,
): Promise<ReadonlySet<string> | undefined> {
  if (own.length < FEW_CHANGED || own.some(({ marker }) => marker?.intact === true)) return undefined;
  const rewritten = new Set<string>();
  let examples = 0;
  for (const page of own) {
    const sent = examples < MAX_EXAMPLES || rewritten.size > 0 ? await renderAsSent(page, context) : undefined;
    if (sent === undefined) continue;
    examples += 1;
    const shown = withoutMarker(await page.readHtml());
    if (isSameContent(sent, shown)) rewritten.add(page.record.slug);
    const insertions = findInsertions(sent, shown) ?? [];
    const added = insertions.length === 0 ? [] : await findAsSentWithout(insertions, own);
    if (added.length >= FEW_CHANGED) return new Set(added);
  }
  return rewritten.size > 0 ? rewritten : undefined;
}

async function renderAsSent({ record, marker }: ReadPage, { wanted, assets }: LearnContext) {
  const desired = wanted.get(record.slug);
  if (desired === undefined || !isSameHash(desired.hash, marker?.hash)) return undefined;
  const addressOf = (hash: string) => {
    const url = assets.get(hash)?.url;
    return url === undefined || withoutSignature(url) !== url ? UNKNOWN_ADDRESS : url;
  };
  const filled = fillHtml(await desired.render(), addressOf);
  return withoutMarker(renderHtml(filled));
}

async function findAsSentWithout(insertions: readonly string[], own: readonly ReadPage[]): Promise<readonly string[]> {
  const slugs: string[] = [];
  for (const { record, readHtml } of own) {
    const marker = findMarker(withoutInsertions(await readHtml(), insertions));
    if (marker?.intact === true) slugs.push(record.slug);
  }
  return slugs;
}
