import { PROBLEMS, type ProblemCode } from "../../contract/problems.ts";
import { escapeHtml, renderPage } from "../http/html.ts";
import type { Look } from "../look/look.ts";
import type { ProblemError } from "../http/problem.ts";

interface PlainPage {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  /** Default: to the start. */
  readonly back?: { readonly href: string; readonly text: string } | "nowhere";
}

export function notFoundPage(look: Look): Response {
  return plainPage(look, {
    status: 404,
    title: "This page does not exist",
    text: "The address may be mistyped, or the page was never published.",
  });
}

export function gonePage(look: Look): Response {
  return plainPage(look, {
    status: 410,
    title: "This page is gone",
    text: "It was published here once and has been taken away on purpose.",
  });
}

/** For a preview link that ended, with its post or by itself. Which of the two is nobody's business. */
export function previewEndedPage(look: Look): Response {
  return plainPage(look, {
    status: 404,
    title: "This preview link has expired",
    text: "Preview links expire, and end when their post is deleted. Ask whoever sent it to you for a new one.",
    back: "nowhere",
  });
}

/** For a host name that no site is shown under. */
export function misdirectedPage(look: Look): Response {
  return plainPage(look, {
    status: 421,
    title: "No site is shown under this name",
    text: "The name leads here, but no site has it. If it is yours, add it as a custom domain, or look whether its DNS records are complete.",
    back: "nowhere",
  });
}

/** What a visitor sees after sending a form that names no page of its own. */
export function thanksPage(look: Look, slug: string): Response {
  return plainPage(look, {
    status: 200,
    title: "Thank you",
    text: "Your message has arrived.",
    back: { href: `/p/${encodeURIComponent(slug)}`, text: "Back to the page" },
  });
}

/** Why a form was not taken, in words for the visitor who sent it. */
export function formProblemPage(
  look: Look,
  { problem, slug }: { readonly problem: ProblemError; readonly slug: string },
): Response {
  const { code, details } = problem;
  const { status, title } = PROBLEMS[code];
  const reason = FORM_REASONS[code] ?? `${details.detail ?? title} Nothing was stored.`;
  const response = plainPage(look, {
    status,
    title: "The form was not sent",
    text: `${reason} Your browser's back button leads to what you entered.`,
    back: { href: `/p/${encodeURIComponent(slug)}`, text: "Back to the page" },
  });
  for (const [name, value] of Object.entries(details.headers ?? {})) response.headers.set(name, value);
  return response;
}

const FORM_REASONS: Readonly<Partial<Record<ProblemCode, string>>> = {
  form_not_found: "This page has no such form, or not any more.",
  rate_limited: "Too many forms came from your network in a short time. Please wait a minute and send it again.",
  body_too_large: "It holds more text than this form can take. Please shorten it and send it again.",
  forbidden_origin: "It came from another website than the page that it belongs to.",
  unavailable: "The service is busy. Please send it again in a moment.",
  storage_full: "The service can't store it at the moment. Please try again later.",
};

export function methodNotAllowedPage(look: Look): Response {
  const response = plainPage(look, {
    status: 405,
    title: "This can only be read",
    text: "The address shows a page; nothing can be sent to it.",
  });
  response.headers.set("Allow", "GET, HEAD");
  return response;
}

/** A page for anything that went wrong; tells a person what to quote when asking for help. */
export function problemPage(
  look: Look,
  { problem, requestId }: { readonly problem: ProblemError; readonly requestId: string },
): Response {
  const { code, details } = problem;
  const { status, title } = PROBLEMS[code];
  const response = plainPage(look, { status, title, text: `Please try again later. Request ${requestId}.` });
  for (const [name, value] of Object.entries(details.headers ?? {})) response.headers.set(name, value);
  return response;
}

const CHECK_MARK = `<p class="check"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M5 12.5l4.5 4.5L19 7.5"/></svg></p>\n`;

function plainPage(
  look: Look,
  { status, title, text, back = { href: "/", text: "To the start" } }: PlainPage,
): Response {
  const sign = status === 200 ? CHECK_MARK : `<p class="number">${status}</p>\n`;
  const main = `${sign}<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
${back === "nowhere" ? "" : `<p><a class="button" href="${escapeHtml(back.href)}">${escapeHtml(back.text)}</a></p>`}`;
  const head = '<meta name="robots" content="noindex">\n';
  return new Response(renderPage({ language: "en", title, main, head, look, layout: "said" }), {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": look.policy,
      "Cache-Control": "no-store",
    },
  });
}
