import type { Limits } from "../../contract/limits.ts";
import { parseSentJson, readBody } from "../http/messages.ts";

/** A JSON-RPC message for the protocol, or the response to a rejected one. */
export type ReceivedMessage =
  | { readonly kind: "message"; readonly body: object }
  | { readonly kind: "refused"; readonly response: Response };

// Room for the message's envelope, in addition to the API's largest body.
const FRAME_BYTES = 64 * 1024;

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;

/** Reads the body of a request. Throws `body_too_large`. */
export async function parseMessage(request: Request, limits: Limits): Promise<ReceivedMessage> {
  const bytes = await readBody(request, { maxBytes: limits.maxJsonBodyBytes + FRAME_BYTES, code: "body_too_large" });
  const text = new TextDecoder().decode(bytes);
  if (isNestedTooDeeply(text)) return refuse(INVALID_REQUEST, "The message is nested too deeply.");
  const body = findJson(text);
  // The protocol removed batches in 2025-06-18; a request with many calls would bypass the rate limit.
  if (Array.isArray(body)) return refuse(INVALID_REQUEST, "Send one message in each request, not a batch.");
  if (typeof body !== "object" || body === null) return refuse(PARSE_ERROR, "The body is not a JSON object.");
  return { kind: "message", body };
}

function findJson(text: string): unknown {
  try {
    return parseSentJson(text);
  } catch {
    return undefined;
  }
}

/** Returns the operation of a message for the request log: `mcp:pages_put` for a tool call. */
export function nameOf(body: object): string {
  const method = "method" in body ? body.method : undefined;
  const name = findCalledTool(body) ?? method;
  return typeof name === "string" && /^[\w/]{1,64}$/.test(name) ? `mcp:${name}` : "mcp";
}

/** Returns the name of the called tool, whether it exists or not. */
export function findCalledTool(body: object): string | undefined {
  if (!("method" in body) || body.method !== "tools/call" || !("params" in body)) return undefined;
  const { params } = body;
  const name: unknown = typeof params === "object" && params !== null && "name" in params ? params.name : undefined;
  return typeof name === "string" ? name : undefined;
}

function refuse(code: number, message: string): ReceivedMessage {
  const error = { jsonrpc: "2.0", error: { code, message }, id: null };
  return { kind: "refused", response: Response.json(error, { status: 400 }) };
}

// JSON can be nested without limit, but code that processes it is mostly recursive and would overflow the stack. No
// request of the protocol is nested deeper than this.
const MAX_DEPTH = 64;

/** Whether JSON nests objects and arrays deeper than any reasonable request, without parsing it. */
export function isNestedTooDeeply(json: string): boolean {
  let depth = 0;
  let isInText = false;
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index);
    if (isInText) {
      if (code === BACKSLASH) index++;
      else if (code === QUOTE) isInText = false;
    } else if (code === QUOTE) isInText = true;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth++;
      if (depth > MAX_DEPTH) return true;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--;
  }
  return false;
}

const [QUOTE, BACKSLASH, OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [0x22, 0x5c, 0x7b, 0x7d, 0x5b, 0x5d];
