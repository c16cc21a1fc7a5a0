import { pluralize } from "../../base/pluralize.ts";
import type { Route, RouteSetName } from "../../contract/route.ts";
import { identify } from "../auth/authenticate.ts";
import type { Core } from "../host/core.ts";
import {
  type PlainResponse,
  refuseEncoded,
  type HttpRequest,
  type BodyLimit,
  readPreconditions,
} from "../http/messages.ts";
import type { Gate } from "../../base/gate.ts";
import { ProblemError } from "../http/problem.ts";
import { callHandler, formatReply, withoutSecrets, type AnyCall, type FormatOptions, type Reply } from "./reply.ts";
import type { UploadedFile } from "./call.ts";
import { fingerprintOf, readIdempotencyKey, runOnce, type StoreResponse, type StoredResponse } from "./idempotency.ts";
import { readBundle } from "../http/bundle.ts";
import { parseBody, parseQuery } from "./parse-request.ts";
import type { RequestContext } from "../http/request-context.ts";
import { settleAll } from "../resources/settle.ts";
import type { Limits } from "../../contract/limits.ts";

/** Handles a request for a route: authenticates, parses, runs the handler, and formats the response. */
export async function serveRoute(core: Core, asked: RouteRequest): Promise<PlainResponse> {
  const credential = await identify(core, asked);
  if (core.handlers[asked.route.operation] === undefined) {
    throw new ProblemError("not_implemented", { detail: `${asked.route.operation} is not implemented.` });
  }
  const query = parseQuery(asked.route.query, asked.request.query);
  const serve = async () => {
    const received = await receiveBody(core, asked);
    return await runHandler(core, asked, { credential, query, ...received });
  };
  const gate = gateOf(core, asked.route);
  return gate === undefined ? await serve() : await gate.run(serve);
}

function gateOf({ uploads, imports, bundles }: Core, { operation, body }: Route): Gate | undefined {
  if (body?.kind === "bundle") return bundles;
  if (operation === "assets.import" || operation === "brandKits.extract") return imports;
  return body?.kind === "multipart" ? uploads : undefined;
}

interface ReceivedBody {
  readonly body: unknown;
  readonly files: readonly UploadedFile[];
}

async function receiveBody(
  core: Core,
  { route, routeSet, request, requestContext }: RouteRequest,
): Promise<ReceivedBody> {
  if (route.body === undefined) {
    if (route.problems.includes("invalid_body"))
      refuseFields(await request.readBody(bodyLimitOf(route, core.settings.limits)));
    return { body: undefined, files: [] };
  }
  if (route.body.kind === "bundle") return await receiveBundle(core, request);
  refuseEncoded(request.headers.get("Content-Encoding"));
  const bytes = await request.readBody(bodyLimitOf(route, core.settings.limits));
  const contentType = request.headers.get("Content-Type") ?? "";
  const { body, files, unknownFields } = await parseBody({ bytes, contentType }, route.body, { routeSet });
  for (const remark of remarksOn(unknownFields)) requestContext.warn(remark);
  return { body, files };
}

/** Refuses fields where ignoring them would grant something else than what they ask for. */
function refuseFields(bytes: Uint8Array): void {
  if (/^\s*(?:\{\s*\}\s*)?$/.test(Buffer.from(bytes).toString("utf8"))) return;
  throw new ProblemError("invalid_body", { detail: "This request has no fields; send it without a body." });
}

async function receiveBundle({ settings }: Core, request: HttpRequest): Promise<ReceivedBody> {
  if (!/^application\/x-tar\b/i.test(request.headers.get("Content-Type") ?? "")) {
    throw new ProblemError("unsupported_media_type", { detail: "Send the body as application/x-tar." });
  }
  const limit = { maxBytes: settings.limits.maxBundleBytes, code: "body_too_large" } as const;
  const contentEncoding = request.headers.get("Content-Encoding");
  return { body: {}, files: await readBundle(await request.readBody(limit), { contentEncoding, limit }) };
}

const MAX_REMARKS = 10;
const MAX_SHOWN_NAME = 100;

/** Remarks on unknown fields in the request log, limited in number and length. */
function remarksOn(unknownFields: readonly string[]): readonly string[] {
  const shown = unknownFields
    .slice(0, MAX_REMARKS)
    .map((name) => `The body has an unknown field "${name.slice(0, MAX_SHOWN_NAME)}", which is ignored.`);
  const more = unknownFields.length - shown.length;
  return more === 0 ? shown : [...shown, `The body has ${pluralize(more, "more unknown field")}, all ignored.`];
}

