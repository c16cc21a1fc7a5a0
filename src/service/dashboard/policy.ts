/**
 * The headers of the dashboard's pages. Pictures come from the library and frames are previews, both on the host of
 * published pages; everything else is the dashboard's own.
 */
export function dashboardHeaders(pagesUrl: string): Readonly<Record<string, string>> {
  const pages = new URL(pagesUrl).origin;
  return {
    "Content-Security-Policy": [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      `img-src 'self' data: ${pages}`,
      `font-src 'self' ${pages}`,
      "frame-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join("; "),
    // Without a referrer a browser sends forms with the origin `null`, which shows nothing of where they come from.
    "Referrer-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Content-Type": "text/html; charset=utf-8",
  };
}
