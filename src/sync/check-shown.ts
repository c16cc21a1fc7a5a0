import { randomUUID } from "node:crypto";
import { isWritten, type Outcome } from "../base/outcome.ts";
import type { ImprintApi, Visit } from "../client/api.ts";
import { findLostCharacter, rarityOf } from "../html/lost-characters.ts";
import { findMarker } from "../html/marker.ts";
import { countCovered, countWords } from "../posts/render/lift/words.ts";
import type { Dialect } from "../contract/dialect.ts";
import type { DesiredPage } from "./desired.ts";
import { isLateHost, lookAsReaders, pausesAt, type Waiting } from "./lateness.ts";
import type { PlannedSite } from "./plan-run.ts";
import type { Blocked } from "./changes.ts";

export interface CheckContext extends Waiting {
  readonly api: ImprintApi;
  readonly planned: Pick<PlannedSite, "addresses" | "desired">;
}

/** A page that readers don't see as sent. */
interface Finding extends Pick<Blocked, "reason" | "counts"> {
  readonly slug: string;
  /** The address, and what it shows. */
  readonly where: string;
  /** Whether it may resolve itself over time. */
  readonly mayPass: boolean;
  /** Set if readers see only part of the page; later runs check it again. */
  readonly isPartial?: true;
  readonly hint?: string;
}

/**
 * Opens a changed and a new page of a run at their public addresses, as readers do, and one that an earlier run found
 * not to be shown; also the one with the rarest character, as not every store preserves all characters. A service may
 * acknowledge pages that its readers don't get. Returns the problem for the report.
 */
export async function checkShown(
  outcomes: readonly Outcome[],
  { api, planned, clock, signal, onStep }: CheckContext,
): Promise<Blocked | undefined> {
  const { addresses, desired } = planned;
  const { unshown } = api.dialect;
  // Pages that only redirect, or that the service keeps as drafts, show no content of their own.
  const own = new Set(desired.pages.filter(({ redirect }) => redirect === undefined).map(({ slug }) => slug));
  const sent = outcomes.filter((outcome) => outcome.resource === "page" && isWritten(outcome) && own.has(outcome.name));
  const firstOf = (wanted: "create" | "update") => sent.find(({ kind }) => kind === wanted)?.name;
  const slugs = new Set([firstOf("update"), firstOf("create"), unshown, await findRarest(sent, { api, planned })]);
  const pages = desired.pages.flatMap((page) => {
    const address = slugs.has(page.slug) ? addresses.reachable(page.slug) : undefined;
    return address === undefined ? [] : [{ page, address }];
  });
  const look = async () => {
    const found = await Promise.all(pages.map(({ page, address }) => checkPage(page, { address, api, signal })));
    return found.find((each) => each !== undefined);
  };
  const isLate = isLateHost(api.dialect);
  const mayWait = isLate ? sent.length > 0 : unshown === undefined;
  const finding = await lookAsReaders(look, {
    ...{ api, clock, signal, onStep },
    isEnough: (found) => found?.mayPass !== true,
    pausesMs: mayWait ? pausesAt(api.dialect) : [],
  });
  const left = finding?.mayPass === true || finding?.isPartial === true ? finding.slug : undefined;
  if (pages.length > 0 && left !== unshown) api.learn({ unshown: left });
  if (finding === undefined) return await checkFile(api, signal);
  // A page that the host stored differently isn't an edit.
  if (finding.isPartial === true) api.learn({ html: "changed" });
  if (finding.mayPass && isLate) return describeLate(finding, api.dialect);
  const hint =
    finding.hint ??
    "Open the address in a browser. If the pages are shown elsewhere, set `pagesUrl`; if they wait for somebody's approval, approve them. Run `imprint publish --accept` once if readers may see something else.";
  const name = finding.isPartial === true ? finding.slug : "pagesUrl";
  return { kind: "blocked", name, reason: finding.reason, hint, counts: finding.counts };
}

/** Checks a file again that readers couldn't load when the first page was sent, or in an earlier run. */
async function checkFile(api: ImprintApi, signal: AbortSignal | undefined): Promise<Blocked | undefined> {
  const { unshownFile: address } = api.dialect;
  const visit = address === undefined ? undefined : await api.visit(address, { signal });
  if (visit === undefined) return undefined;
  if (visit.status === 200) {
    api.learn({ unshownFile: undefined });
    return undefined;
  }
  return {
    kind: "blocked",
    name: "library",
    reason: `readers don't get files of the library: ${address} answers ${visit.status}`,
    hint: "Open the address in a browser. If the library shows its files to people who sign in only, ask the service for public addresses. Run `imprint publish --accept` once if readers may do without them.",
    counts: "unless accepted",
  };
}

