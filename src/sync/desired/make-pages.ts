import type { LibraryFindings } from "../../client/library-findings.ts";
import { sizeOfHtml, type PageHtml } from "../../html/page-html.ts";
import { fitPage } from "../../site/fit-page.ts";
import type { BuiltPage, BuiltSite, RewriteSettings, RewrittenPage } from "../../site/model.ts";
import type { PageFacts } from "../../site/page-cache.ts";
import { createRewriter } from "../../site/rewrite/rewriter.ts";

export interface MakeContext {
  readonly settings: RewriteSettings;
  readonly library: LibraryFindings;
  /** Largest page in bytes; `undefined`: any. */
  readonly maxPageBytes: number | undefined;
}

/** Makes pages, and hands out the HTML of each once. */
export interface MadePages {
  make(page: BuiltPage): PageFacts;
  /** The HTML of a page, whether it was made before or not. */
  take(page: BuiltPage): PageHtml;
}

// What was just rewritten is most likely sent soon. Beyond this much HTML it is rewritten again instead of held.
const KEPT_LENGTH = 32 * 1024 * 1024;

/** Rewrites pages within the size that the service takes. */
export function createMadePages(built: BuiltSite, context: MakeContext): MadePages {
  const makePage = createPageMaker(built, context);
  const kept = new Map<string, PageHtml>();
  let length = 0;
  return {
    make(page) {
      const { html, findInsert, ...facts } = makePage(page);
      if (length + html.length <= KEPT_LENGTH) {
        kept.set(page.file, { html, findInsert });
        length += html.length;
      }
      return { ...facts, bytes: sizeOfHtml({ html, findInsert }) };
    },
    take(page) {
      const made = kept.get(page.file);
      if (made === undefined) return makePage(page);
      kept.delete(page.file);
      length -= made.html.length;
      return made;
    },
  };
}

type MakePage = (page: BuiltPage) => RewrittenPage;

// A page that is too large first links its stylesheets, by which nothing is lost, and then does without some fonts.
function createPageMaker(built: BuiltSite, { settings, library, maxPageBytes }: MakeContext): MakePage {
  const rewriter = createRewriter(built, settings);
  if (maxPageBytes === undefined) return rewriter.rewrite;
  let linking: ReturnType<typeof createRewriter> | undefined;

  function linkStyles(page: BuiltPage, { warnings }: RewrittenPage): RewrittenPage {
    linking ??= createRewriter(built, { ...settings, placement: { ...settings.placement, styles: "library" } });
    return { ...linking.rewrite(page), warnings };
  }

  return (page) => {
    const whole = rewriter.rewrite(page);
    if (sizeOfHtml(whole) <= maxPageBytes) return whole;
    const smallest = library.styles.kind === "served" ? linkStyles(page, whole) : whole;
    return fitPage(smallest, { maxBytes: maxPageBytes, file: page.file });
  };
}
