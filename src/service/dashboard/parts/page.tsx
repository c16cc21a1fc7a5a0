import { randomUUID } from "node:crypto";
import { html, raw } from "hono/html";
import type { Child } from "hono/jsx";
import { includesScope } from "../../../contract/people.ts";
import { PROBLEMS } from "../../../contract/problems.ts";
import { appHeaders, DESK_STYLE, findDeskScript, SCRIPT, STYLE } from "../../app-pages/bare-page.tsx";
import { logProblem } from "../../store/as-problem.ts";
import type { DashboardContext } from "../context.ts";
import type { FormState } from "../forms.ts";
import { Message } from "./lists.tsx";
import { Rights } from "./rights.tsx";
import { findSection, NAVIGATION, type Link } from "../paths.ts";

/** A page of the dashboard; without a title, it is the list of its section and has the section's name. */
export interface Page {
  readonly title?: string;
  /** The link above the title. Default: the page's section. */
  readonly parent?: Link;
  /** Buttons and links next to the title. */
  readonly actions?: Child;
  /** The form on the page: its error is shown below the title, and its status is that of the page. */
  readonly form?: FormState;
  readonly status?: number;
  /** Whether the page loads the editor. */
  readonly isDesk?: boolean;
}

/** Renders a page: navigation, headline and main part. */
export function renderPage(context: DashboardContext, page: Page, main: Child): Response {
  const { text, init } = renderDocument(context, page, main);
  return new Response(text, init);
}

// Can't occur in content, where its brackets would be escaped.
const GAP = "<!--main-->";

/** Like `renderPage`, for a main part that is slow to read: sends everything above it at once. */
export function streamPage(context: DashboardContext, page: Page, readMain: () => Promise<Child>): Response {
  const { text, init } = renderDocument(context, page, raw(GAP));
  const [above = "", below = ""] = text.split(GAP);
  async function* parts(): AsyncGenerator<string> {
    yield above;
    yield await renderLate(context, readMain);
    yield below;
  }
  return new Response(ReadableStream.from(parts()).pipeThrough(new TextEncoderStream()), init);
}

async function renderLate(context: DashboardContext, readMain: () => Promise<Child>): Promise<string> {
  const { core, person } = context.var;
  try {
    return String(<Rights.Provider value={person.scopes}>{await readMain()}</Rights.Provider>);
  } catch (error) {
    // The status is already sent.
    const { code, details } = logProblem(error, context.env.requestId, core.settings.logger);
    return String(
      <p class="warning" role="alert">
        {details.detail ?? PROBLEMS[code].title} Reload the page to try again.
      </p>,
    );
  }
}

/** Renders a page's HTML with its status and headers. */
function renderDocument(context: DashboardContext, page: Page, main: Child) {
  const { pagesUrl } = context.var.core.addresses;
  const section = findSection(context.req.path);
  const status = page.status ?? page.form?.status ?? 200;
  const notice = status === 200 ? findNotice(context.req.query("notice")) : undefined;
  const title = page.title ?? section?.title ?? "";
  const parent = page.parent ?? (page.title === undefined || section?.path === "/" ? undefined : section);
  // The editor creates its own style sheet, which the policy allows by nonce.
  const nonce = page.isDesk === true ? randomUUID() : undefined;
  const document = (
    <Rights.Provider value={context.var.person.scopes}>
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>{title} · Imprint</title>
          <link rel="stylesheet" href={STYLE.path} />
          <script src={SCRIPT.path} type="module"></script>
          {nonce !== undefined && (
            <>
              <link rel="stylesheet" href={DESK_STYLE.path} />
              <script id="desk-script" src={findDeskScript().path} type="module" nonce={nonce}></script>
            </>
          )}
        </head>
        <body class={page.isDesk === true ? "wide" : undefined}>
          <a class="skip" href="#main">
            Skip to content
          </a>
          <header class="side">
            <a class="mark" href="/">
              Imprint
            </a>
            <a class="find" href="/search" data-find aria-keyshortcuts="Control+K Meta+K">
              Search <kbd hidden>Ctrl K</kbd>
            </a>
            <details class="menu">
              <summary>Menu</summary>
              <Navigation context={context} label="Sections, in the menu" />
            </details>
            <Navigation context={context} label="Sections" />
          </header>
          <main id="main" tabindex={-1}>
            {notice !== undefined && (
              <p id="notice" class="notice" role="status">
                {notice}
              </p>
            )}
            <Head title={title} parent={parent} actions={page.actions} />
            {page.form !== undefined && <FormProblem state={page.form} />}
            {main}
          </main>
          <Finder />
        </body>
      </html>
    </Rights.Provider>
  );
  const headers = appHeaders(pagesUrl, nonce === undefined ? undefined : `nonce-${nonce}`);
  return { text: String(html`<!doctype html>${document}`), init: { status, headers } };
}