type Parsed = Pick<AnyCall, "credential" | "query" | "body" | "files">;

async function runHandler(core: Core, asked: RouteRequest, parsed: Parsed): Promise<PlainResponse> {
  const { route, request, params, routeSet, requestContext } = asked;
  const { requestId, path } = requestContext;
  const { credential: actor } = parsed;
  const account = core.contextOf(actor?.accountId ?? core.account.id);
  const context = { ...account, requestId, ...(actor && { actor }) };
  const form = formatOptionsOf(core, asked);
  if (readsPages(route.operation)) await settleAll(context);
  const [target = "", member = ""] = params;
  const call: AnyCall = {
    ...parsed,
    routeSet,
    target,
    member,
    context,
    strict: form.strict,
    preconditions: hasPreconditions(route) ? readPreconditions(request.headers) : {},
    ifNoneMatch: request.headers.get("If-None-Match") ?? undefined,
  };
  const run = async (keep?: StoreResponse) => {
    const reply = await callHandler(core.handlers[route.operation], call, async (database, changed) => {
      if (isKept(changed)) await keep?.(database, formatReply(withoutSecrets(changed), form));
      requestContext.beforeCommit?.();
    });
    return respond(reply, form);
  };
  const takesKeys = request.method === "POST" && context.quirks.idempotencyKeys === "kept";
  const key = takesKeys ? readIdempotencyKey(request.headers) : undefined;
  if (key === undefined) return await run();
  const { accountId } = context;
  return await runOnce(
    context,
    { accountId, route: `${route.method} ${path}`, key },
    {
      fingerprint: fingerprintOf(parsed.body, parsed.files),
      run,
      replay: (answer) => respondStored(answer, { "Idempotent-Replayed": "true" }),
    },
  );
}

function hasPreconditions({ problems }: Route): boolean {
  return problems.includes("version_mismatch") || problems.includes("already_exists");
}

// Operations that list, count or search pages or data that belongs to them.
const PAGE_READERS =
  /^(?:pages\.list|sites\.(?:list|get|delete)|assets\.(?:list|delete)|analytics\..*|forms\..*|submissions\..*|account\.get)$/;

/** Whether an operation needs published releases to be written to pages first, see `settleAll`. */
export function readsPages(operation: string): boolean {
  return PAGE_READERS.test(operation);
}

function formatOptionsOf(core: Core, { route, prefix, request }: RouteRequest): FormatOptions {
  const { strict, dev } = core.settings;
  return { route, request, strict, checked: dev, baseUrl: `${core.addresses.appUrl}${prefix}` };
}

// Documents are generated for each request, so they can't be replayed.
function isKept(reply: Reply): reply is Extract<Reply, { readonly kind: "record" | "list" | "json" | "empty" }> {
  return reply.kind !== "document" && reply.kind !== "not-modified";
}

function respond(reply: Reply, form: FormatOptions): PlainResponse {
  if (reply.kind === "not-modified") {
    const headers = { ...reply.headers, ETag: reply.etag, "Cache-Control": "private, no-cache" };
    return { status: 304, headers, body: undefined };
  }
  if (reply.kind === "document") return { status: reply.status, headers: reply.headers, body: reply.bytes };
  return respondStored(formatReply(reply, form), {});
}

function respondStored(
  { status, headers, body }: StoredResponse,
  extra: Readonly<Record<string, string>>,
): PlainResponse {
  return { status, headers: { ...headers, ...extra }, body: body === "" ? undefined : body };
}

export interface RouteRequest {
  readonly route: Route;
  readonly routeSet: RouteSetName;
  /** `/a`, `/b`, or empty. */
  readonly prefix: string;
  readonly request: HttpRequest;
  /** The path parameters in order. */
  readonly params: readonly string[];
  readonly requestContext: RequestContext;
}

// Room for the other parts, headers and boundaries of a multipart body.
const MULTIPART_ALLOWANCE = 64 * 1024;

// An upload of several images is held in memory, which limits it to a few files of maximum size.
const MAX_FULL_FILES = 4;

/** Returns the maximum body size of a route, and the problem for larger bodies. */
export function bodyLimitOf({ operation, body }: Route, limits: Limits): BodyLimit {
  switch (operation) {
    case "pages.put":
    case "pages.create":
    case "pages.edit":
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
