import { PROBLEMS } from "../../contract/problems.ts";
import { escapeHtml, PLAIN_PAGE_POLICY, renderPage } from "../html-page.ts";
import type { ProblemError } from "../resources/problem-error.ts";

interface PlainPage {
  readonly status: number;
  readonly title: string;
  readonly text: string;
}

export function notFoundPage(): Response {
  return plainPage({
    status: 404,
    title: "This page does not exist",
    text: "The address may be mistyped, or the page was never published.",
  });
}

export function gonePage(): Response {
  return plainPage({
    status: 410,
    title: "This page is gone",
    text: "It was published here once and has been taken away on purpose.",
  });
}

export function formsNotBuiltPage(): Response {
  return plainPage({
    status: 501,
    title: "Forms can't be sent yet",
    text: "This service does not take form submissions yet. Nothing of what you entered was stored.",
  });
}

export function methodNotAllowedPage(): Response {
  const response = plainPage({
    status: 405,
    title: "This can only be read",
    text: "The address shows a page; nothing can be sent to it.",
  });
  response.headers.set("Allow", "GET, HEAD");
  return response;
}

/** A page for anything that went wrong; tells a person what to quote when asking for help. */
export function problemPage({ code, details }: ProblemError, requestId: string): Response {
  const { status, title } = PROBLEMS[code];
  const response = plainPage({ status, title, text: `Please try again later. Request ${requestId}.` });
  for (const [name, value] of Object.entries(details.headers ?? {})) response.headers.set(name, value);
  return response;
}

function plainPage({ status, title, text }: PlainPage): Response {
  const main = `<p class="number">${status}</p>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
<p><a href="/">To the start</a></p>`;
  return new Response(renderPage({ language: "en", title, main, head: '<meta name="robots" content="noindex">\n' }), {
    status,
    headers: {
      "Content-Type": "text/html; charset=utf-8",
      "Content-Security-Policy": PLAIN_PAGE_POLICY,
      "Cache-Control": "no-store",
    },
  });
}