/** Global search, opened by the script; without it, the link leads to the search page. */
function Finder() {
  return (
    <dialog id="finder" aria-label="Search">
      <form action="/search" role="search">
        <input
          type="search"
          name="q"
          aria-label="Find anything"
          placeholder="Find a page, post, file, person or action"
          autocomplete="off"
          spellcheck={false}
        />
        <p role="status"></p>
      </form>
      <div></div>
    </dialog>
  );
}

function Navigation({ context, label }: { readonly context: DashboardContext; readonly label: string }) {
  const section = findSection(context.req.path);
  const { scopes } = context.var.person;
  const hasProject = context.var.core.settings.projectFiles !== undefined;
  const allowed = NAVIGATION.map(({ group, links }) => ({
    group,
    links: links.filter(({ reads, needsProject }) => includesScope(scopes, reads) && (hasProject || !needsProject)),
  }));
  return (
    <nav aria-label={label}>
      {allowed.map(({ group, links }) => (
        <>
          {group !== undefined && <p class="group">{group}</p>}
          <ul>
            {links.map((link) => (
              <li>
                <a href={link.path} aria-current={link === section ? "page" : undefined}>
                  {link.title}
                </a>
              </li>
            ))}
          </ul>
        </>
      ))}
      <ul class="out">
        <li>
          <a href={context.var.core.addresses.pagesUrl}>View the site</a>
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

function Head({ title, parent, actions }: Pick<Page, "title" | "parent" | "actions">) {
  return (
    <div class="head">
      <div>
        {parent !== undefined && (
          <p class="parent">
            <a href={parent.path}>{parent.title}</a>
          </p>
        )}
        <h1>{title}</h1>
      </div>
      {actions !== undefined && <div class="actions">{actions}</div>}
    </div>
  );
}

function FormProblem({ state: { problem, errors } }: { readonly state: FormState }) {
  if (problem === undefined && Object.keys(errors).length === 0) return <></>;
  return (
    <p class="warning" role="alert">
      <Message text={problem ?? "Nothing was saved. Fix the fields marked below."} />
    </p>
  );
}

/** A section of a page with a heading. */
export function Section({
  id,
  title,
  children,
}: {
  readonly id: string;
  readonly title: string;
  readonly children: Child;
}) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

// The URL refers to notices by name, so that links can't show arbitrary text in the dashboard.
const NOTICES: Readonly<Record<string, string>> = {
  saved: "Changes saved.",
  "rolled-back": "Rolled back. Visitors see the pages of the earlier release again.",
  "page-published": "Page published.",
  "page-unpublished": "The page is now a draft. Visitors see that it is gone.",
  "page-deleted": "Page deleted.",
  "site-created": "Site created. Assign pages to it in their details, or publish them to it.",
  "site-deleted": "Site deleted.",
  "assets-added": "Files added to the library.",
  "assets-known": "Files that the library already has weren’t added again; they keep their names, texts, and tags.",
  "asset-name-changed":
    "Names of files are part of addresses, so the service replaced what isn’t a letter from A to Z, a digit, dot, hyphen, or underscore. The new name is shown below.",
  "asset-replaced": "This is the new file. The posts that used the former one show it.",
  "asset-cropped": "This is the cropped file. The former one stays in the library.",
  "asset-deleted": "File deleted.",
  "blog-created": "Blog created.",
  "post-created": "Post saved.",
  "post-published": "Post published.",
  "post-scheduled": "Post scheduled. Readers see it from its publish date on.",
  "post-unpublished": "The post is now a draft. Readers can't see it.",
  "post-deleted": "Post deleted.",
  "links-revoked": "The preview links of this post no longer work.",
  "version-restored": "This is the earlier version. Save it to restore it.",
  "file-renamed": "File renamed.",
  "file-restored": "The file was restored.",
  "domain-added": "Domain added. Set the records below at your DNS host; they are checked automatically.",
  "domain-checked": "DNS checked. Missing records are listed below.",
  "domain-active": "The domain is active.",
  "domain-removed": "Domain removed.",
  "submission-deleted": "Submission deleted, including its copies in events and deliveries.",
  "webhook-tested": "Test sent. Reload this page to see the response.",
  "webhook-on": "Webhook enabled.",
  "webhook-off": "Webhook disabled. Pending deliveries were canceled.",
  "webhook-deleted": "Webhook deleted.",
  "delivery-retried": "The delivery is being sent again.",
  "kit-extracted": "This is the brand kit found on the website.",
  "kit-deleted": "Brand kit deleted.",
  "grant-revoked": "App disconnected. Its tokens no longer work.",
  "session-ended": "The browser is signed out.",
  "key-revoked": "API key revoked.",
  "invitation-sent": "The invitation is being sent by mail.",
  "user-removed": "User removed. Sessions and connected apps have ended.",
};

/** Returns the texts of notices, whose names are separated by commas; `undefined` if none is known. */
function findNotice(names = ""): string | undefined {
  const texts = names
    .split(",")
    .filter((name) => Object.hasOwn(NOTICES, name))
    .map((name) => NOTICES[name]);
  return texts.length === 0 ? undefined : texts.join(" ");
}
