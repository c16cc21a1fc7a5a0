import type { Core } from "../host/core.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { RateLimiter } from "../http/rate-limiter.ts";
import { inTransaction } from "../resources/context.ts";
import { receiveSubmission, type SubmissionReceived, type SentEntry } from "../resources/submissions.ts";
import { toProblemResponse } from "../http/problem.ts";
import { asProblem } from "../store/as-problem.ts";
import { findLook } from "../look/find-look.ts";
import { readBody, refuseEncoded, addressOf } from "../http/request.ts";
import { formProblemPage } from "./plain-pages.ts";
import { checkSameOrigin, ownPath } from "./same-site.ts";
import { parseEntries } from "./sent-entries.ts";

export interface FormPost {
  /** The page that the form was sent to. */
  readonly slug: string;
  readonly request: Request;
  readonly exchange: RequestContext;
  readonly limiter: RateLimiter;
}

/**
 * Takes what a visitor sent through a form. A browser is led on with 303: to `_next` when that is on the same host,
 * else to the page that the form names or to a page that says thank you. A program that accepts JSON gets 201.
 */
export async function receiveForm(core: Core, post: FormPost): Promise<Response> {
  const { request, exchange, slug } = post;
  const wantsJson = acceptsJson(request);
  try {
    const entries = await readEntries(core, post);
    const received = await store(core, { slug, entries, requestId: exchange.requestId });
    return wantsJson ? jsonAnswer(received) : leadOn(received, { entries, request });
  } catch (error) {
    const problem = asProblem(error);
    // What nobody foresaw is logged by the host, which answers with a page.
    if (problem.code === "internal") throw error;
    if (wantsJson) return toProblemResponse(problem, exchange.requestId);
    return formProblemPage(await findLook(core, { kind: "page", slug }), { problem, slug });
  }
}

async function readEntries(core: Core, { request, exchange, limiter }: FormPost): Promise<readonly SentEntry[]> {
  limiter.count({ kind: "address", id: addressOf(request, exchange, core.settings) }, core.now());
  checkSameOrigin(core, request);
  refuseEncoded(request.headers.get("Content-Encoding"));
  const bytes = await readBody(request, { maxBytes: core.settings.limits.maxFormBytes, code: "body_too_large" });
  return await parseEntries(bytes, request.headers.get("Content-Type") ?? "");
}

interface Sent {
  readonly slug: string;
  readonly entries: readonly SentEntry[];
  readonly requestId: string;
}

async function store(core: Core, { slug, entries, requestId }: Sent): Promise<SubmissionReceived> {
  const context = { ...core.contextOf(core.account.id), requestId };
  return await inTransaction(context, (context) => receiveSubmission(context, { slug, entries }), "shared");
}

function acceptsJson(request: Request): boolean {
  const accept = request.headers.get("Accept") ?? "";
  return accept.includes("application/json") && !accept.includes("text/html");
}

function jsonAnswer({ submission }: SubmissionReceived): Response {
  const { id, formId, createdAt } = submission;
  const body = { submissionId: id, formId, createdAt: createdAt.toISOString() };
  return Response.json(body, { status: 201, headers: { "Cache-Control": "no-store" } });
}

function leadOn(
  { form }: SubmissionReceived,
  { entries, request }: { readonly entries: readonly SentEntry[]; readonly request: Request },
): Response {
  const wanted = entries.find(([name]) => name === "_next")?.[1];
  const next = wanted === undefined || wanted === "" ? undefined : ownPath(wanted, request);
  const named = form.actionSlug === form.pageSlug ? `/_thanks/${form.pageSlug}` : `/p/${form.actionSlug}`;
  return new Response(null, { status: 303, headers: { Location: next ?? named, "Cache-Control": "no-store" } });
}
