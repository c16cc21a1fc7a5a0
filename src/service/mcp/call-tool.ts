import type { CallToolResult } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { Call } from "../api/call.ts";
import { checkScope, type Credential } from "../auth/authenticate.ts";
import type { Core } from "../host/core.ts";
import type { OperationName } from "../../contract/operations.ts";
import type { RequestContext } from "../http/request-context.ts";
import { type Context, inTransaction } from "../resources/context.ts";
import { ProblemError } from "../http/problem.ts";
import { HANDLERS } from "../api/handlers/all.ts";
import { claimKey, fingerprintOf, type RunningRequest } from "../api/idempotency.ts";
import { withoutSecrets, type Reply } from "../api/reply.ts";
import { ANSWER_LIMIT, answerOf, cutHeatmap, cutHtml, isTooLarge, sizeOf } from "./answers.ts";
import type { JsonObject } from "./json-schema.ts";
import { parseArguments, type ParsedArguments } from "./parse-arguments.ts";
import { problemAnswer } from "./problem-answer.ts";
import type { Tool } from "./tools.ts";

/** Who calls, and in which request. */
export interface Caller {
  readonly core: Core;
  readonly credential: Credential;
  readonly exchange: RequestContext;
  /** Name of the tool that is called, if one is. */
  readonly calledTool: string | undefined;
}

/**
 * Carries out a call by the handler of the operation, as its route does: the same validation, rules, transaction,
 * events and idempotency. What a rule refuses becomes an answer that the model can act on.
 */
export async function callTool(tool: Tool, given: JsonObject, caller: Caller): Promise<CallToolResult> {
  try {
    // The transport has challenged a credential that lacks the scope; nothing below relies on that.
    checkScope(caller.credential, tool.scope);
    const parsed = parseArguments(tool, given);
    const run = async () => await runOnce({ tool, parsed, caller });
    const data = await (tool.annotations.openWorldHint ? caller.core.imports.run(run) : run());
    return answerOf(tool.method === "GET" ? data : withoutText(data));
  } catch (error) {
    return problemAnswer(error, caller);
  }
}

const keptSchema = z.object({ data: z.record(z.string(), z.unknown()).optional() });

interface Run {
  readonly tool: Tool;
  readonly parsed: ParsedArguments;
  readonly caller: Caller;
}

/** The answer's data; `undefined` when it has none. A repeated call with one idempotency key gets the first answer. */
async function runOnce(run: Run): Promise<JsonObject | undefined> {
  const { tool, parsed, caller } = run;
  const { idempotencyKey, parameters, query, body } = parsed;
  if (idempotencyKey === undefined) return await runFitting(run, undefined);
  const { accountId, database, now } = caller.core.contextOf(caller.credential.accountId);
  const key = { accountId, route: `MCP ${tool.name}`, key: idempotencyKey };
  const fingerprint = fingerprintOf([parameters, query, body], []);
  const claim = await claimKey(database, key, { fingerprint, now });
  if (claim.kind === "replay") return keptSchema.parse(JSON.parse(claim.answer.body)).data;
  try {
    return await runFitting(run, claim.request);
  } catch (error) {
    // An answer that changed nothing is not kept: the same call may succeed later.
    await claim.request.release();
    throw error;
  }
}

/** A list that is too large for one answer is asked for again with fewer entries, so that its cursor stays right. */
async function runFitting(run: Run, running: RunningRequest | undefined): Promise<JsonObject | undefined> {
  const { tool, parsed } = run;
  const first = dataOf(await callHandler(run, running), parsed);
  if (tool.method !== "GET" || !isTooLarge(first)) return first;
  const entries = first?.["data"];
  for (let limit = Array.isArray(entries) ? entries.length : 0, size = sizeOf(first); limit > 1;) {
    limit = Math.max(1, Math.min(limit - 1, Math.floor((limit * ANSWER_LIMIT) / size)));
    const fewer = { ...parsed, query: { ...Object(parsed.query), limit } };
    const data = dataOf(await callHandler({ ...run, parsed: fewer }, running), fewer);
    if (!isTooLarge(data)) return data;
    size = sizeOf(data);
  }
  throw new ProblemError("answer_too_large", {
    detail: `The answer has more than ${ANSWER_LIMIT} characters. Ask for less, without \`include\` for example.`,
  });
}

type AnyHandler = (
  call: Omit<Call<OperationName>, "query" | "body"> & Pick<ParsedArguments, "query" | "body">,
) => Promise<Reply>;

async function callHandler({ tool, parsed, caller }: Run, running: RunningRequest | undefined): Promise<Reply> {
  const { core, credential, exchange } = caller;
  const found = HANDLERS[tool.operation];
  if (found === undefined) throw new ProblemError("not_implemented");
  // A handler's query and body are parsed by the schemas of the same operation, which the union of all can't tell.
  const handler = found as AnyHandler;
  const context = { ...core.contextOf(credential.accountId), requestId: exchange.requestId };
  const [target = "", member = ""] = parsed.parameters;
  return await handler({
    // In route set B a page's `url` is its public address.
    ...{ routeSet: "b", strict: false, target, member, credential, context },
    ...{ query: parsed.query, body: parsed.body, files: [] },
    preconditions: parsed.preconditions,
    ifNoneMatch: undefined,
    write: (change, scope) => {
      const changeAndKeep = async (inside: Context) => {
        const reply = await change(inside);
        await running?.keep(inside.database, {
          ...{ status: 200, headers: {} },
          body: JSON.stringify({ data: dataOf(withoutSecrets(reply), parsed) }),
        });
        return reply;
      };
      return inTransaction(context, changeAndKeep, scope);
    },
  });
}

function dataOf(reply: Reply, { htmlOffset }: ParsedArguments): JsonObject | undefined {
  switch (reply.kind) {
    case "record":
      return cutHtml({ ...reply.record, ...reply.shownOnce }, htmlOffset);
    case "list":
      return { data: reply.items, nextCursor: reply.nextCursor ?? null };
    case "json":
      return "points" in reply.body ? cutHeatmap(reply.body) : reply.body;
    case "empty":
      return undefined;
    default:
      throw new Error(`A tool can't answer with a ${reply.kind}.`);
  }
}

/** The model has just sent the text; telling it again would only fill its memory. */
function withoutText(data: JsonObject | undefined): JsonObject | undefined {
  if (data === undefined) return undefined;
  const { html: _, markdown: _sent, nextHtmlOffset: _offset, ...rest } = data;
  return rest;
}
