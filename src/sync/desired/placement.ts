import type { Capabilities } from "../../client/api.ts";
import type { LibraryFinding, LibraryFindings } from "../../client/library-findings.ts";
import { LIBRARY_KINDS, type Dialect } from "../../contract/dialect.ts";
import type { Placement } from "../../site/model.ts";

/** Where each kind of file is placed, and why. */
export interface PlacementDecision {
  readonly placement: Placement;
  /** By kind, as text after its name: `from the library, served as font/woff2 with CORS`. */
  readonly words: Readonly<Record<keyof Placement, string>>;
}

/**
 * Decides where fonts, scripts and files are placed according to the findings about the library. Stylesheets are always
 * inlined, so that the page always renders correctly; only a page that would be too large links them.
 */
export function decidePlacement(findings: LibraryFindings): PlacementDecision {
  const { styles, fonts, scripts, files } = findings;
  return {
    placement: {
      styles: "inline",
      fonts: isServed(fonts) ? "library" : "inline",
      scripts: isServed(scripts) ? "library" : "data",
      files: isServed(files) ? "library" : "keep",
    },
    words: {
      styles: isServed(styles)
        ? "inlined in each page; linked from the library where a page is too large"
        : "inlined in each page",
      fonts: isServed(fonts) ? fromLibrary(fonts) : `inlined in each page that uses them, because ${fonts.why}`,
      scripts: isServed(scripts) ? fromLibrary(scripts) : `inlined in each page that uses them, because ${scripts.why}`,
      files: isServed(files)
        ? fromLibrary(files)
        : `not published: links to PDF, RSS, video and other files stay as they are, because ${files.why}`,
    },
  };
}

function isServed({ kind }: LibraryFinding): boolean {
  return kind === "served";
}

function fromLibrary({ why }: LibraryFinding): string {
  return `from the library, ${why}`;
}

/**
 * Returns what pages can load from the library: as its route set defines, except for findings with the site's files.
 */
export function libraryFindings(
  { routeSet, assetTypes }: Capabilities,
  { unserved = {} }: Pick<Dialect, "unserved">,
): LibraryFindings {
  const set = routeSet.toUpperCase();
  const served: LibraryFinding = { kind: "served", why: `as route set ${set} specifies` };
  const refused: LibraryFinding = { kind: "refused", why: `the library of route set ${set} accepts only images` };
  const others = assetTypes === "any" ? served : refused;
  const promised = { images: served, drawings: served, scripts: others, styles: others, fonts: others, files: others };
  const found = LIBRARY_KINDS.flatMap((kind) => {
    const why = unserved[kind];
    return why === undefined ? [] : [[kind, { kind: "unusable", why } satisfies LibraryFinding] as const];
  });
  return { ...promised, ...Object.fromEntries(found) };
}
