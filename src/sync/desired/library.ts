import type { Capabilities } from "../../client/api.ts";
import type { LibraryFinding, LibraryFindings } from "../../client/library-findings.ts";
import { LIBRARY_KINDS, type Dialect } from "../../contract/dialect.ts";

/** What pages can load from the library: as its route set promises, but for what was found out with the site's own files. */
export function libraryFindings(
  { routeSet, assetTypes }: Capabilities,
  { unserved = {} }: Pick<Dialect, "unserved">,
): LibraryFindings {
  const set = routeSet.toUpperCase();
  const served: LibraryFinding = { kind: "served", why: `as route set ${set} promises` };
  const refused: LibraryFinding = { kind: "refused", why: `the library of route set ${set} takes images only` };
  const others = assetTypes === "any" ? served : refused;
  const promised = { images: served, drawings: served, scripts: others, styles: others, fonts: others, files: others };
  const found = LIBRARY_KINDS.flatMap((kind) => {
    const why = unserved[kind];
    return why === undefined ? [] : [[kind, { kind: "unusable", why } satisfies LibraryFinding] as const];
  });
  return { ...promised, ...Object.fromEntries(found) };
}
