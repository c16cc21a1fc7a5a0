import type { Child } from "hono/jsx";
import { html } from "hono/html";
import { STYLE } from "../assets.ts";

export interface BareOptions {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly title: string;
  /** An address of this service that the page leads to at once. */
  readonly goTo?: string;
}

/** A page with a few words and no navigation, for who is not signed in. */
export function renderBare(main: Child, { status, headers, title, goTo }: BareOptions): Response {
  const document = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title} · Imprint</title>
        {goTo !== undefined && <meta http-equiv="refresh" content={`0;url=${goTo}`} />}
        <link rel="stylesheet" href={STYLE.path} />
      </head>
      <body class="bare">
        <main>
          {main}
          {goTo !== undefined && (
            <p>
              <a href={goTo}>Go on</a>
            </p>
          )}
        </main>
      </body>
    </html>
  );
  return new Response(String(html`<!doctype html>${document}`), { status, headers });
}
