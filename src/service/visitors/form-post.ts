import type { Core } from "../host/core.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { SharedLimiter } from "../http/rate-limiter.ts";
import { type Context, inTransaction } from "../resources/context.ts";
import { recordGoal } from "../resources/visits.ts";
import { receiveSubmission, type SubmissionReceived, type SentEntry } from "../resources/submissions.ts";
import { settleAll, settlePages } from "../resources/settle.ts";
import { ProblemError } from "../http/problem.ts";
import { asProblem } from "../store/as-problem.ts";
import { findLook } from "../look/look.ts";
import {
  acceptsJson,
  checkSameOrigin,
  readBody,
  readFormData,
  refuseEncoded,
  addressOf,
  toProblemResponse,
} from "../http/messages.ts";
import { refusesCounting } from "./beacon.ts";
import { formProblemPage } from "./plain-pages.ts";

export interface FormPost {
  /** The page that the form was sent to. */
  readonly slug: string;
  readonly request: Request;
  readonly requestContext: RequestContext;
  readonly limiter: SharedLimiter;
}

/**
 * Handles a form submission. Browsers are redirected with 303: to `_next` if it is on the same host, otherwise to the
 * form's target page or a thank-you page. Programs that accept JSON get 201.
 */
export async function receiveForm(core: Core, post: FormPost): Promise<Response> {
  const { request, requestContext, slug } = post;
  const wantsJson = acceptsJson(request);
  try {
    const entries = await readEntries(core, post);
    const context = { ...core.contextOf(core.account.id), requestId: requestContext.requestId };
    // The form may be on a published page that isn't written yet.
    const sender = findSender(core, request);
    await (sender === undefined ? settleAll(context) : settlePages(context, [slug, sender]));
    const received = await inTransaction(
      context,
      async (transaction) => {
        const stored = await receiveSubmission(transaction, { slug, entries });
        await countGoal(transaction, core, { post, submission: stored.submission });
        return stored;
      },
      "lasting",
    );
    return wantsJson ? jsonResponse(received) : redirectAfter(received, { entries, request });
  } catch (error) {
    const problem = asProblem(error);
    // The host logs unexpected errors and responds with a page.
    if (problem.code === "internal") throw error;
    if (wantsJson) return toProblemResponse(problem, requestContext.requestId);
    return formProblemPage(await findLook(core, { kind: "page", slug }), problem, slug);
  }
}

/** Counts a submission for its sender's visit, unless it is spam or the sender opted out. */
async function countGoal(
  context: Context,
  { settings }: Core,
  { post, submission }: { readonly post: FormPost; readonly submission: SubmissionReceived["submission"] },
): Promise<void> {
  const { request, requestContext } = post;
  const { formId, pageId, spam } = submission;
  if (spam || !settings.analytics || refusesCounting(request)) return;
  const userAgent = request.headers.get("User-Agent") ?? "";
  const visitor = { address: addressOf(request, requestContext, settings), userAgent };
  await recordGoal(context, { formId, pageId, visitor });
}

/** Returns the slug of the page that the form was submitted from, according to the browser. */
function findSender({ addresses }: Core, request: Request): string | undefined {
  const address = URL.parse(request.headers.get("Referer") ?? "");
  if (address?.origin !== new URL(addresses.pagesUrl).origin) return undefined;
  return /^\/p\/([a-z0-9-]+)$/.exec(address.pathname)?.[1];
}

async function readEntries(core: Core, { request, requestContext, limiter }: FormPost): Promise<readonly SentEntry[]> {
  await limiter.count({ kind: "address", id: addressOf(request, requestContext, core.settings) }, core.now());
  checkSameOrigin(request, core.addresses);
  refuseEncoded(request.headers.get("Content-Encoding"));
  const bytes = await readBody(request, { maxBytes: core.settings.limits.maxFormBytes, code: "body_too_large" });
  return await parseEntries(bytes, request.headers.get("Content-Type") ?? "");
}

/** Parses the fields of a form. Throws `unsupported_media_type`, also for files, or `malformed_body`. */
async function parseEntries(bytes: Uint8Array<ArrayBuffer>, contentType: string): Promise<readonly SentEntry[]> {
  const type = contentType.split(";", 1)[0]?.trim().toLowerCase();
  if (type !== "application/x-www-form-urlencoded" && type !== "multipart/form-data") {
    throw new ProblemError("unsupported_media_type", {
      detail: "Send the form as application/x-www-form-urlencoded or multipart/form-data.",
    });
  }
  if (type === "application/x-www-form-urlencoded") {
    return [...new URLSearchParams(new TextDecoder().decode(bytes))];
  }
  const form = await readFormData(bytes, contentType, "The form is not valid multipart/form-data.");
  return [...form].flatMap(([name, value]) => {
    if (typeof value === "string") return [[name, value] as const];
    // Browsers send an empty file input as a file without a name.
    if (value.name === "" && value.size === 0) return [];
    throw new ProblemError("unsupported_media_type", { detail: "This form doesn't accept files." });
  });
}

function jsonResponse({ submission }: SubmissionReceived): Response {
  const { id, formId, createdAt } = submission;
  const body = { submissionId: id, formId, createdAt: createdAt.toISOString() };
  return Response.json(body, { status: 201, headers: { "Cache-Control": "no-store" } });
}

function redirectAfter(
  { form }: SubmissionReceived,
  { entries, request }: { readonly entries: readonly SentEntry[]; readonly request: Request },
): Response {
  const wanted = entries.find(([name]) => name === "_next")?.[1];
  const next = wanted === undefined || wanted === "" ? undefined : ownPath(wanted, request);
  const named = form.actionSlug === form.pageSlug ? `/_thanks/${form.pageSlug}` : `/p/${form.actionSlug}`;
  return new Response(null, { status: 303, headers: { Location: next ?? named, "Cache-Control": "no-store" } });
}

/** Returns the path of a URL on the same host as the request; `undefined` for any other. */
function ownPath(address: string, { url }: { readonly url: string }): string | undefined {
  const { origin } = new URL(url);
  const target = URL.parse(address, url);
  // Browsers would take the path of `/x/..//other.example` for another host.
  if (target === null || target.origin !== origin || target.pathname.startsWith("//")) return undefined;
  return `${target.pathname}${target.search}${target.hash}`;
}
