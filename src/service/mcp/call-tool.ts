import type { CallToolResult } from "@modelcontextprotocol/server";
import * as z from "zod";
import { checkScope, type Credential } from "../auth/authenticate.ts";
import type { Gate } from "../../base/gate.ts";
import type { Core } from "../host/core.ts";
import { PROBLEMS } from "../../contract/problems.ts";
import type { RequestContext } from "../http/request-context.ts";
import { ProblemError } from "../http/problem.ts";
import { fingerprintOf, runOnce, type StoreResponse } from "../api/idempotency.ts";
import { logProblem } from "../store/as-problem.ts";
import { callHandler, withoutSecrets, type AnyCall, type Reply } from "../api/reply.ts";
import { readsPages } from "../api/serve-route.ts";
import { settleAll } from "../resources/settle.ts";
import { cutHeatmap, cutHtml, findInHtml } from "./answers.ts";
import { parseArguments, type ParsedArguments } from "./parse-arguments.ts";
import { acceptsFile, type JsonObject, type Tool } from "./tools.ts";

/** The caller of a request. */
export interface Caller {
  readonly core: Core;
  readonly credential: Credential;
  readonly requestContext: RequestContext;
  readonly calledTool: string | undefined;
}

/**
 * Runs a tool with the operation's handler, like its route: with the same validation, rules, transaction, events and
 * idempotency. Problems become responses that the model can act on.
 */
export async function callTool(tool: Tool, given: JsonObject, caller: Caller): Promise<CallToolResult> {
  try {
    // The transport already rejects credentials without the scope; this doesn't rely on it.
    checkScope(caller.credential, tool.scope);
    const parsed = parseArguments(tool, given);
    const run = async () => await runTool({ tool, parsed, caller });
    const gate = gateOf(tool, caller.core);
    const data = await (gate === undefined ? run() : gate.run(run));
    if (data === undefined) return { content: [{ type: "text", text: "Done." }] };
    const shown = tool.method === "GET" ? data : withoutText(data);
    return { content: [{ type: "text", text: JSON.stringify(shown) }], structuredContent: { ...shown } };
  } catch (error) {
    return problemResult(error, caller);
  }
}

function gateOf({ annotations, contract }: Tool, { imports, uploads }: Core): Gate | undefined {
  if (annotations.openWorldHint) return imports;
  return acceptsFile(contract) ? uploads : undefined;
}

const storedSchema = z.object({ data: z.record(z.string(), z.unknown()).optional() });

interface Run {
  readonly tool: Tool;
  readonly parsed: ParsedArguments;
  readonly caller: Caller;
}

/**
 * Returns the response's data; `undefined` if it has none. A repeated call with an idempotency key returns the first
 * response.
 */
async function runTool(run: Run): Promise<JsonObject | undefined> {
  const { tool, parsed, caller } = run;
  const { idempotencyKey, parameters, query, body, files } = parsed;
  if (idempotencyKey === undefined) return await runFitting(run, undefined);
  const context = caller.core.contextOf(caller.credential.accountId);
  return await runOnce(
    context,
    { accountId: context.accountId, route: `MCP ${tool.name}`, key: idempotencyKey },
    {
      fingerprint: fingerprintOf([parameters, query, body], files),
      run: (keep) => runFitting(run, keep),
      replay: (answer) => storedSchema.parse(JSON.parse(answer.body)).data,
    },
  );
}

/** Requests a list that is too large for one response again with fewer entries, so that its cursor stays correct. */
async function runFitting(run: Run, keep: StoreResponse | undefined): Promise<JsonObject | undefined> {
  const { tool, parsed } = run;
  const first = dataOf(await runHandler(run, keep), parsed);
  if (tool.method !== "GET" || sizeOf(first) <= RESPONSE_LIMIT) return first;
  const entries = first?.["data"];
  for (let limit = Array.isArray(entries) ? entries.length : 0, size = sizeOf(first); limit > 1;) {
    limit = Math.max(1, Math.min(limit - 1, Math.floor((limit * RESPONSE_LIMIT) / size)));
    const fewer = { ...parsed, query: { ...Object(parsed.query), limit } };
    const data = dataOf(await runHandler({ ...run, parsed: fewer }, keep), fewer);
    size = sizeOf(data);
    if (size <= RESPONSE_LIMIT) return data;
  }
  throw new ProblemError("answer_too_large", {
    detail: `The response exceeds ${RESPONSE_LIMIT} characters. Request less, for example without \`include\`.`,
  });
}

/** Maximum characters of a response's data: more would fill the model's context. */
const RESPONSE_LIMIT = 100_000;

function sizeOf(data: JsonObject | undefined): number {
  return data === undefined ? 0 : JSON.stringify(data).length;
}

async function runHandler({ tool, parsed, caller }: Run, keep: StoreResponse | undefined): Promise<Reply> {
  const { core, credential, requestContext } = caller;
  const [target = "", member = ""] = parsed.parameters;
  const call: AnyCall = {
    // In route set B, a page's `url` is its public URL.
    routeSet: "b",
    strict: false,
    target,
    member,
    credential,
    context: {
      ...core.contextOf(credential.accountId),
      requestId: requestContext.requestId,
      actor: credential,
    },
    query: parsed.query,
    body: parsed.body,
    files: parsed.files,
    preconditions: parsed.preconditions,
    ifNoneMatch: undefined,
  };
  if (readsPages(tool.operation)) await settleAll(call.context);
  return await callHandler(core.handlers[tool.operation], call, async (database, reply) => {
    const data = dataOf(withoutSecrets(reply), parsed);
    await keep?.(database, { status: 200, headers: {}, body: JSON.stringify({ data }) });
  });
}

function dataOf(reply: Reply, { htmlOffset, search }: ParsedArguments): JsonObject | undefined {
  switch (reply.kind) {
    case "record":
      if (search !== undefined) return findInHtml({ ...reply.record }, search);
      return cutHtml({ ...reply.record, ...reply.shownOnce }, htmlOffset);
    case "list":
      return { data: reply.items, nextCursor: reply.nextCursor ?? null };
    case "json":
      return "points" in reply.body ? cutHeatmap(reply.body) : reply.body;
    case "empty":
      return undefined;
    default:
      throw new Error(`A tool can't return a reply of the kind ${reply.kind}.`);
  }
}

/** The model just sent the text; repeating it would only fill its context. */
function withoutText(data: JsonObject): JsonObject {
  const { html: _, markdown: _sent, nextHtmlOffset: _offset, ...rest } = data;
  return rest;
}

/**
 * Formats a problem as a tool result: a stable code, what is wrong, and a pointer to each argument to change.
 * Unexpected errors become `internal` with only the request id.
 */
function problemResult(error: unknown, { core, requestContext }: Caller): CallToolResult {
  const { code, details } = logProblem(error, requestContext.requestId, core.settings.logger);
  requestContext.addFacts({ problem: code });
  const shown = {
    code,
    title: PROBLEMS[code].title,
    detail: details.detail,
    errors: details.errors?.map((each) => ({ ...each, pointer: argumentPointer(each.pointer) })),
    ...details.members,
    requestId: requestContext.requestId,
  };
  return { isError: true, content: [{ type: "text", text: JSON.stringify(shown) }] };
}

/** Converts `/body/html` and `/params/slug` to the tool's arguments `/html` and `/slug`. */
function argumentPointer(pointer: string): string {
  return pointer.replace(/^\/(?:body|query|params)(?=\/)/, "");
}
