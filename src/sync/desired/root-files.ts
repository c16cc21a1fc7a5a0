import type { BuiltSite, SiteWarning } from "../../site/model.ts";

// Not `robots.txt` and `_headers`: every host has its own.
const READ_AT_ROOT = /^(?:llms(?:-\w+)?\.txt|humans\.txt|security\.txt|(?:app-)?ads\.txt|\.well-known\/.+)$/;
const NAMED = 3;

/** Names the files that other programs look for at the root of a site, where a service of pages shows none. */
export function describeRootFiles({ files }: Pick<BuiltSite, "files">): readonly SiteWarning[] {
  const [first, ...others] = [...files.keys()].filter((path) => READ_AT_ROOT.test(path)).toSorted();
  if (first === undefined) return [];
  const named = [first, ...others.slice(0, NAMED - 1)].join(", ");
  const rest = others.length < NAMED ? "" : `, and ${others.length + 1 - NAMED} more`;
  const message = `Files that others look for at the root of a site are not published there: ${named}${rest}. Only pages and the files that they use are published.`;
  return [{ code: "root-files", file: first, message, isNotice: true }];
}
