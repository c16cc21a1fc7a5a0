import { html } from "hono/html";
import type { Child } from "hono/jsx";
import { SCRIPT, STYLE } from "../assets.ts";
import { dashboardHeaders } from "../policy.ts";
import type { Scene } from "../scene.ts";
import { findNotice } from "./notices.ts";

/** A page of the dashboard within navigation and head line. */
export interface ShellPage {
  readonly title: string;
  /** The entry of the navigation that the page belongs to, such as `/pages`. */
  readonly section: string;
  /** What was just done: a name of `NOTICES`, from the address. */
  readonly notice?: string | undefined;
  /** Where the page hangs: a link above its title. */
  readonly parent?: { readonly title: string; readonly path: string };
  /** Beside the title: buttons and links. */
  readonly actions?: Child;
  readonly status?: number;
}

const NAVIGATION: readonly { readonly group?: string; readonly entries: readonly (readonly [string, string])[] }[] = [
  { entries: [["/", "Overview"]] },
  {
    group: "Content",
    entries: [
      ["/pages", "Pages"],
      ["/sites", "Sites"],
      ["/library", "Library"],
      ["/blogs", "Blogs"],
      ["/brand-kits", "Brand kits"],
    ],
  },
  {
    group: "Visitors",
    entries: [
      ["/analytics", "Analytics"],
      ["/forms", "Forms"],
    ],
  },
  {
    group: "Service",
    entries: [
      ["/domains", "Domains"],
      ["/keys", "API keys"],
      ["/clients", "Connected apps"],
      ["/webhooks", "Webhooks"],
      ["/requests", "Requests"],
      ["/settings", "Settings"],
    ],
  },
];

export function renderShell({ core }: Scene, page: ShellPage, main: Child): Response {
  const document = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{page.title} · Imprint</title>
        <link rel="stylesheet" href={STYLE.path} />
        <script src={SCRIPT.path} type="module"></script>
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <Navigation section={page.section} pagesUrl={core.addresses.pagesUrl} />
        <main id="main" tabindex={-1}>
          <Head page={page} />
          {main}
        </main>
      </body>
    </html>
  );
  return new Response(String(html`<!doctype html>${document}`), {
    status: page.status ?? 200,
    headers: dashboardHeaders(core.addresses.pagesUrl),
  });
}

function Navigation({ section, pagesUrl }: { readonly section: string; readonly pagesUrl: string }) {
  return (
    <header class="side">
      <a class="mark" href="/">
        Imprint
      </a>
      <details class="menu">
        <summary>Menu</summary>
        <Links section={section} pagesUrl={pagesUrl} label="Sections, in the menu" />
      </details>
      <Links section={section} pagesUrl={pagesUrl} label="Sections" />
    </header>
  );
}

interface LinksProps {
  readonly section: string;
  readonly pagesUrl: string;
  readonly label: string;
}

function Links({ section, pagesUrl, label }: LinksProps) {
  return (
    <nav aria-label={label}>
      {NAVIGATION.map(({ group, entries }) => (
        <>
          {group !== undefined && <p class="group">{group}</p>}
          <ul>
            {entries.map(([path, name]) => (
              <li>
                <a href={path} aria-current={path === section ? "page" : undefined}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
        </>
      ))}
      <ul class="out">
        <li>
          <a href={pagesUrl}>View the site</a>
        </li>
        <li>
          <form method="post" action="/sign-out">
            <button type="submit" class="plain">
              Sign out
            </button>
          </form>
        </li>
      </ul>
    </nav>
  );
}

function Head({ page }: { readonly page: ShellPage }) {
  const notice = findNotice(page.notice);
  return (
    <>
      {notice !== undefined && (
        <p class="notice" role="status">
          {notice}
        </p>
      )}
      <div class="head">
        <div>
          {page.parent !== undefined && (
            <p class="parent">
              <a href={page.parent.path}>{page.parent.title}</a>
            </p>
          )}
          <h1>{page.title}</h1>
        </div>
        {page.actions !== undefined && <div class="actions">{page.actions}</div>}
      </div>
    </>
  );
}
