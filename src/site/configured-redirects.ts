import { decodeComponent } from "../base/decode-component.ts";
import { sha256 } from "../base/hash.ts";
import { normalizeRoute } from "../contract/slug.ts";
import { escapeAttribute, escapeText } from "../html/attributes.ts";
import type { BuildHints } from "./build-hints.ts";
import type { BuiltPage } from "./model.ts";

/**
 * Returns the redirects of the Astro config that have no files, since Astro leaves them to the server if there is an
 * adapter. They are the pages that Astro would write without one.
 *
 * @param taken routes of the pages that have files
 */
export function describeRedirects({ routes = [] }: BuildHints, taken: ReadonlySet<string>): readonly BuiltPage[] {
  const pages = routes.flatMap(({ redirects = [], redirectStatus }) =>
    redirects.map(({ from, to }): BuiltPage => {
      const route = normalizeRoute(decodeComponent(from));
      const html = renderRedirect(to);
      const page = { route, file: `${route.slice(1)}index.html`, html, hash: sha256(html), redirectTo: to } as const;
      return { ...page, kind: "redirect", ...(redirectStatus === undefined ? {} : { redirectStatus }) };
    }),
  );
  return pages.filter(
    ({ route }, place) => !taken.has(route) && pages.findIndex((page) => page.route === route) === place,
  );
}

function renderRedirect(address: string): string {
  const [name, value] = [escapeText(address), escapeAttribute(address)];
  return `<!doctype html>\n<title>Redirecting to: ${name}</title>\n<meta http-equiv="refresh" content="0;url=${value}">\n<meta name="robots" content="noindex">\n<link rel="canonical" href="${value}">\n<body>\n\t<a href="${value}">Redirecting to <code>${name}</code></a>\n</body>`;
}
