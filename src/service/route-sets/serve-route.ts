import { OPERATIONS, type OperationName } from "../../contract/operations.ts";
import type { Route } from "../../contract/route.ts";
import type { Credential } from "../auth/authenticate.ts";
import type { Core } from "../core.ts";
import { InjectedReset } from "../development/injected-reset.ts";
import type { HttpAnswer } from "../http/answer.ts";
import type { Context } from "../resources/context.ts";
import type { Gate } from "../gate.ts";
import { inTransaction } from "../resources/in-transaction.ts";
import { ProblemError } from "../resources/problem-error.ts";
import { formAnswer, type AnswerOptions } from "./answer.ts";
import { bodyLimitOf } from "./body-limits.ts";
import type { Call, UploadedFile } from "./call.ts";
import { HANDLERS } from "./handlers/all.ts";
import { identify } from "./identify.ts";
import { claimKey, fingerprintOf, readIdempotencyKey, type KeptAnswer, type RunningRequest } from "./idempotency.ts";
import { parseBody } from "./parse-body.ts";
import { refuseEncoded } from "./refuse-encoded.ts";
import { parseQuery } from "./parse-query.ts";
import { readPreconditions } from "./read-conditions.ts";
import { withoutSecrets, type Reply } from "./reply.ts";
import type { RouteRequest } from "./route-request.ts";

/** Serves a row: who asks, what is asked, the rule, and the answer in the form of the route set. */
export async function serveRoute(core: Core, asked: RouteRequest): Promise<HttpAnswer> {
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
  // A handler's query and body are parsed by the schemas of the same operation, which the union of all can't tell.
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

/** What the request log tells of fields that nobody knows, however many there are and however long their names. */
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

async function runHandler(core: Core, run: Run): Promise<HttpAnswer> {
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
    ...{ routeSet, target, member, query, body, files, credential, context, strict: form.strict },
    preconditions: request.method === "GET" ? {} : readPreconditions(request.headers),
    ifNoneMatch: request.headers.get("If-None-Match") ?? undefined,
    write: (change, scope) => {
      const changeAndKeep = async (inside: Context) => {
        const reply = await change(inside);
        if (running !== undefined && isKept(reply))
          await running.keep(inside.database, formAnswer(withoutSecrets(reply), form));
        if (exchange.fault?.kind === "reset" && exchange.fault.when === "before-commit") throw new InjectedReset();
        return reply;
      };
      return inTransaction(context, changeAndKeep, scope);
    },
  });
}

function isKept(reply: Reply): reply is Extract<Reply, { readonly kind: "record" | "list" | "json" | "empty" }> {
  return reply.kind !== "document" && reply.kind !== "not-modified";
}

function respond(reply: Reply, form: AnswerOptions): HttpAnswer {
  if (reply.kind === "not-modified") {
    const headers = { ...reply.headers, ETag: reply.etag, "Cache-Control": "private, no-cache" };
    return { status: 304, headers, body: undefined };
  }
  if (reply.kind === "document") return { status: reply.status, headers: reply.headers, body: reply.bytes };
  return respondKept(formAnswer(reply, form), {});
}

function respondKept({ status, headers, body }: KeptAnswer, extra: Readonly<Record<string, string>>): HttpAnswer {
  return { status, headers: { ...headers, ...extra }, body: body === "" ? undefined : body };
}
