import { createAddressBook, type Target } from "../../site/address-book.ts";
import type { BuiltPage, BuiltSite, SiteWarning } from "../../site/model.ts";
import { isNotFoundPage } from "../../site/read-site.ts";

/** Redirects and 404 pages of a site. */
export interface ExtraPages {
  /** Redirects and 404 pages. */
  readonly pages: readonly BuiltPage[];
  /** Target of each redirect, by route. */
  readonly targets: ReadonlyMap<string, Target>;
  readonly warnings: readonly SiteWarning[];
}

/** Code of the warning that a host doesn't use the site's own 404 page. */
export const NOT_FOUND_UNUSED = "not-found-page";

interface ExtraContext {
  readonly isWanted: (page: BuiltPage) => boolean;
  /** The pages of the site that are published. */
  readonly published: readonly BuiltPage[];
  /**
   * What happens to the site's own 404 page: the host shows it, or doesn't use it, which this run or an earlier one
   * reports.
   */
  readonly notFound: "shown" | "reported" | "unused";
}

/** Finds the redirects of a site with published targets, and its own 404 pages. */
export function findExtraPages(built: BuiltSite, { isWanted, published, notFound }: ExtraContext): ExtraPages {
  const own = built.pages.filter(isNotFoundPage).filter(isWanted);
  const shown = notFound === "shown" ? own : [];
  const unused = [
    ...(notFound === "reported" ? own.slice(0, 1).map(describeUnused) : []),
    ...built.pages.filter(isErrorPage).filter(isWanted).map(describeError),
  ];
  const redirects = built.pages.filter((page) => page.kind === "redirect").filter(isWanted);
  if (redirects.length === 0) return { pages: shown, targets: new Map(), warnings: unused };
  const addresses = createAddressBook(built);
  const routes = new Set([...published, ...shown].map(({ route }) => route));
  const targets = new Map(
    redirects.map((page) => [page.route, addresses.resolve(page.redirectTo ?? "", page.file)] as const),
  );
  const isLive = ({ route }: BuiltPage): boolean => {
    const target = targets.get(route);
    return target?.kind === "page" ? routes.has(target.page.route) : target?.kind !== "missing";
  };
  const dropped = redirects.filter((page) => !isLive(page));
  return {
    pages: [...redirects.filter(isLive), ...shown],
    targets,
    warnings: [...dropped.map(describeDropped), ...unused],
  };
}

function describeDropped({ file, route, redirectTo = "" }: BuiltPage): SiteWarning {
  const message = `The redirect ${route} is left out, because its destination, ${redirectTo}, is not published. Change the destination, or remove the redirect.`;
  return { code: "redirect-dropped", file, message };
}

function describeUnused({ file }: BuiltPage): SiteWarning {
  const message = "The site's own 404 page is not published: this service shows its own one.";
  return { code: NOT_FOUND_UNUSED, file, message, isNotice: true };
}

function isErrorPage({ kind, route }: BuiltPage): boolean {
  return kind === "status" && route.endsWith("/500/");
}

function describeError({ file }: BuiltPage): SiteWarning {
  const message = "The site's own 500 page is not published: only an Astro server shows it.";
  return { code: "error-page", file, message, isNotice: true };
}

/** Describes the target of a redirect for the report. */
export function describeTarget(target: Target, { redirectTo = "" }: BuiltPage): string {
  if (target.kind === "page") return target.page.route + target.suffix;
  return target.kind === "moved" ? target.address : redirectTo;
}
