import { OPERATIONS, type OperationName } from "../../contract/operations.ts";
import type { Route, RouteSetName } from "../../contract/route.ts";
import { type Credential, identify } from "../auth/authenticate.ts";
import type { Core } from "../host/core.ts";
import type { PlainResponse } from "../http/response.ts";
import { type Context, inTransaction } from "../resources/context.ts";
import type { Gate } from "../../base/gate.ts";
import { ProblemError } from "../http/problem.ts";
import { formAnswer, type AnswerOptions, withoutSecrets, type Reply } from "./reply.ts";
import type { Call, UploadedFile } from "./call.ts";
import { HANDLERS } from "./handlers/all.ts";
import { claimKey, fingerprintOf, readIdempotencyKey, type KeptAnswer, type RunningRequest } from "./idempotency.ts";
import { parseBody, parseQuery } from "./parse-request.ts";
import { refuseEncoded, type HttpRequest, type BodyLimit, readPreconditions } from "../http/request.ts";
import type { RequestContext } from "../http/request-context.ts";
import type { Limits } from "../../contract/limits.ts";

/** Serves a row: who asks, what is asked, the rule, and the answer in the form of the route set. */
export async function serveRoute(core: Core, asked: RouteRequest): Promise<PlainResponse> {
  const credential = await identify(core, asked);
  const handler = findHandler(asked.route.operation);
  const query = parseQuery(asked.route.query, asked.request.query);
  const serve = async () => {
    const received = await receiveBody(core, asked);
    return await runHandler(core, { asked, credential, handler, query, ...received });
  };
  const gate = gateOf(core, asked.route);
  return gate === undefined ? await serve() : await gate.run(serve);
}

function findHandler(operation: string): AnyHandler {
  const handler = isOperation(operation) ? HANDLERS[operation] : undefined;
  if (handler === undefined) throw new ProblemError("not_implemented", { detail: `${operation} is not built yet.` });
  // A handler's query and body are parsed by the schemas of the same operation, which the union of all can't express.
  return handler as AnyHandler;
}

type AnyHandler = (call: Omit<Call<OperationName>, "query" | "body"> & ParsedInput) => Promise<Reply>;

interface ParsedInput {
  readonly query: unknown;
  readonly body: unknown;
}

function isOperation(name: string): name is OperationName {
  return Object.hasOwn(OPERATIONS, name);
}

function gateOf({ uploads, imports }: Core, { operation, body }: Route): Gate | undefined {
  if (operation === "assets.import" || operation === "brandKits.extract") return imports;
  return body?.kind === "multipart" ? uploads : undefined;
}

interface ReceivedBody {
  readonly body: unknown;
  readonly files: readonly UploadedFile[];
}

async function receiveBody(core: Core, { route, routeSet, request, exchange }: RouteRequest): Promise<ReceivedBody> {
  if (route.body === undefined) return { body: undefined, files: [] };
  refuseEncoded(request.headers.get("Content-Encoding"));
  const bytes = await request.readBody(bodyLimitOf(route, core.settings.limits));
  const contentType = request.headers.get("Content-Type") ?? "";
  const { body, files, unknownFields } = await parseBody({ bytes, contentType }, route.body, { routeSet });
  for (const remark of remarksOn(unknownFields)) exchange.warn(remark);
  return { body, files };
}

const MAX_REMARKS = 10;
const MAX_SHOWN_NAME = 100;

/** Remarks in the request log on unknown fields, limited in number and length. */
function remarksOn(unknownFields: readonly string[]): readonly string[] {
  const shown = unknownFields
    .slice(0, MAX_REMARKS)
    .map((name) => `The body has a field "${name.slice(0, MAX_SHOWN_NAME)}" that is not known; it is ignored.`);
  const more = unknownFields.length - shown.length;
  return more === 0 ? shown : [...shown, `${more} more fields of the body are not known; they are ignored.`];
}

interface Run extends ReceivedBody {
  readonly asked: RouteRequest;
  readonly credential: Credential | undefined;
  readonly handler: AnyHandler;
  readonly query: unknown;
}

