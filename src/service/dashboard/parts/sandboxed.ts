/** A page of a user on the dashboard's host: the sandbox gives it an origin of its own, so it has no session. */
export function sandboxed(
  html: string | Uint8Array<ArrayBuffer>,
  { scripts }: { readonly scripts: "run" | "never" },
): Response {
  const policy = scripts === "run" ? "sandbox allow-scripts" : "sandbox; script-src 'none'";
  return new Response(html, {
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": `${policy}; frame-ancestors 'self'`,
      "Cross-Origin-Resource-Policy": "same-origin",
      "Cache-Control": "no-store",
    },
  });
}
