import { listFirstNames } from "../base/list-names.ts";
import type { ImprintApi, Visit } from "../client/api.ts";
import { decodeVisit, isSamePlace, wrongCharset } from "../client/read-visit.ts";
import { parseMetaRefresh } from "../html/address-texts.ts";
import { unframe } from "../html/framed-page.ts";
import { findLostCharacter, findLostTemplate } from "../html/lost-characters.ts";
import { behindMarkup, DOCTYPE, findLostMarkup } from "../html/lost-markup.ts";
import { findLostValues, leadsAway } from "../html/lost-values.ts";
import { findMarker } from "../html/marker.ts";
import { partsOutside } from "../html/blocked-parts.ts";
import { knownRemoved, removedDialect, type PagePart } from "../html/page-parts.ts";
import type { Blocked } from "./changes.ts";
import type { DesiredPage } from "./desired.ts";
import { findMissingParts } from "./find-missing-parts.ts";
import { ACCEPT_WITHOUT, PART_NAMES } from "./plan/site.ts";

/** A page that readers don't see as sent. */
export interface Finding extends Pick<Blocked, "reason" | "counts" | "parts"> {
  readonly slug: string;
  /** Name in the report, with which it is accepted. Default: the slug, or that of pages that readers don't see. */
  readonly name?: string;
  /** The address, and what it shows. */
  readonly where: string;
  /** Whether it may resolve itself over time. */
  readonly mayPass: boolean;
  /** Set if readers see only part of the page; later runs check it again. */
  readonly isPartial?: true;
  /** Set if readers see a version that was published elsewhere meanwhile. */
  readonly isReplaced?: true;
  /** Set if readers see a page of another project; later runs read all pages of this run again. */
  readonly isTaken?: true;
  /** Set if a cache still has what was there before; later runs check it again. */
  readonly isCached?: true;
  readonly hint?: string;
}

/** What to do if readers may see something else. */
export const ACCEPT = "If that is fine, run `imprint publish --accept` once.";

/** Finds what the service doesn't show of a page. Our own returns the hash of what it stored. */
export async function findLoss(page: DesiredPage, visit: Visit, api: ImprintApi): Promise<Finding | undefined> {
  const shown = unframe(decodeVisit(visit));
  if (api.capabilities.account !== undefined) return undefined;
  if (refreshOf(visit) !== undefined) return sendsAway(page.slug, "`Refresh`");
  const isIntact = findMarker(shown)?.intact === true;
  if (isIntact && visit.policy === undefined && visit.robots === undefined) return undefined;
  const { html: sent } = await page.render();
  const { slug } = page;
  if (isIntact) return reportRemoved(slug, partsOutside(sent, visit), api);
  const lost = findLostCharacter(sent, shown);
  if (lost !== undefined) return hasWrongCharset(slug, { sent, visit }) ?? lacksCharacter(slug, lost);
  const template = findLostTemplate(sent, shown);
  if (template !== undefined) return lacksTemplate(slug, template);
  if (leadsAway(sent, shown)) return sendsAway(slug, '`<meta http-equiv="refresh">`');
  const cut = await findCut(sent, { shown, address: visit.url });
  if (cut !== undefined) return cutOff(slug, cut);
  return (await findRemoved(slug, { sent, shown, visit, api })) ?? lacksMarkup(slug, { sent, shown, visit });
}

// A footer may end with any words, so a few of them in a row are looked for.
const LAST_WORDS = 6;
const MOST_WORDS = 0.9;

interface Cut {
  readonly seen: number;
  readonly words: number;
  readonly bytes: number;
}

/** Returns how much readers see of a page whose end they don't see. */
async function findCut(
  sentHtml: string,
  { shown: shownHtml, address }: { readonly shown: string; readonly address: string },
): Promise<Cut | undefined> {
  const { readPage } = await import("./verify/read-page.ts");
  const [{ words: sent }, { words: shown }] = [readPage(sentHtml, address), readPage(shownHtml, address)];
  const hasEnd = ` ${shown.join(" ")} `.includes(` ${sent.slice(-LAST_WORDS).join(" ")} `);
  const isClosed = /<\/(?:body|html)>/i.test(shownHtml);
  const isShort = shown.length < sent.length * (isClosed ? MOST_WORDS : 1);
  if (hasEnd || !isShort) return undefined;
  return { seen: shown.length, words: sent.length, bytes: Buffer.byteLength(shownHtml) };
}

function partOf(slug: string) {
  return { slug, where: slug, counts: "unless accepted", mayPass: false, isPartial: true } as const;
}

function cutOff(slug: string, { seen, words, bytes }: Cut): Finding {
  return {
    ...partOf(slug),
    reason: `the service cuts ${slug} off: readers see ${seen} of ${words} words`,
    hint: `Split the page, or set \`maxHtmlBytes\` to what the service keeps (here ${bytes}), so that imprint makes pages smaller. Then delete the page there and publish again. ${ACCEPT}`,
  };
}