async function runHandler(core: Core, run: Run): Promise<PlainResponse> {
  const { asked, credential } = run;
  const context = {
    ...core.contextOf(credential?.accountId ?? core.account.id),
    requestId: asked.exchange.requestId,
  };
  const form = answerOptionsOf(core, asked);
  const takesKeys = asked.request.method === "POST" && context.quirks.idempotencyKeys === "kept";
  const key = takesKeys ? readIdempotencyKey(asked.request.headers) : undefined;
  if (key === undefined) return respond(await callHandler(run, { context, form, request: undefined }), form);
  const requestKey = { accountId: context.accountId, route: `${asked.route.method} ${asked.exchange.path}`, key };
  const claim = await claimKey(context.database, requestKey, {
    fingerprint: fingerprintOf(run.body, run.files),
    now: context.now,
  });
  if (claim.kind === "replay") return respondKept(claim.answer, { "Idempotent-Replayed": "true" });
  try {
    const reply = await callHandler(run, { context, form, request: claim.request });
    // A document is made anew for each request, so that there is nothing to replay.
    if (!isKept(reply)) await claim.request.release();
    return respond(reply, form);
  } catch (error) {
    // An answer that changed nothing is not kept: the same request may succeed later.
    await claim.request.release();
    throw error;
  }
}

function answerOptionsOf(core: Core, { route, prefix, request }: RouteRequest): AnswerOptions {
  const { strict, dev } = core.settings;
  return { route, request, strict, checked: dev, baseUrl: `${core.addresses.appUrl}${prefix}` };
}

interface CallOptions {
  readonly context: Context;
  readonly form: AnswerOptions;
  readonly request: RunningRequest | undefined;
}

async function callHandler(run: Run, { context, form, request: running }: CallOptions): Promise<Reply> {
  const { asked, credential, handler, query, body, files } = run;
  const { request, params, routeSet, exchange } = asked;
  const [target = "", member = ""] = params;
  return await handler({
    routeSet,
    target,
    member,
    query,
    body,
    files,
    credential,
    context,
    strict: form.strict,
    preconditions: request.method === "GET" ? {} : readPreconditions(request.headers),
    ifNoneMatch: request.headers.get("If-None-Match") ?? undefined,
    write: (change, scope) => {
      const changeAndKeep = async (inside: Context) => {
        const reply = await change(inside);
        if (running !== undefined && isKept(reply))
          await running.keep(inside.database, formAnswer(withoutSecrets(reply), form));
        exchange.beforeCommit?.();
        return reply;
      };
      return inTransaction(context, changeAndKeep, scope);
    },
  });
}

function isKept(reply: Reply): reply is Extract<Reply, { readonly kind: "record" | "list" | "json" | "empty" }> {
  return reply.kind !== "document" && reply.kind !== "not-modified";
}

function respond(reply: Reply, form: AnswerOptions): PlainResponse {
  if (reply.kind === "not-modified") {
    const headers = { ...reply.headers, ETag: reply.etag, "Cache-Control": "private, no-cache" };
    return { status: 304, headers, body: undefined };
  }
  if (reply.kind === "document") return { status: reply.status, headers: reply.headers, body: reply.bytes };
  return respondKept(formAnswer(reply, form), {});
}

function respondKept({ status, headers, body }: KeptAnswer, extra: Readonly<Record<string, string>>): PlainResponse {
  return { status, headers: { ...headers, ...extra }, body: body === "" ? undefined : body };
}

/** One request for one row of a route set. */
export interface RouteRequest {
  readonly route: Route;
  readonly routeSet: RouteSetName;
  /** `/a`, `/b`, or empty. */
  readonly prefix: string;
  readonly request: HttpRequest;
  /** The parameters of the path in their order. */
  readonly params: readonly string[];
  readonly exchange: RequestContext;
}

// What the other parts of a multipart body, their headers and boundaries may add to the file.
const MULTIPART_ALLOWANCE = 64 * 1024;

// An upload of several images is held in memory whole, so it may have no more than a few files of full size.
const MAX_FULL_FILES = 4;

/** How large the body of a route may be, and which problem a larger one is. */
export function bodyLimitOf({ operation, body }: Route, limits: Limits): BodyLimit {
  switch (operation) {
    case "pages.put":
    case "pages.create":
      return { maxBytes: limits.maxJsonBodyBytes, code: "page_too_large" };
    case "posts.create":
    case "posts.patch":
      return { maxBytes: limits.maxJsonBodyBytes, code: "post_too_large" };
    case "assets.upload":
      return { maxBytes: limits.maxAssetBytes + MULTIPART_ALLOWANCE, code: "asset_too_large" };
    case "assets.uploadImages":
      return { maxBytes: MAX_FULL_FILES * limits.maxAssetBytes + MULTIPART_ALLOWANCE, code: "asset_too_large" };
    default:
      return {
        maxBytes: body?.kind === "form" ? limits.maxFormBytes : limits.maxJsonBodyBytes,
        code: "body_too_large",
      };
  }
}
