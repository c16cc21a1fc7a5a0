import { createTwoFilesPatch } from "diff";
import { ImprintError } from "../base/error.ts";
import type { Asset, ImprintApi } from "../client/api.ts";
import { fillHtml } from "../html/fill-placeholders.ts";
import { renderHtml } from "../html/page-html.ts";
import { assetHashPrefix } from "./asset-name.ts";
import type { Plan } from "./changes.ts";

const MARKER = /<meta name="imprint" content="[^"]*">/g;

/**
 * Returns what publishing would change in one page, as a unified diff of the live page and the built one; empty if they
 * are equal. Library files are shown by name.
 *
 * @throws ImprintError `USAGE` if neither the site nor the service has the page
 */
export async function diffPage(
  slug: string,
  { plan, api }: { readonly plan: Plan; readonly api: ImprintApi },
): Promise<string> {
  const change = plan.pages.find(({ name }) => name === slug);
  const [live, library] = await Promise.all([api.pages.readHtml(slug), api.assets.list()]);
  const names = assetNames(plan, library.items);
  const blocked = change?.kind === "blocked" ? change.wanted : undefined;
  const desired = change !== undefined && "desired" in change ? change.desired : blocked?.desired;
  if (live === undefined && desired === undefined) {
    throw new ImprintError("USAGE", `Neither the site nor the service has a page "${slug}".`, {
      hint: "`imprint plan` lists the slugs.",
    });
  }
  const built =
    desired === undefined ? undefined : names.restore(renderHtml(fillHtml(await desired.render(), names.ofHash)));
  // The title in the service's list isn't part of the page's HTML.
  const titled = (html: string, title: string | undefined) =>
    blocked?.title === undefined ? html : `title: ${title}\n${html}`;
  const before = live === undefined ? "" : titled(toLines(names.inHtml(live)), blocked?.title);
  const after = built === undefined ? "" : titled(toLines(built), desired?.title);
  if (before === after) return "";
  return createTwoFilesPatch(`${slug} (live)`, `${slug} (built)`, before, after, undefined, undefined, { context: 2 })
    .replace(/^=+\n/, "")
    .trimEnd();
}

// The HTML contains names in several encodings, so files are replaced by their hashes first.
function assetNames(plan: Plan, library: readonly Asset[]) {
  const byPrefix = new Map(plan.assets.map(({ asset }) => [asset.hash.slice(0, 16), asset.name]));
  const byUrl = library.map(({ url, name = "" }) => {
    const prefix = assetHashPrefix(name) ?? "";
    return [url, byPrefix.has(prefix) ? fileOf(prefix) : `library/${name}`] as const;
  });
  const restore = (html: string) =>
    [...byPrefix].reduce((text, [prefix, name]) => text.replaceAll(fileOf(prefix), `library/${name}`), html);
  return {
    ofHash: (hash: string) => fileOf(hash.slice(0, 16)),
    restore,
    inHtml: (html: string) => restore(byUrl.reduce((text, [url, file]) => text.replaceAll(url, file), html)),
  };
}

function fileOf(prefix: string): string {
  return `library/${prefix}`;
}

// A built page is often a single line; one line per element makes it comparable.
function toLines(html: string): string {
  return `${html.replace(MARKER, "").replace(/>\s*</g, ">\n<").trim()}\n`;
}
