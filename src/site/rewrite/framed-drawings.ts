import { onceEach } from "../../base/once-each.ts";
import { createLineFinder } from "../../html/edits.ts";
import type { HtmlElement } from "../../html/tree.ts";
import type { SiteWarning } from "../model.ts";
import { readSiteText } from "../read-file.ts";
import type { RewriteContext } from "./context.ts";
import { passWarnings, type PageDraft } from "./page-draft.ts";

/** Elements that show a document of its own. */
export const FRAMES: ReadonlySet<string> = new Set(["object", "iframe", "frame", "embed"]);
const COMMENT = /<!--[^]*?-->/g;
const ADDRESS =
  /(?<=[\s:](?:href|src)\s*=\s*")[^"#][^"]*|(?<=[\s:](?:href|src)\s*=\s*')[^'#][^']*|(?<=\burl\(\s*["']?)[^"'()#\s][^"'()]*|(?<=@import\s+["'])[^"']+/g;

const SCRIPT = /<script(?=[\s>])(?![^>]*\btype=["']application\/)/gi;

/**
 * Reports what a drawing refers to if it is shown as a document of its own. It can't be rewritten there: a library's
 * policy lets it load nothing.
 */
export function warnOfDrawing(draft: PageDraft, { tagName }: HtmlElement, path: string): void {
  if (FRAMES.has(tagName) && path.toLowerCase().endsWith(".svg"))
    passWarnings(draft, referencesOf(draft.context)(path));
}

const referencesOf = onceEach((context: RewriteContext) => {
  const known = new Map<string, readonly SiteWarning[]>();
  return (path: string) => {
    const references = known.get(path) ?? findReferences(path, context);
    known.set(path, references);
    return references;
  };
});

function findReferences(path: string, { site, addresses }: RewriteContext): readonly SiteWarning[] {
  const svg = readSiteText(site.root, path).replace(COMMENT, (comment) => comment.replace(/\S/g, " "));
  const findLine = createLineFinder(svg);
  const scripts = Array.from(svg.matchAll(SCRIPT), ({ index }) => {
    const message =
      "The drawing has a script, which doesn't run where it is published, and scripts of the page can't read the drawing. Put it into the page as <svg>, with its script behind it.";
    return { code: "drawing-script", message, file: path, line: findLine(index) };
  });
  const references = Array.from(svg.matchAll(ADDRESS)).flatMap(({ index, 0: address }): readonly SiteWarning[] => {
    const target = addresses.resolve(address, path);
    if (target.kind !== "file" && target.kind !== "page") return [];
    const message = `The drawing refers to ${address}, which it doesn't reach where it is published, because <object>, <iframe>, and <embed> show it as a document of its own. Put the drawing into the page as <svg>.`;
    return [{ code: "drawing-reference", message, file: path, line: findLine(index) }];
  });
  return [...scripts, ...references];
}
