import type { LibraryFindings } from "../../client/library-findings.ts";
import type { TextStore } from "../../disk/text-store.ts";
import { sizeOfHtml, type PageHtml } from "../../html/page-html.ts";
import { fitPage } from "../../site/fit-page.ts";
import type { BuiltPage, BuiltSite, RewriteSettings, RewrittenPage } from "../../site/model.ts";
import type { PageFacts } from "../../site/page-cache.ts";
import { createRewriter } from "../../site/rewrite/rewriter.ts";

export interface MakeContext {
  readonly settings: RewriteSettings;
  readonly library: LibraryFindings;
  /** Maximum size of a page in bytes; `undefined` for no limit. */
  readonly maxPageBytes: number | undefined;
  /** Stores the HTML of pages until it is sent. */
  readonly texts: TextStore;
}

/** Rewrites pages, and returns the HTML of each on request. */
export interface MadePages {
  make(page: BuiltPage): Promise<PageFacts>;
  /** Returns the HTML of a page, rewriting it first if necessary. */
  read(page: BuiltPage): Promise<PageHtml>;
}

/** Rewrites pages within the service's size limit. */
export function createMadePages(built: BuiltSite, context: MakeContext): MadePages {
  const makePage = createPageMaker(built, context);
  const kept = new Map<string, () => Promise<PageHtml>>();
  return {
    async make(page) {
      const { html, findInsert, ...facts } = makePage(page);
      const readHtml = await context.texts.keep(html);
      kept.set(page.file, async () => ({ html: await readHtml(), findInsert }));
      return { ...facts, bytes: sizeOfHtml({ html, findInsert }) };
    },
    read: async (page) => (await kept.get(page.file)?.()) ?? makePage(page),
  };
}

type MakePage = (page: BuiltPage) => RewrittenPage;

// A page that is too large first links its stylesheets, which is lossless, and then omits some fonts.
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
