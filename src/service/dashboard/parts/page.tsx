import { html } from "hono/html";
import type { Child } from "hono/jsx";
import { PROBLEMS } from "../../../contract/problems.ts";
import { appHeaders, SCRIPT, STYLE } from "../../app-pages/bare-page.tsx";
import type { ProblemError } from "../../http/problem.ts";
import type { DashboardContext } from "../context.ts";
import type { FormState } from "../forms.ts";
import { findNotice } from "./notices.ts";

export interface Link {
  readonly title: string;
  readonly path: string;
}

/** A page of the dashboard; without a title it is the list of its section, and called as the section is. */
export interface Page {
  readonly title?: string;
  /** The link above the title. Default: the section of the page. */
  readonly parent?: Link;
  /** Beside the title: buttons and links. */
  readonly actions?: Child;
  /** The form on the page: what is wrong with it stands below the title, and its status is that of the page. */
  readonly form?: FormState;
  readonly status?: number;
}

const NAVIGATION: readonly { readonly group?: string; readonly links: readonly Link[] }[] = [
  { links: [{ path: "/", title: "Overview" }] },
  {
    group: "Content",
    links: [
      { path: "/pages", title: "Pages" },
      { path: "/sites", title: "Sites" },
      { path: "/library", title: "Library" },
      { path: "/blogs", title: "Blogs" },
      { path: "/brand-kits", title: "Brand kits" },
    ],
  },
  {
    group: "Visitors",
    links: [
      { path: "/analytics", title: "Analytics" },
      { path: "/forms", title: "Forms" },
    ],
  },
  {
    group: "Service",
    links: [
      { path: "/domains", title: "Domains" },
      { path: "/keys", title: "API keys" },
      { path: "/clients", title: "Connected apps" },
      { path: "/webhooks", title: "Webhooks" },
      { path: "/requests", title: "Requests" },
      { path: "/settings", title: "Settings" },
    ],
  },
];

/** Answers with a page: navigation, headline and main part. */
export function renderPage(context: DashboardContext, page: Page, main: Child): Response {
  const { pagesUrl } = context.var.core.addresses;
  const section = findSection(context.req.path);
  const status = page.status ?? page.form?.status ?? 200;
  const notice = status === 200 ? findNotice(context.req.query("notice")) : undefined;
  const title = page.title ?? section?.title ?? "";
  const parent = page.parent ?? (page.title === undefined || section?.path === "/" ? undefined : section);
  const document = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title} · Imprint</title>
        <link rel="stylesheet" href={STYLE.path} />
        <script src={SCRIPT.path} type="module"></script>
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class="side">
          <a class="mark" href="/">
            Imprint
          </a>
          <details class="menu">
            <summary>Menu</summary>
            <Navigation section={section} pagesUrl={pagesUrl} label="Sections, in the menu" />
          </details>
          <Navigation section={section} pagesUrl={pagesUrl} label="Sections" />
        </header>
        <main id="main" tabindex={-1}>
          {notice !== undefined && (
            <p class="notice" role="status">
              {notice}
            </p>
          )}
          <Head title={title} parent={parent} actions={page.actions} />
          {page.form !== undefined && <FormProblem state={page.form} />}
          {main}
        </main>
      </body>
    </html>
  );
  return new Response(String(html`<!doctype html>${document}`), { status, headers: appHeaders(pagesUrl) });
}

function findSection(path: string): Link | undefined {
  const [, first = ""] = path.split("/", 2);
  const wanted = first === "edit" ? "/pages" : `/${first}`;
  return NAVIGATION.flatMap(({ links }) => links).find((link) => link.path === wanted);
}

interface NavigationProps {
  readonly section: Link | undefined;
  readonly pagesUrl: string;
  readonly label: string;
}

function Navigation({ section, pagesUrl, label }: NavigationProps) {
  return (
    <nav aria-label={label}>
      {NAVIGATION.map(({ group, links }) => (
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
      {problem ?? "Nothing was saved. Fix the fields marked below."}
    </p>
  );
}

/** A part of a page with a heading that names it. */
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

/** A page that says what isn't possible and why. */
export function explain(context: DashboardContext, problem: ProblemError): Response {
  const { status, title } = PROBLEMS[problem.code];
  const { detail, errors = [] } = problem.details;
  return renderPage(
    context,
    { title: status === 404 ? "Not found" : "This isn’t possible", status },
    <>
      <p>{detail ?? title}</p>
      {errors.length > 0 && (
        <ul>
          {errors.map((error) => (
            <li>
              <code>{error.pointer.split("/").at(-1)}</code> {error.detail}
            </li>
          ))}
        </ul>
      )}
      <p>
        <a href={findSection(context.req.path)?.path ?? "/"}>Go back</a>
      </p>
    </>,
  );
}
