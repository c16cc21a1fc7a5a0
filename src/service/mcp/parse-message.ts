import type { Limits } from "../../contract/limits.ts";
import { readBody } from "../route-sets/read-body.ts";
import { isNestedTooDeeply } from "./nesting.ts";

/** A JSON-RPC message that the protocol may look at, or the answer to one that it must not. */
export type ReceivedMessage =
  | { readonly kind: "message"; readonly body: object }
  | { readonly kind: "refused"; readonly response: Response };

// What the frame of a message may add to the largest body that the API takes.
const FRAME_BYTES = 64 * 1024;

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** Reads the body of a request; throws `body_too_large`. */
export async function parseMessage(request: Request, limits: Limits): Promise<ReceivedMessage> {
  const bytes = await readBody(request, { maxBytes: limits.maxJsonBodyBytes + FRAME_BYTES, code: "body_too_large" });
  const text = new TextDecoder().decode(bytes);
  if (isNestedTooDeeply(text)) return refuse(INVALID_REQUEST, "The message is nested too deeply.");
  const body = parseJson(text);
  // Batches left the protocol in 2025-06-18; one request of many calls would escape the rate limit.
  if (Array.isArray(body)) return refuse(INVALID_REQUEST, "Send one message in each request, not a batch.");
  if (typeof body !== "object" || body === null) return refuse(PARSE_ERROR, "The body is no JSON object.");
  return { kind: "message", body };
}

/** What a message asks for, to tell it in the request log: `mcp:pages_put` for a call of a tool. */
export function nameOf(body: object | undefined): string {
  const method = body !== undefined && "method" in body ? body.method : undefined;
  const params: unknown = body !== undefined && "params" in body ? body.params : undefined;
  const tool = typeof params === "object" && params !== null && "name" in params ? params.name : undefined;
  const name = method === "tools/call" ? tool : method;
  return typeof name === "string" && /^[\w/]{1,64}$/.test(name) ? `mcp:${name}` : "mcp";
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function refuse(code: number, message: string): ReceivedMessage {
  const error = { jsonrpc: "2.0", error: { code, message }, id: null };
  return { kind: "refused", response: Response.json(error, { status: 400 }) };
}
