import { ImprintError } from "../../base/error.ts";
import { fillHtml } from "../../html/fill-placeholders.ts";
import { sealMarker } from "../../html/marker.ts";
import type { PageHtml } from "../../html/page-html.ts";
import type { ApplyContext } from "../apply.ts";
import type { PageChange } from "../changes.ts";
import type { DesiredPage } from "../desired.ts";
import type { Addresses } from "./assets.ts";

/** Returns the final HTML of a page. Throws `ASSET_MISSING` if a file that it uses has no address. */
export async function sealPage(
  page: DesiredPage,
  { addresses, project }: Pick<ApplyContext, "project"> & { readonly addresses: Addresses },
): Promise<PageHtml> {
  const missing = page.assets.filter((hash) => !addresses.has(hash));
  if (missing.length > 0) {
    throw new ImprintError("ASSET_MISSING", `${page.file} uses ${missing.length} file(s) that could not be uploaded.`, {
      hint: "Fix the problems reported for these files, then run again.",
    });
  }
  const html = fillHtml(await page.render(), (hash) => addresses.get(hash) ?? "");
  return sealMarker(html, { project, slug: page.slug });
}

export function summary(change: PageChange) {
  const { kind, name, reason, details } = change;
  return {
    kind,
    name,
    reason,
    ...(details === undefined ? {} : { details }),
    ...(change.kind === "blocked" ? { hint: change.hint, isLeftover: change.isLeftover } : {}),
  };
}
