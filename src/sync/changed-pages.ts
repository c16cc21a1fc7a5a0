import { writtenPages, type Outcome } from "../base/outcome.ts";
import { mapPool } from "../base/pool.ts";
import type { ImprintApi } from "../client/api.ts";
import { findMarker } from "../html/marker.ts";
import type { PlannedSite } from "./plan-run.ts";
import { readHtml } from "./seen.ts";

interface ChangedContext {
  readonly api: ImprintApi;
  readonly planned: Pick<PlannedSite, "desired">;
}

/** What hosts move or rewrite. The first page that is sent to a host may have none of it. */
const OFTEN_CHANGED = [
  /<body[\s\S]*<style\b/i,
  /<body[\s\S]*<script\b(?![^>]*\bsrc=)/i,
  /<body[\s\S]*<link\b/i,
  /<!--(?!\[)/,
  /<svg\b/i,
  /<form\b/i,
  /<iframe\b/i,
  /<table\b/i,
  /<pre\b/i,
  /<[a-z]+-[a-z]/i,
  /\s(?:style|on[a-z]+)\s*=/i,
  // Quotes, dashes and addresses in text.
  />[^<]*["'][^<]*</,
  />[^<]*(?:--|\.\.\.)/,
  />[^<]*https?:\/\//,
];

const MOST_RENDERED = 100;
const READS_AT_ONCE = 8;

/**
 * Learns whether a host that kept the first page as it was sent changes others: reads the first page that was sent with
 * each kind of content that hosts often change.
 *
 * @returns whether it does
 */
export async function learnChanges(outcomes: readonly Outcome[], { api, planned }: ChangedContext): Promise<boolean> {
  if (api.dialect.html !== "kept" || api.capabilities.account !== undefined) return false;
  const names = new Set(writtenPages(outcomes));
  const sent = planned.desired.pages.filter(({ slug }) => names.has(slug)).slice(0, MOST_RENDERED);
  const left = new Set(OFTEN_CHANGED);
  const chosen = new Map<string, string>();
  for (const { slug, hash, render } of sent) {
    if (left.size === 0) break;
    const { html } = await render();
    const kinds = [...left].filter((pattern) => pattern.test(html));
    for (const kind of kinds) left.delete(kind);
    if (kinds.length > 0) chosen.set(slug, hash);
  }
  const found = await mapPool([...chosen], READS_AT_ONCE, async ([slug, hash]) => {
    const html = await readHtml(slug, api);
    const marker = html === undefined ? undefined : findMarker(html);
    return marker !== undefined && marker.hash === hash && !marker.intact;
  });
  const isChanged = found.includes(true);
  if (isChanged) api.learn({ html: "changed" });
  return isChanged;
}
