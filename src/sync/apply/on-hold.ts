import { escapePattern } from "../../base/escape-pattern.ts";
import { renderHtml } from "../../html/page-html.ts";
import type { PageChange } from "../changes.ts";

type Update = Extract<PageChange, { kind: "update" }>;

/** Also blocks the changes that wait for a page that isn't published. */
export async function holdRenamed(changes: readonly PageChange[]): Promise<readonly PageChange[]> {
  const blocked = changes.flatMap(({ kind, name, reason }) => (kind === "blocked" ? [[name, reason] as const] : []));
  const held = await findOnHold(
    changes.filter((change) => change.kind === "update"),
    new Map(blocked),
  );
  if (held.size === 0) return changes;
  return changes.map((change) => {
    const onHold = change.kind === "update" ? held.get(change) : undefined;
    if (change.kind !== "update" || onHold === undefined) return change;
    const { name, details, known } = change;
    return { kind: "blocked", name, ...(details === undefined ? {} : { details }), known, ...onHold };
  });
}

/** Whether a new page is blocked: a page that it may replace stays until it is published. */
export function hasUnpublished(changes: readonly PageChange[]): boolean {
  return changes.some((change) => change.kind === "blocked" && change.isNew === true);
}

/** Why a page that the site no longer has is kept. */
export const MAY_BE_REPLACED = "a new page that may replace it could not be published";

/** Why a change is on hold, and how to resolve it. */
export interface OnHold {
  readonly reason: string;
  readonly hint?: string;
}

/**
 * Finds the changes that wait for a renamed page, with the reason: until it is live at its new address, neither its old
 * address nor links of other pages lead there. `missing`: why pages are not live, by slug.
 */
export async function findOnHold(
  updates: readonly Update[],
  missing: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<Update, OnHold>> {
  const renames = updates.flatMap((change) => {
    const { redirect } = change.desired;
    const why = redirect?.kind === "renamed" ? missing.get(redirect.slug) : undefined;
    if (redirect?.kind !== "renamed" || why === undefined) return [];
    return [{ change, ...redirect, reason: `it is on hold, because ${redirect.slug} could not be published: ${why}` }];
  });
  // If the page keeps its slug, the service doesn't have to accept a new page.
  const held = new Map<Update, OnHold>(
    renames.map(({ change, reason, to }) => {
      const slugs = `slugs: { ${JSON.stringify(to)}: ${JSON.stringify(change.name)} }`;
      return [
        change,
        { reason, hint: `To keep the page at its current slug instead, set \`${slugs}\` in the options.` },
      ];
    }),
  );
  if (renames.length === 0) return held;
  const links = renames.map(({ href, reason }) => ({
    reason,
    link: new RegExp(`${escapePattern(href)}(?![\\w.~%-])`),
  }));
  for (const change of updates.filter(({ desired }) => desired.redirect === undefined)) {
    const html = renderHtml(await change.desired.render());
    const leads = links.find(({ link }) => link.test(html));
    if (leads !== undefined) held.set(change, { reason: leads.reason });
  }
  return held;
}
