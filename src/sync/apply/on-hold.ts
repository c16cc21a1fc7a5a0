import { escapePattern } from "../../base/escape-pattern.ts";
import { renderHtml } from "../../html/page-html.ts";
import type { PageChange } from "../changes.ts";

type Update = Extract<PageChange, { kind: "update" }>;

/**
 * The changes that wait for a renamed page, with the reason: as long as it isn't live at its new address, its old one
 * doesn't lead there, nor do the links of other pages. `missing`: why pages are not live, by slug.
 */
export async function findOnHold(
  updates: readonly Update[],
  missing: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<Update, string>> {
  const renames = updates.flatMap((change) => {
    const { redirect } = change.desired;
    const why = redirect?.kind === "renamed" ? missing.get(redirect.slug) : undefined;
    if (redirect?.kind !== "renamed" || why === undefined) return [];
    return [{ change, ...redirect, reason: `it is on hold, since ${redirect.slug} could not be published: ${why}` }];
  });
  const held = new Map(renames.map(({ change, reason }) => [change, reason]));
  if (renames.length === 0) return held;
  const links = renames.map(({ href, reason }) => ({
    reason,
    link: new RegExp(`${escapePattern(href)}(?![\\w.~%-])`),
  }));
  for (const change of updates.filter(({ desired }) => desired.redirect === undefined)) {
    const html = renderHtml(await change.desired.render());
    const leads = links.find(({ link }) => link.test(html));
    if (leads !== undefined) held.set(change, leads.reason);
  }
  return held;
}
