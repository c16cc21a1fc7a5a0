import type { LibraryFinding } from "../../client/library-findings.ts";
import type { ProbedLibrary } from "../../client/library-probe.ts";
import { decidePlacement } from "../../sync/desired/placement.ts";
import { MAX_INLINE_BYTES } from "../../sync/plan/assets.ts";
import { formatBytes } from "../../sync/report/words.ts";
import { good, warning, type Check } from "./check.ts";

const SERVE_WELL =
  "Pages work, and are larger for it. The service's operator can change it: library files need their true Content-Type and `Access-Control-Allow-Origin: *`.";
const ASK_AGAIN =
  "Run `imprint doctor` again in a moment. Until it can be read, nothing of the kind is loaded from there.";
const DELETE_THEM = "This route set can't delete files. Delete them in the service's dashboard.";
const LOST_FILES = "Put such files on another host and link to them there, or use a service that takes any file.";

/** What was found out about the library, and what follows from it for the pages. */
export function checkLibrary({ findings, left }: ProbedLibrary): readonly Check[] {
  const { words } = decidePlacement(findings);
  return [
    checkImages(findings.images),
    checkDrawings(findings.drawings),
    checkKind("Scripts", words.scripts, findings.scripts),
    checkKind("Fonts", words.fonts, findings.fonts),
    good("Styles", words.styles),
    findings.files.kind === "refused"
      ? warning("Files", words.files, LOST_FILES)
      : checkKind("Files", words.files, findings.files),
    ...(left.length === 0 ? [] : [warning("Probe files", `stay in the library: ${left.join(", ")}`, DELETE_THEM)]),
  ];
}

const LARGEST = formatBytes(MAX_INLINE_BYTES);
const ASK_FOR_IMAGES = `Larger ones are left out. Ask the service's operator to accept them and to serve them to every page.`;

function checkImages({ kind, why }: LibraryFinding): Check {
  if (kind === "served") return good("Images", `from the library, ${why}`);
  return warning("Images", `put into each page, up to ${LARGEST} each, because ${why}`, ASK_FOR_IMAGES);
}

function checkDrawings({ kind, why }: LibraryFinding): Check {
  if (kind === "served") return good("SVG", `from the library, ${why}`);
  return warning("SVG", `put into each page, up to ${LARGEST} each, because ${why}`, ASK_FOR_IMAGES);
}

// A kind that the library does not take at all is put into the pages by design, and nothing is wrong.
function checkKind(name: string, words: string, { kind }: LibraryFinding): Check {
  if (kind === "served" || kind === "refused") return good(name, words);
  return warning(name, words, kind === "unusable" ? SERVE_WELL : ASK_AGAIN);
}