interface SentPage {
  readonly sent: string;
  readonly shown: string;
  readonly visit: Visit;
  readonly api: ImprintApi;
}

/** Reports the parts that only this page shows to be missing; others are reported when a run is planned. */
async function findRemoved(slug: string, { sent, shown, visit, api }: SentPage): Promise<Finding | undefined> {
  return reportRemoved(slug, await findMissingParts(sent, { html: shown, visit }, api), api);
}

/** Reports what else a host removes: its parts are the same for all pages, so that each is accepted once. */
function lacksMarkup(slug: string, { sent, shown, visit }: Omit<SentPage, "api">): Finding | undefined {
  const lost = [...new Set([...findLostMarkup(sent, shown), ...findLostValues(sent, shown, visit.url)])];
  const isBehind = behindMarkup(sent, shown) !== undefined;
  if (lost.length === 0 && !isBehind) return undefined;
  const removes = `the service removes ${listFirstNames(lost, MOST_NAMED)} from ${slug}`;
  const adds = `the service inserts markup before ${DOCTYPE} on ${slug}`;
  const missed = "Styles, scripts, screen readers and search engines may need them.";
  const isQuirky = isBehind || lost[0] === DOCTYPE;
  return {
    ...partOf(slug),
    name: "markup",
    parts: [...lost, ...(isBehind ? [DOCTYPE] : [])],
    reason: [...(lost.length > 0 ? [removes] : []), ...(isBehind ? [adds] : [])].join("; "),
    hint: `${isQuirky ? QUIRKS : missed} ${ACCEPT_WITHOUT}`,
  };
}

const QUIRKS = "Browsers then use quirks mode, in which sizes, tables and line heights differ.";

const MOST_NAMED = 6;

function reportRemoved(slug: string, missing: readonly PagePart[], api: ImprintApi): Finding | undefined {
  const known = knownRemoved(api.dialect);
  const removed = missing.filter((part) => !known.includes(part));
  if (removed.length === 0) return undefined;
  api.learn(removedDialect(removed, api.dialect));
  const names = removed.map((part) => PART_NAMES[part]).join("; and without ");
  return {
    ...partOf(slug),
    reason: `the service delivers pages without ${names}: ${slug}`,
    hint: `The service removes or replaces them. ${ACCEPT_WITHOUT}`,
  };
}

function lacksCharacter(
  slug: string,
  { character, instead }: NonNullable<ReturnType<typeof findLostCharacter>>,
): Finding {
  const shown = instead === undefined || instead === "" ? "leaves out" : `shows "${instead}" in place of`;
  return {
    ...partOf(slug),
    reason: `the service ${shown} "${character}" on ${slug}`,
    hint: "Use other characters, or ask the service to store pages as UTF-8. Once it does, delete the page there and publish again. If that is fine, run `imprint publish --accept` once.",
  };
}

/** Reports UTF-8 that a host declares to be something else. */
function hasWrongCharset(
  slug: string,
  { sent, visit }: { readonly sent: string; readonly visit: Visit },
): Finding | undefined {
  const charset = wrongCharset(visit);
  const isStored = findLostCharacter(sent, new TextDecoder().decode(visit.bytes)) === undefined;
  if (charset === undefined || !isStored) return undefined;
  return {
    ...partOf(slug),
    reason: `the service sends ${slug} as UTF-8, but declares it as ${charset}, so readers see other characters`,
    hint: `Ask the service to send pages with \`charset=utf-8\`. ${ACCEPT}`,
  };
}

/** What to do about text that a host takes for a template. */
export const ESCAPE_TEMPLATE =
  "The service processes such text as a template. Ask the service to turn that off, or write the first brace as `&#123;` in the page's HTML.";

/** Returns the other page that the host's `Refresh` header sends readers to. */
export function refreshOf(visit: Visit): string | undefined {
  const address = parseMetaRefresh(visit.refresh ?? "")?.address;
  const place = address === undefined ? undefined : URL.parse(address, visit.url)?.href;
  return place === undefined || isSamePlace(place, visit.url) ? undefined : address;
}

function sendsAway(slug: string, by: string): Finding {
  const reason = `the service adds a redirect (${by}) to ${slug}, which sends readers away`;
  return { ...partOf(slug), reason, hint: `Ask the service to leave it out. ${ACCEPT}` };
}

function lacksTemplate(slug: string, template: string): Finding {
  const reason = `readers don't see "${template}" on ${slug}`;
  return { ...partOf(slug), reason, hint: `${ESCAPE_TEMPLATE} ${ACCEPT}` };
}
