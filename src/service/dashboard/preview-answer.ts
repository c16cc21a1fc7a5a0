/**
 * Answers with HTML of the account on the dashboard's host, for a frame to show. The sandbox gives it an origin of its
 * own: it has no session, reaches nothing of the dashboard and leads nowhere.
 */
export function answerPreview(html: Uint8Array | string, baseUrl: string): Response {
  // Links would lead the frame to where it may not go; towards a new window, which it may not open, they do nothing.
  const start = `<!doctype html><base href="${baseUrl}" target="_blank">`;
  return new Response(Buffer.concat([Buffer.from(start), Buffer.from(html)]), {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": "sandbox allow-scripts; frame-ancestors 'self'",
      "Cross-Origin-Resource-Policy": "same-origin",
      "Cache-Control": "no-store",
    },
  });
}