const MOST_READ = 20;

/** Finds the sent page with the rarest character. Not for our own service, which returns the hash of what it stored. */
async function findRarest(
  sent: readonly Outcome[],
  { api, planned }: Pick<CheckContext, "api" | "planned">,
): Promise<string | undefined> {
  if (api.capabilities.account !== undefined) return undefined;
  const names = new Set(sent.slice(0, MOST_READ).map(({ name }) => name));
  let [rarest, most]: [string | undefined, number] = [undefined, 0];
  for (const { slug, render } of planned.desired.pages.filter((page) => names.has(page.slug))) {
    const rarity = rarityOf((await render()).html);
    if (rarity > most) [rarest, most] = [slug, rarity];
  }
  return rarest;
}

function describeLate({ where, counts }: Finding, { pageAnswers }: Dialect): Blocked {
  const said = pageAnswers === "accepted" ? "accepted the pages that were sent (202)" : "took the pages that were sent";
  const reason = `the service ${said} and does not show them yet: ${where}`;
  const hint = "Check with `imprint publish --verify` later. This service shows pages a while after it takes them.";
  return { kind: "blocked", name: "pagesUrl", reason, hint, counts };
}

interface PageContext extends Pick<CheckContext, "api" | "signal"> {
  readonly address: string;
}

async function checkPage(page: DesiredPage, { address, api, signal }: PageContext): Promise<Finding | undefined> {
  const { slug } = page;
  const visit = await api.visit(address, { signal });
  const unknown = { slug, counts: "never", mayPass: false } as const;
  if (visit === undefined) {
    const where = `${address} can't be reached from here`;
    return { ...unknown, where, reason: `${where}, so it could not be checked whether readers see what was sent` };
  }
  const { status } = visit;
  if (status === 401 || status === 403) {
    const where = `${address} answers ${status}`;
    return { ...unknown, where, reason: `${where}: only people who sign in can see it` };
  }
  if (status !== 200) return notSeen(slug, `${address} answers ${status}`);
  if (await isShown(page, visit, address)) return await findLoss(page, visit, api);
  // A cache may still have an older version, and readers get the new one in a while.
  const fresh = new URL(address);
  fresh.searchParams.set("imprint", randomUUID());
  const anew = await api.visit(fresh.href, { signal });
  if (anew?.status === 200 && (await isShown(page, anew, address))) return await findLoss(page, anew, api);
  return notSeen(slug, `${address} shows an older version or another page`);
}

function notSeen(slug: string, where: string): Finding {
  const reason = `readers don't see the pages that were sent: ${where}`;
  return { slug, where, reason, counts: "unless accepted", mayPass: true };
}

async function findLoss(page: DesiredPage, visit: Visit, api: ImprintApi): Promise<Finding | undefined> {
  if (api.capabilities.account !== undefined) return undefined;
  const lost = findLostCharacter((await page.render()).html, decode(visit));
  if (lost === undefined) return undefined;
  const { slug } = page;
  const { character, instead } = lost;
  const shown = instead === undefined || instead === "" ? "leaves out" : `shows "${instead}" in place of`;
  return {
    ...{ slug, where: slug, counts: "unless accepted", mayPass: false, isPartial: true },
    reason: `the service ${shown} "${character}" on ${slug}`,
    hint: "Use other characters, or ask the service to store pages as UTF-8; once it does, delete the page there and publish again. Run `imprint publish --accept` once if readers may see the pages so.",
  };
}

/** Decodes the HTML of a visit in the host's declared encoding, as browsers do. */
function decode({ bytes, contentType = "" }: Pick<Visit, "bytes" | "contentType">): string {
  const [, charset = "utf-8"] = /charset="?([\w-]+)/i.exec(contentType) ?? [];
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return new TextDecoder().decode(bytes);
  }
}

const ENOUGH_WORDS = 0.8;

async function isShown(page: DesiredPage, visit: { readonly bytes: Uint8Array }, address: string): Promise<boolean> {
  const html = new TextDecoder().decode(visit.bytes);
  const marker = findMarker(html);
  if (marker !== undefined) return marker.hash === page.hash;
  // A host that removes comments and attributes keeps most of the words.
  const { readPage } = await import("./verify/read-page.ts");
  const [shown, sent] = [readPage(html, address), readPage((await page.render()).html, address)];
  return countCovered(countWords(sent.words), countWords(shown.words)) >= sent.words.length * ENOUGH_WORDS;
}
