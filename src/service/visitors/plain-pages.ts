import { PROBLEMS, type ProblemCode } from "../../contract/problems.ts";
import type { Core } from "../host/core.ts";
import { escapeHtml } from "../http/html.ts";
import type { ProblemError } from "../http/problem.ts";
import { homePathOf, PLAIN_LOOK, renderPage, type Look } from "../look/look.ts";
import { findNewestSite } from "../store/sites.ts";

interface PlainPage {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Default: a link to the home page. */
  readonly back?: { readonly href: string; readonly text: string } | "nowhere";
}

const PAGES = {
  notFound: {
    status: 404,
    title: "This page doesn’t exist",
    text: "Check the address for typos. The page may not be published.",
  },
  gone: {
    status: 410,
    title: "This page is gone",
    text: "It was published here, but has been removed.",
  },
  /** For an expired preview link or a deleted post. Which of the two it was isn't revealed. */
  previewExpired: {
    status: 404,
    title: "This preview link has expired",
    text: "Ask the person who sent it for a new link.",
    back: "nowhere",
  },
  /** For a host name without a site. */
  misdirected: {
    status: 421,
    title: "No site at this domain",
    text: "This domain points here, but no site uses it. If it is yours, add it as a custom domain, or check its DNS records.",
    back: "nowhere",
  },
  methodNotAllowed: {
    status: 405,
    title: "Method not allowed",
    text: "This page doesn’t accept data.",
    headers: { Allow: "GET, HEAD" },
  },
} as const satisfies Record<string, PlainPage>;

/** Renders a page that explains why there is nothing to read. */
export function plainPage(look: Look, kind: keyof typeof PAGES): Response {
  return render(look, PAGES[kind]);
}

/** Renders the page after submitting a form without its own target page. */
export function thanksPage(look: Look, slug: string): Response {
  return render(look, {
    status: 200,
    title: "Thank you",
    text: "Your message has been sent.",
    back: { href: `/p/${encodeURIComponent(slug)}`, text: "Back to the page" },
  });
}

/** Explains to visitors why a form was rejected. */
export function formProblemPage(look: Look, { code, details }: ProblemError, slug: string): Response {
  const { status, title } = PROBLEMS[code];
  const reason = FORM_REASONS[code] ?? `${details.detail ?? title} Nothing was stored.`;
  return render(look, {
    status,
    title: "The form was not sent",
    text: `${reason} Use your browser's back button to return to what you entered.`,
    headers: details.headers,
    back: { href: `/p/${encodeURIComponent(slug)}`, text: "Back to the page" },
  });
}

const FORM_REASONS: Readonly<Partial<Record<ProblemCode, string>>> = {
  form_not_found: "This form no longer exists.",
  rate_limited: "Your network has sent too many forms. Please wait a minute and try again.",
  body_too_large: "Your message is too long. Please shorten it and try again.",
  forbidden_origin: "It was sent from a different website.",
  unavailable: "The service is busy. Please try again in a moment.",
  storage_damaged: "The service can't store your message right now. Please try again later.",
  storage_full: "The service can't store your message right now. Please try again later.",
};

/** Renders a page for any other failure, with a request id for support. */
export function problemPage(look: Look, { code, details }: ProblemError, requestId: string): Response {
  const { status, title } = PROBLEMS[code];
  return render(look, {
    status,
    title,
    text: `Please try again later. Request ${requestId}.`,
    headers: details.headers,
  });
}

const CHECK_MARK = `<p class="check"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M5 12.5l4.5 4.5L19 7.5"/></svg></p>\n`;

function render(look: Look, { status, title, text, headers, back = { href: "/", text: "Home" } }: PlainPage): Response {
  const sign = status === 200 ? CHECK_MARK : `<p class="number">${status}</p>\n`;
  const main = `${sign}<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${back === "nowhere" ? "" : `<p><a class="button" href="${escapeHtml(back.href)}">${escapeHtml(back.text)}</a></p>`}`;
  const head = '<meta name="robots" content="noindex">\n';
  return respond(look, { title, main, head }, { status, headers: { "Cache-Control": "no-store", ...headers } });
}

function respond(look: Look, page: { title: string; main: string; head?: string }, init: ResponseInit): Response {
  const headers = { "Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": look.policy };
  const document = renderPage({ ...page, language: "en", look, layout: "said" });
  return new Response(document, { ...init, headers: { ...headers, ...init.headers } });
}

/** Redirects from the root to the home page of the newest site that has one. */
export async function serveHome({ store, account }: Core): Promise<Response> {
  const site = await findNewestSite(store.database, account.id);
  const headers = { "Cache-Control": "no-cache" };
  if (site !== undefined)
    return new Response(null, { status: 302, headers: { ...headers, Location: homePathOf(site) } });
  const title = "Nothing is published here yet";
  const main = `<h1>${title}</h1>
<p>Published pages appear under <code>/p/</code>. This address redirects to the home page of a site once it has one.</p>`;
  return respond(PLAIN_LOOK, { title, main }, { headers });
}
