import type { CallToolResult } from "@modelcontextprotocol/server";
import { PROBLEMS } from "../../contract/problems.ts";
import { asProblem } from "../store/as-problem.ts";
import type { Caller } from "./call-tool.ts";

/**
 * What a rule refused, as an answer of a tool: a code that stays, what is wrong, and a pointer to each argument that
 * has to be changed. What nobody foresaw is `internal` and tells nothing but the id of the request.
 */
export function problemAnswer(error: unknown, { core, exchange }: Caller): CallToolResult {
  const problem = asProblem(error);
  const { code, details } = problem;
  exchange.tell({ problem: code });
  if (code === "internal") {
    const reason = error instanceof Error ? error.message : "unknown";
    core.settings.logger.error(`Request ${exchange.requestId} failed: ${reason}`);
  }
  const told = {
    code,
    title: PROBLEMS[code].title,
    detail: details.detail,
    errors: details.errors?.map((each) => ({ ...each, pointer: argumentPointer(each.pointer) })),
    ...details.members,
    requestId: exchange.requestId,
  };
  return { isError: true, content: [{ type: "text", text: JSON.stringify(told) }] };
}

/** `/body/html` and `/params/slug` are the arguments `/html` and `/slug` of the tool. */
function argumentPointer(pointer: string): string {
  return pointer.replace(/^\/(?:body|query|params)(?=\/)/, "");
}
